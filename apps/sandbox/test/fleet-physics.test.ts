import { beforeAll, describe, expect, it } from 'vitest';
import { buildOf } from '../src/fleet/build.js';
import { fleetVehicles, wholeFleet } from './calls.js';

// Everything here is judged from responses alone: what an application gets. Sensor noise is off, so that rules are exact. Only a vehicle's build (gear ratios, wheelbase,
// steering ratio) is taken from the sandbox.

const gravity = 9.80665;
type WholeTrip = Awaited<ReturnType<typeof readTrips>>[number];
let trips: readonly WholeTrip[] = [];

const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('a signal or vehicle is absent');
  return value;
};

/** Every trip of a week with both of its responses, and the speed in m/s that its acceleration adds up to. */
async function readTrips() {
  const { get } = await wholeFleet('2026-06-30T12:00:00Z', { sensorNoise: false });
  const read = fleetVehicles.map(async (vehicle) => {
    const tripsOf = async (series: string) =>
      (await get(vehicle.vin, `${series}/data?startDate=20260601&endDate=20260608`)).json.data.trips;
    const [driving, powertrain] = [await tripsOf('driving'), await tripsOf('powertrains')];
    return driving.map((trip, index) => {
      const g = present(trip.acceleration?.longitudinal);
      let sum = 0;
      return {
        vehicle,
        build: buildOf(1, vehicle),
        driving: trip,
        g,
        powertrain: present(powertrain[index]),
        speed: g.map((one) => {
          sum += one * gravity;
          return sum;
        }),
        gear: present(trip.transmission?.gear),
        odometer: present(trip.odometer?.value),
        yaw: present(trip.angularVelocity?.yaw),
        angle: present(trip.steeringWheel?.angle),
        rotationSpeed: present(trip.steeringWheel?.rotationSpeed),
      };
    });
  });
  return (await Promise.all(read)).flat();
}

beforeAll(async () => {
  trips = await readTrips();
});

/** Counts the samples that break a rule: an expectation for each of millions of samples would take minutes. */
function broken(samples: ArrayLike<unknown>, holds: (i: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < samples.length; i++) if (!holds(i)) count++;
  return count;
}

const at = (samples: readonly number[], i: number): number => samples[i] ?? 0;

/** The length of every array below a value. */
function lengthsIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return [value.length];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(lengthsIn) : [];
}

describe('a trip', () => {
  it('is in both responses, and all of its arrays have one value a second', () => {
    expect(trips.length).toBeGreaterThan(150);
    for (const { driving, powertrain } of trips) {
      const { triggerStartTime, tripLength } = driving;
      expect(powertrain).toMatchObject({ triggerStartTime, tripLength });
      expect(new Set([...lengthsIn(driving), ...lengthsIn(powertrain)])).toEqual(new Set([tripLength / 1000]));
    }
  });

  it('begins and ends as people do: in park, at rest, ignition last off, belt on after the start and off before the end', () => {
    let [moving, unbelted] = [0, 0];
    for (const { driving, gear, speed } of trips) {
      const status = present(driving.ignition?.status);
      const belt = present(driving.seatbelt?.driver);
      expect([gear[0], gear.at(-1)]).toEqual(['p', 'p']);
      expect(status.indexOf('off')).toBe(status.length - 1);
      expect([belt[0], belt.at(-1)]).toEqual(['unbelted', 'unbelted']);
      moving += gear.filter((one) => one !== 'p').length;
      unbelted += broken(belt, (i) => gear[i] === 'p' || belt[i] === 'belted');
      expect(Math.abs(speed.at(-1) ?? 1)).toBeLessThan(0.01);
    }
    // Belts are forgotten now and then.
    expect(unbelted / moving).toBeGreaterThan(0.0005);
    expect(unbelted / moving).toBeLessThan(0.03);
  });

  it('moves in drive, backwards in reverse, and not at all in park or neutral', () => {
    for (const { gear, speed } of trips) {
      const holds = (i: number) => {
        if (gear[i] === 'd') return at(speed, i) > -0.01;
        return gear[i] === 'r' ? at(speed, i) < 0.01 : Math.abs(at(speed, i)) < 0.01;
      };
      expect(broken(speed, holds)).toBe(0);
    }
    expect(trips.some(({ speed }) => speed.some((one) => one < -0.5))).toBe(true);
    expect(trips.some(({ gear }) => gear.includes('n'))).toBe(true);
  });

  it('speeds up and brakes within what drivers do, and keeps below 150 km/h', () => {
    for (const { g, speed } of trips) {
      expect(Math.max(...g)).toBeLessThan(0.8);
      expect(Math.min(...g)).toBeGreaterThan(-0.9);
      expect(Math.max(...speed)).toBeLessThan(150 / 3.6);
    }
  });
});

