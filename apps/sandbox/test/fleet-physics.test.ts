import type { DrivingTrip, PowertrainTrip } from '@vehicle-data/openapi';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildOf } from '../src/fleet/build.js';
import { fleetVehicles, wholeFleet } from './every-vehicle.js';

// Everything here is judged from responses alone: what an application gets. Sensor noise is off, so that rules are exact. Only a vehicle's build (gear ratios, wheelbase,
// steering ratio) is taken from the sandbox.

type Group<Trip, Name extends keyof Trip> = Required<NonNullable<Trip[Name]>>;

/** A trip with both of its responses, and the speed in m/s that its acceleration adds up to. */
interface WholeTrip {
  readonly vin: string;
  readonly driving: DrivingTrip;
  readonly powertrain: PowertrainTrip;
  readonly speed: readonly number[];
}

const gravity = 9.80665;
const trips: WholeTrip[] = [];
const tripsOf = (vin: string) => trips.filter((trip) => trip.vin === vin);
const group = <Name extends keyof DrivingTrip>(trip: WholeTrip, name: Name) =>
  trip.driving[name] as unknown as Group<DrivingTrip, Name>;
const typeOf = (vin: string) => fleetVehicles.find((vehicle) => vehicle.vin === vin)?.type;
const buildOfVin = (vin: string) => {
  const vehicle = fleetVehicles.find((candidate) => candidate.vin === vin);
  if (vehicle === undefined) throw new Error('no such vehicle');
  return buildOf(1, vehicle);
};

/** Counts the samples that break a rule: an expectation for each of millions of samples would take minutes. */
function broken(samples: ArrayLike<unknown>, holds: (i: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < samples.length; i++) if (!holds(i)) count++;
  return count;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

beforeAll(async () => {
  const { vins, get } = await wholeFleet('2026-06-30T12:00:00Z', { sensorNoise: false });
  for (const vin of vins) {
    for (const range of ['startDate=20260601&endDate=20260608']) {
      const [driving, powertrain] = await Promise.all([
        get(vin, `driving/data?${range}`),
        get(vin, `powertrains/data?${range}`),
      ]);
      driving.json.data.trips.forEach((trip: DrivingTrip, index: number) => {
        let sum = 0;
        const samples = (trip.acceleration?.longitudinal ?? []).map((g) => {
          sum += g * gravity;
          return sum;
        });
        trips.push({ vin, driving: trip, powertrain: powertrain.json.data.trips[index], speed: samples });
      });
    }
  }
});

/** The length of every array below a value. */
function lengthsIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return [value.length];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(lengthsIn) : [];
}

describe('a trip', () => {
  it('is in both responses, and all of its arrays have one value a second', () => {
    expect(trips.length).toBeGreaterThan(150);
    for (const { driving, powertrain } of trips) {
      expect(powertrain.triggerStartTime).toBe(driving.triggerStartTime);
      expect(powertrain.tripLength).toBe(driving.tripLength);
      expect(new Set([...lengthsIn(driving), ...lengthsIn(powertrain)])).toEqual(new Set([driving.tripLength / 1000]));
    }
  });

  it('begins and ends as people do: in park, at rest, ignition last off, belt on after the start and off before the end', () => {
    let [moving, unbelted] = [0, 0];
    for (const trip of trips) {
      const { gear } = group(trip, 'transmission');
      const { status } = group(trip, 'ignition');
      const { driver } = group(trip, 'seatbelt');
      expect([gear[0], gear.at(-1)]).toEqual(['p', 'p']);
      expect(status.indexOf('off')).toBe(status.length - 1);
      expect([driver[0], driver.at(-1)]).toEqual(['unbelted', 'unbelted']);
      moving += gear.filter((one) => one !== 'p').length;
      unbelted += broken(driver, (i) => gear[i] === 'p' || driver[i] === 'belted');
      expect(Math.abs(trip.speed.at(-1) as number)).toBeLessThan(0.01);
    }
    // Belts are forgotten now and then.
    expect(unbelted / moving).toBeGreaterThan(0.0005);
    expect(unbelted / moving).toBeLessThan(0.03);
  });

  it('moves in drive, backwards in reverse, and not at all in park or neutral', () => {
    for (const trip of trips) {
      const { gear } = group(trip, 'transmission');
      const holds = (i: number) => {
        const speed = trip.speed[i] as number;
        if (gear[i] === 'd') return speed > -0.01;
        return gear[i] === 'r' ? speed < 0.01 : Math.abs(speed) < 0.01;
      };
      expect(broken(trip.speed, holds)).toBe(0);
    }
    expect(trips.some((trip) => trip.speed.some((speed) => speed < -0.5))).toBe(true);
    expect(trips.some((trip) => trip.driving.transmission?.gear?.includes('n'))).toBe(true);
  });

  it('speeds up and brakes within what drivers do, and keeps below 150 km/h', () => {
    for (const trip of trips) {
      const { longitudinal } = group(trip, 'acceleration');
      expect(Math.max(...longitudinal)).toBeLessThan(0.8);
      expect(Math.min(...longitudinal)).toBeGreaterThan(-0.9);
      expect(Math.max(...trip.speed)).toBeLessThan(150 / 3.6);
    }
  });
});

