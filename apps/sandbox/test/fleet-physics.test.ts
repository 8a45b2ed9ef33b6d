import { beforeAll, describe, expect, it } from 'vitest';
import { buildOf } from '../src/fleet/build.js';
import type { SandboxOptions } from '../src/index.js';
import { fleetVehicles, wholeFleet } from './calls.js';

// Everything here is judged from responses alone: what an application gets. Sensor noise is mostly off, so that rules are exact. Only a vehicle's
// build (gear ratios, wheelbase, steering ratio) is taken from the sandbox.

let trips: Awaited<ReturnType<typeof readTrips>> = [];
beforeAll(async () => {
  trips = await readTrips(fleetVehicles, { sensorNoise: false });
});

const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('a signal or vehicle is absent');
  return value;
};

/** Every trip of a week with both of its responses, and the speed in m/s that its acceleration adds up to. */
async function readTrips(vehicles: typeof fleetVehicles, options?: SandboxOptions) {
  const { get } = await wholeFleet('2026-06-30T12:00:00Z', options);
  const read = vehicles.map(async (vehicle) => {
    const tripsOf = async (series: string) =>
      (await get(vehicle.vin, `${series}/data?startDate=20260601&endDate=20260608`)).json.data.trips;
    const powertrains = await tripsOf('powertrains');
    return (await tripsOf('driving')).map((driving, index) => {
      const g = present(driving.acceleration?.longitudinal);
      let sum = 0;
      const speed = g.map((one) => {
        sum += one * 9.80665;
        return sum;
      });
      const gear = present(driving.transmission?.gear);
      return { vehicle, build: buildOf(1, vehicle), driving, powertrain: present(powertrains[index]), g, speed, gear };
    });
  });
  return (await Promise.all(read)).flat();
}

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
      expect([gear[0], gear.at(-1), belt[0], belt.at(-1)]).toEqual(['p', 'p', 'unbelted', 'unbelted']);
      expect(status.indexOf('off')).toBe(status.length - 1);
      moving += gear.filter((one) => one !== 'p').length;
      unbelted += broken(belt, (i) => gear[i] === 'p' || belt[i] === 'belted');
      expect(Math.abs(speed.at(-1) ?? 1)).toBeLessThan(0.01);
    }
    // Belts are forgotten now and then.
    expect(unbelted / moving).toBeGreaterThan(0.0005);
    expect(unbelted / moving).toBeLessThan(0.03);
  });

  it('moves in drive, backwards in reverse, not at all in park or neutral, and as fast as drivers do', () => {
    for (const { gear, speed, g } of trips) {
      const holds = (i: number) => {
        if (gear[i] === 'd') return at(speed, i) > -0.01;
        return gear[i] === 'r' ? at(speed, i) < 0.01 : Math.abs(at(speed, i)) < 0.01;
      };
      expect(broken(speed, holds)).toBe(0);
      expect(broken(g, (i) => at(g, i) < 0.8 && at(g, i) > -0.9 && at(speed, i) < 150 / 3.6)).toBe(0);
    }
    expect(trips.some(({ speed }) => speed.some((one) => one < -0.5))).toBe(true);
    expect(trips.some(({ gear }) => gear.includes('n'))).toBe(true);
  });
});

it('the odometer never runs back, grows by the integral of the speed, and continues where the last trip ended', () => {
  let [before, endsAt]: [unknown, number | undefined] = [undefined, undefined];
  for (const { vehicle, driving, speed } of trips) {
    const odometer = present(driving.odometer?.value);
    let meters = 0;
    const holds = (i: number) => {
      meters += Math.abs(at(speed, i - 1) + at(speed, i)) / 2;
      const grown = (at(odometer, i) - at(odometer, 0)) * 1000;
      // The odometer shows whole 100 m; the rounding of the acceleration adds a few meters on a long trip.
      return at(odometer, i) >= at(odometer, i - 1) && Math.abs(grown - meters) < 120 + meters / 1000;
    };
    expect(broken(odometer, holds)).toBe(0);
    if (vehicle === before) expect(odometer[0]).toBe(endsAt);
    [before, endsAt] = [vehicle, odometer.at(-1)];
  }
});

it('the steering turns the vehicle: yaw rate fits angle, speed and wheelbase, and the angle its own speed', () => {
  for (const { build, driving, speed } of trips) {
    const yaw = present(driving.angularVelocity?.yaw);
    const { angle = [], rotationSpeed = [] } = driving.steeringWheel ?? {};
    const turns = (i: number) => {
      const wheel = (at(angle, i) / build.steeringRatio / 180) * Math.PI;
      const mean = (at(speed, i) + at(speed, i - 1)) / 2;
      const expected = ((mean * Math.tan(wheel)) / build.wheelbaseMeters / Math.PI) * 180;
      return Math.abs(mean) <= 0.5 || Math.abs(at(yaw, i) - expected) <= 0.2 + 0.02 * Math.abs(expected);
    };
    const changes = (i: number) => Math.abs(at(rotationSpeed, i) - Math.abs(at(angle, i) - at(angle, i - 1))) < 2.0001;
    expect(broken(yaw, turns)).toBe(0);
    expect(broken(angle, (i) => i === 0 || changes(i))).toBe(0);
  }
  expect(trips.some(({ driving }) => driving.angularVelocity?.yaw?.some((rate) => rate > 10))).toBe(true);
});