describe('the odometer', () => {
  it('never runs back and grows by the integral of the speed', () => {
    for (const { odometer, speed } of trips) {
      let meters = 0;
      const holds = (i: number) => {
        meters += Math.abs(at(speed, i - 1) + at(speed, i)) / 2;
        const grown = (at(odometer, i) - at(odometer, 0)) * 1000;
        // The odometer shows whole 100 m; the rounding of the acceleration adds a few meters on a long trip.
        return at(odometer, i) >= at(odometer, i - 1) && Math.abs(grown - meters) < 120 + meters / 1000;
      };
      expect(broken(odometer, holds)).toBe(0);
    }
  });

  it('continues where the last trip ended, across trips and days', () => {
    for (const [index, { vehicle, odometer }] of trips.entries()) {
      const before = trips[index - 1];
      if (before?.vehicle === vehicle) expect(odometer[0]).toBe(before.odometer.at(-1));
    }
  });
});

describe('the steering', () => {
  it('turns the vehicle: yaw rate fits steering angle, speed and wheelbase', () => {
    for (const { build, yaw, angle, speed } of trips) {
      const holds = (i: number) => {
        const wheel = (at(angle, i) / build.steeringRatio / 180) * Math.PI;
        const mean = (at(speed, i) + at(speed, i - 1)) / 2;
        const expected = ((mean * Math.tan(wheel)) / build.wheelbaseMeters / Math.PI) * 180;
        return Math.abs(mean) <= 0.5 || Math.abs(at(yaw, i) - expected) <= 0.2 + 0.02 * Math.abs(expected);
      };
      expect(broken(yaw, holds)).toBe(0);
    }
    expect(trips.some(({ yaw }) => Math.max(...yaw) > 10)).toBe(true);
  });

  it('turns at the speed by which its angle changes', () => {
    for (const { angle, rotationSpeed } of trips) {
      const change = (i: number) => Math.abs(at(angle, i) - at(angle, i - 1));
      expect(broken(angle, (i) => i === 0 || Math.abs(at(rotationSpeed, i) - change(i)) < 2.0001)).toBe(0);
    }
  });
});