describe('the odometer', () => {
  it('never runs back and grows by the integral of the speed', () => {
    for (const trip of trips) {
      const { value } = group(trip, 'odometer');
      let meters = 0;
      const holds = (i: number) => {
        const before = i === 0 ? 0 : (trip.speed[i - 1] as number);
        meters += Math.abs(before + (trip.speed[i] as number)) / 2;
        const grown = ((value[i] as number) - (value[0] as number)) * 1000;
        // The odometer shows whole 100 m; the rounding of the acceleration adds a few meters on a long trip.
        return (
          (value[i] as number) >= (value[Math.max(0, i - 1)] as number) &&
          Math.abs(grown - meters) < 120 + meters / 1000
        );
      };
      expect(broken(value, holds)).toBe(0);
    }
  });

  it('continues where the last trip ended, across trips and days', () => {
    for (const { vin } of fleetVehicles) {
      const ends = tripsOf(vin).map((trip) => [
        trip.driving.odometer?.value?.[0],
        trip.driving.odometer?.value?.at(-1),
      ]);
      for (let i = 1; i < ends.length; i++) expect(ends[i]?.[0]).toBe(ends[i - 1]?.[1]);
    }
  });
});

describe('the steering', () => {
  it('turns the vehicle: yaw rate fits steering angle, speed and wheelbase', () => {
    const wrong = trips.flatMap((trip) => {
      const { wheelbaseMeters, steeringRatio } = buildOfVin(trip.vin);
      const { yaw } = group(trip, 'angularVelocity');
      const { angle } = group(trip, 'steeringWheel');
      return yaw.filter((rate, i) => {
        const wheel = ((angle[i] as number) / steeringRatio / 180) * Math.PI;
        const speed = ((trip.speed[i] as number) + (trip.speed[i - 1] ?? 0)) / 2;
        const expected = ((speed * Math.tan(wheel)) / wheelbaseMeters / Math.PI) * 180;
        return Math.abs(speed) > 0.5 && Math.abs(rate - expected) > 0.2 + 0.02 * Math.abs(expected);
      });
    });
    expect(wrong).toEqual([]);
    expect(trips.some((trip) => Math.max(...group(trip, 'angularVelocity').yaw) > 10)).toBe(true);
  });

  it('turns at the speed by which its angle changes', () => {
    for (const trip of trips) {
      const { angle, rotationSpeed } = group(trip, 'steeringWheel');
      const holds = (i: number) =>
        i === 0 ||
        Math.abs((rotationSpeed[i] as number) - Math.abs((angle[i] as number) - (angle[i - 1] as number))) < 2.0001;
      expect(broken(angle, holds)).toBe(0);
    }
  });
});