describe('the engine', () => {
  it('turns as fast as speed and one of the gear ratios say, or idles; it rests before the start and after the end', () => {
    let inGear = 0;
    for (const { vehicle, build, powertrain, speed } of trips) {
      const { engine, wheelCircumferenceMeters } = build;
      const rpm = powertrain.engine?.rpm;
      if (!rpm || !engine) continue;
      const fits = (i: number) => {
        if (at(speed, i) < 4 || at(rpm, i) <= engine.idleRpm * 1.5) return true;
        const ratio = (at(rpm, i) * wheelCircumferenceMeters) / 60 / at(speed, i);
        inGear++;
        return engine.ratios.some((known) => Math.abs(ratio / known - 1) < 0.01);
      };
      expect([broken(rpm, fits), rpm[0], rpm.at(-1)]).toEqual([0, 0, 0]);
      // Without a battery it stops in between only at a halt.
      const runs = (i: number) => Math.abs(at(speed, i)) < 0.1 || at(rpm, i) > 500;
      if (vehicle.type === 'GN') expect(broken(rpm, runs)).toBe(0);
    }
    expect(inGear).toBeGreaterThan(25_000);
  });

  it('of a hybrid rests for a part of the way', () => {
    const moving = trips
      .filter(({ vehicle }) => vehicle.type === 'HV')
      .flatMap(({ powertrain, speed }) => (powertrain.engine?.rpm ?? []).filter((_, i) => at(speed, i) > 1));
    const share = moving.filter((turning) => turning === 0).length / moving.length;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.9);
  });

  it('warms its oil along a curve: quickly at first, then ever slower, to about 90 °C', () => {
    let warmed = 0;
    for (const { powertrain } of trips.filter(({ vehicle }) => vehicle.type === 'GN')) {
      const oil = present(powertrain.engine?.oilTemperature);
      expect(broken(oil, (i) => i === 0 || Math.abs(at(oil, i) - at(oil, i - 1)) <= 0.5)).toBe(0);
      expect(Math.max(...oil)).toBeLessThan(110);
      if (at(oil, 0) > 35 || oil.length < 1300) continue;
      const [first = 0, second = 0, third = 0] = [0, 360, 720].map((i) => at(oil, i + 360) - at(oil, i));
      expect(first > 25 && first > second && second > third).toBe(true);
      warmed++;
    }
    expect(warmed).toBeGreaterThan(5);
  });
});

it('the high-voltage battery sags under load, recovers, and loses charge on a long way', () => {
  const long = trips.filter(({ vehicle, driving }) => vehicle.type === 'EV' && driving.tripLength > 1_800_000);
  expect(long.length).toBeGreaterThan(5);
  for (const { powertrain, g, speed } of long) {
    const voltage = present(powertrain.batteries?.hv?.voltage);
    const mean = (is: (g: number) => boolean) => {
      const some = voltage.filter((_, i) => at(speed, i) > 6 && is(at(g, i)));
      return some.reduce((sum, one) => sum + one, 0) / some.length;
    };
    expect(mean((one) => one < -0.08)).toBeGreaterThan(mean((one) => one > 0.08) + 5);
    expect(voltage.at(-1)).toBeGreaterThan(Math.min(...voltage) + 5);
    expect(voltage.at(-1)).toBeLessThan(at(voltage, 0) - 1);
  }
});

it.each([
  { type: 'EV', groups: ['batteries'] },
  { type: 'FV', groups: ['batteries'] },
  { type: 'GN', groups: ['engine'] },
  { type: 'HV', groups: ['batteries', 'engine'] },
  { type: 'PE', groups: ['batteries', 'engine'] },
  { type: 'UNKNOWN', groups: ['engine'] },
])('a vehicle has the groups of its type: $type', ({ type, groups }) => {
  const found = trips.filter(({ vehicle }) => vehicle.type === type);
  const names = new Set(found.flatMap(({ powertrain }) => Object.keys(powertrain)));
  expect(names).toEqual(new Set(['triggerStartTime', 'tripLength', ...groups]));
});

it('sensor noise, which is on by default, shakes sensors while a vehicle moves and does not add up', async () => {
  const exact = trips.filter(({ vehicle }) => vehicle.type === 'HV');
  const noisy = await readTrips(fleetVehicles.filter(({ type }) => type === 'HV'));
  for (const { speed } of noisy) expect(Math.abs(speed.at(-1) ?? 1)).toBeLessThan(0.1);
  const moving = exact.flatMap(({ speed }) => speed.map((one) => one > 2));
  const signals: readonly ((trip: (typeof trips)[number]) => readonly number[] | undefined)[] = [
    ({ g }) => g,
    ({ driving }) => driving.angularVelocity?.yaw,
    ({ driving }) => driving.steeringWheel?.angle,
    ({ powertrain }) => powertrain.engine?.rpm,
    ({ powertrain }) => powertrain.batteries?.hv?.voltage,
  ];
  for (const signal of signals) {
    const [still = [], shaken = []] = [exact, noisy].map((all) => all.flatMap((trip) => present(signal(trip))));
    const changed = broken(moving, (i) => !moving[i] || still[i] === shaken[i]);
    expect(changed / moving.filter(Boolean).length).toBeGreaterThan(0.5);
  }
});