describe('the engine', () => {
  it('turns as fast as speed and one of the gear ratios say, or idles', () => {
    let inGear = 0;
    for (const { build, powertrain, speed } of trips) {
      const { engine, wheelCircumferenceMeters } = build;
      const rpm = powertrain.engine?.rpm ?? [];
      const holds = (i: number) => {
        if (!engine || at(speed, i) < 4 || at(rpm, i) <= engine.idleRpm * 1.5) return true;
        const ratio = (at(rpm, i) * wheelCircumferenceMeters) / 60 / at(speed, i);
        inGear++;
        return engine.ratios.some((known) => Math.abs(ratio / known - 1) < 0.01);
      };
      expect(broken(rpm, holds)).toBe(0);
    }
    expect(inGear).toBeGreaterThan(25_000);
  });

  it('is at rest before the start and after the end, and stops in between only where a vehicle can', () => {
    for (const { vehicle, powertrain, speed } of trips) {
      const rpm = powertrain.engine?.rpm;
      if (!rpm) continue;
      expect([rpm[0], rpm.at(-1)]).toEqual([0, 0]);
      if (vehicle.type !== 'GN') continue;
      expect(broken(rpm, (i) => Math.abs(at(speed, i)) < 0.1 || at(rpm, i) > 500)).toBe(0);
    }
  });

  it('warms its oil along a curve: quickly at first, then ever slower, to about 90 °C', () => {
    let warmed = 0;
    for (const { vehicle, powertrain } of trips) {
      if (vehicle.type !== 'GN') continue;
      const oil = present(powertrain.engine?.oilTemperature);
      expect(broken(oil, (i) => i === 0 || Math.abs(at(oil, i) - at(oil, i - 1)) <= 0.5)).toBe(0);
      expect(Math.max(...oil)).toBeLessThan(110);
      if (at(oil, 0) > 35 || oil.length < 1300) continue;
      const [first, second, third] = [0, 360, 720].map((i) => at(oil, i + 360) - at(oil, i));
      expect(first).toBeGreaterThan(25);
      expect(first).toBeGreaterThan(present(second));
      expect(second).toBeGreaterThan(present(third));
      warmed++;
    }
    expect(warmed).toBeGreaterThan(5);
  });
});

describe('the high-voltage battery', () => {
  const electric = () => trips.filter(({ vehicle }) => vehicle.type === 'EV');

  it('sags under load and recovers', () => {
    let [rises, falls] = [0, 0];
    for (const { powertrain, g, speed } of electric()) {
      const voltage = present(powertrain.batteries?.hv?.voltage);
      let pullingAt = -100;
      for (const [i, one] of g.entries()) {
        if (at(speed, i) < 6) continue;
        if (one > 0.08) pullingAt = i;
        else if (one < -0.08 && i - pullingAt < 15) {
          if (at(voltage, i) > at(voltage, pullingAt)) rises++;
          else falls++;
        }
      }
      if (!speed.some((one) => one > 5)) continue;
      const lowest = voltage.indexOf(Math.min(...voltage));
      expect(g[lowest]).toBeGreaterThan(-0.02);
      expect(voltage.at(-1)).toBeGreaterThan(at(voltage, lowest));
    }
    expect(falls).toBe(0);
    expect(rises).toBeGreaterThan(500);
  });

  it('loses charge on the way: a long trip of an electric car ends at a lower voltage at rest', () => {
    const long = electric().filter(({ driving }) => driving.tripLength > 1_800_000);
    expect(long.length).toBeGreaterThan(5);
    for (const { powertrain } of long) {
      const voltage = present(powertrain.batteries?.hv?.voltage);
      expect(voltage.at(-1)).toBeLessThan(at(voltage, 0) - 1);
    }
  });
});

describe('kinds of drive', () => {
  it.each([
    ['EV', ['batteries']],
    ['FV', ['batteries']],
    ['GN', ['engine']],
    ['HV', ['batteries', 'engine']],
    ['PE', ['batteries', 'engine']],
    ['UNKNOWN', ['engine']],
  ])('%s has the groups %j', (type, groups) => {
    const found = trips
      .filter(({ vehicle }) => vehicle.type === type)
      .flatMap(({ powertrain }) => Object.keys(powertrain));
    expect(new Set(found)).toEqual(new Set(['triggerStartTime', 'tripLength', ...groups]));
  });

  it('a hybrid drives a part of the way with its engine at rest', () => {
    const shares = trips
      .filter(({ vehicle, speed }) => vehicle.type === 'HV' && speed.some((one) => one > 1))
      .map(({ powertrain, speed }) => {
        const moving = (powertrain.engine?.rpm ?? []).filter((_, i) => at(speed, i) > 1);
        return moving.filter((turning) => turning === 0).length / moving.length;
      });
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(mean).toBeGreaterThan(0.05);
    expect(mean).toBeLessThan(0.9);
  });
});