describe('the engine', () => {
  it('turns as fast as speed and one of the gear ratios say, or idles', () => {
    let inGear = 0;
    let wrong = 0;
    for (const trip of trips) {
      const { engine, wheelCircumferenceMeters } = buildOfVin(trip.vin);
      const rpm = trip.powertrain.engine?.rpm;
      if (!engine || !rpm) continue;
      for (const [i, turning] of rpm.entries()) {
        const speed = trip.speed[i] as number;
        if (turning === 0 || speed < 4 || turning <= engine.idleRpm * 1.5) continue;
        const ratio = (turning * wheelCircumferenceMeters) / 60 / speed;
        inGear++;
        if (!engine.ratios.some((known) => Math.abs(ratio / known - 1) < 0.01)) wrong++;
      }
    }
    expect(wrong).toBe(0);
    expect(inGear).toBeGreaterThan(25_000);
  });

  it('is at rest before the start and after the end, and stops in between only where a vehicle can', () => {
    for (const trip of trips) {
      const rpm = trip.powertrain.engine?.rpm;
      if (!rpm) continue;
      expect([rpm[0], rpm.at(-1)]).toEqual([0, 0]);
      if (typeOf(trip.vin) === 'GN') {
        expect(broken(rpm, (i) => Math.abs(trip.speed[i] as number) < 0.1 || (rpm[i] as number) > 500)).toBe(0);
      }
    }
  });

  it('warms its oil along a curve: quickly at first, then ever slower, to about 90 °C', () => {
    let warmed = 0;
    for (const trip of trips) {
      if (typeOf(trip.vin) !== 'GN') continue;
      const oil = trip.powertrain.engine?.oilTemperature as readonly number[];
      expect(broken(oil, (i) => i === 0 || Math.abs((oil[i] as number) - (oil[i - 1] as number)) <= 0.5)).toBe(0);
      expect(Math.max(...oil)).toBeLessThan(110);
      if ((oil[0] as number) > 35 || oil.length < 1300) continue;
      const [start, sixMinutes, twelveMinutes, eighteenMinutes] = [0, 360, 720, 1080].map(
        (at) => oil[at] as number,
      ) as [number, number, number, number];
      expect(sixMinutes - start).toBeGreaterThan(25);
      expect(sixMinutes - start).toBeGreaterThan(twelveMinutes - sixMinutes);
      expect(twelveMinutes - sixMinutes).toBeGreaterThan(eighteenMinutes - twelveMinutes);
      warmed++;
    }
    expect(warmed).toBeGreaterThan(5);
  });
});

describe('the high-voltage battery', () => {
  it('sags under load and recovers', () => {
    let [rises, falls] = [0, 0];
    for (const { vin, type } of fleetVehicles) {
      if (type !== 'EV') continue;
      for (const trip of tripsOf(vin)) {
        const voltage = trip.powertrain.batteries?.hv?.voltage as readonly number[];
        const { longitudinal } = group(trip, 'acceleration');
        let pullingAt = -100;
        for (const [i, g] of longitudinal.entries()) {
          if ((trip.speed[i] as number) < 6) continue;
          if (g > 0.08) pullingAt = i;
          else if (g < -0.08 && i - pullingAt < 15) {
            if ((voltage[i] as number) > (voltage[pullingAt] as number)) rises++;
            else falls++;
          }
        }
        if (!trip.speed.some((speed) => speed > 5)) continue;
        const lowest = voltage.indexOf(Math.min(...voltage));
        expect(longitudinal[lowest]).toBeGreaterThan(-0.02);
        expect(voltage.at(-1)).toBeGreaterThan(voltage[lowest] as number);
      }
    }
    expect(falls).toBe(0);
    expect(rises).toBeGreaterThan(500);
  });

  it('loses charge on the way: a long trip of an electric car ends at a lower voltage at rest', () => {
    const long = trips.filter((trip) => typeOf(trip.vin) === 'EV' && trip.driving.tripLength > 1_800_000);
    expect(long.length).toBeGreaterThan(5);
    for (const { powertrain } of long) {
      const voltage = powertrain.batteries?.hv?.voltage as readonly number[];
      expect(voltage.at(-1)).toBeLessThan((voltage[0] as number) - 1);
    }
  });
});

describe('kinds of drive', () => {
  it('an electric or fuel cell car has no engine, a combustion car no high-voltage battery, a hybrid has both', () => {
    const groups = new Map<string, Set<string>>();
    for (const { vin, powertrain } of trips) {
      const type = typeOf(vin) ?? '';
      const found = Object.keys(powertrain).filter((name) => name === 'engine' || name === 'batteries');
      groups.set(type, new Set([...(groups.get(type) ?? []), found.sort().join('+')]));
    }
    expect(Object.fromEntries([...groups].map(([type, found]) => [type, [...found]]))).toEqual({
      EV: ['batteries'],
      FV: ['batteries'],
      GN: ['engine'],
      HV: ['batteries+engine'],
      PE: ['batteries+engine'],
      UNKNOWN: ['engine'],
    });
  });

  it('a hybrid drives a part of the way with its engine at rest', () => {
    const shares = trips
      .filter(({ vin, speed }) => typeOf(vin) === 'HV' && speed.some((one) => one > 1))
      .map(({ powertrain, speed }) => {
        const moving = (powertrain.engine?.rpm ?? []).filter((_, i) => (speed[i] as number) > 1);
        return moving.filter((turning) => turning === 0).length / moving.length;
      });
    expect(mean(shares)).toBeGreaterThan(0.05);
    expect(mean(shares)).toBeLessThan(0.9);
  });
});
