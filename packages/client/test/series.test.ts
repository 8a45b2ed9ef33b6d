import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gaps,
  joinTrips,
  minMax,
  points,
  resample,
  SeriesError,
  signalsOf,
  summary,
  type TripOf,
  toColumns,
  toCsv,
  toNdjson,
  toRows,
  usualStep,
} from '../src/series/index.js';

const start = '2026-03-02T06:41:07.000Z';
const startTime = Date.parse(start);
const second = { usualStepMs: 1_000 };
const four = [1, 2, 3, 4];

/** Responses of the service are not always what their types say, so a test may put anything into a trip. */
const powertrain = (rpm: unknown, more: object = {}) =>
  ({ triggerStartTime: start, tripLength: 4_000, engine: { rpm }, ...more }) as TripOf<'powertrain'>;
const driving = (more: object) => ({ triggerStartTime: start, tripLength: 4_000, ...more }) as TripOf<'driving'>;

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

test('signals have the units, ranges and values of the contract', () => {
  expect(signalsOf('driving')).toEqual(operations.getDrivingData.series.signals);
});

describe('columns', () => {
  test('hold numbers in typed arrays with their unit, and enumerations as texts', () => {
    const trip = driving({ odometer: { value: [1, 2] }, transmission: { gear: ['p', 'd'] } });
    const { columns, ...rest } = toColumns('driving', trip);
    expect(rest).toEqual({ series: 'driving', startTime, durationMs: 4_000, length: 2 });
    const counts = { samples: 2, outOfRange: 0, sentinels: 0, missing: 0 };
    const time = { timeBasis: 'unknown', stepMs: null };
    expect(columns).toEqual({
      'odometer.value': { kind: 'number', unit: 'km', values: Float64Array.of(1, 2), counts, ...time },
      'transmission.gear': { kind: 'enumeration', values: ['p', 'd'], counts, ...time },
    });
  });

  test('have no value for a sample that is out of range, a sentinel, null or of another type, and count why', () => {
    const samples = [0, 16383.5, -0.1, 16383.6, null, 'invalid', Number.NaN, 800];
    const { NaN: none } = Number;
    expect(toColumns('powertrain', powertrain(samples)).columns['engine.rpm']).toMatchObject({
      values: Float64Array.of(0, 16383.5, none, none, none, none, none, 800),
      counts: { samples: 8, outOfRange: 2, sentinels: 0, missing: 3 },
    });
    const trip = driving({ isla: { optionUsm: ['warning', 'invalid', 'loud', null, 3] } });
    expect(toColumns('driving', trip).columns['isla.optionUsm']).toMatchObject({
      values: ['warning', null, null, null, null],
      counts: { samples: 5, outOfRange: 1, sentinels: 1, missing: 2 },
    });
  });

  test.each([
    { story: 'no groups', groups: {} },
    { story: 'groups that are null', groups: { engine: null, batteries: null } },
    { story: 'a group from a prototype', groups: { engine: Object.create({ rpm: [1] }) } },
    { story: 'signals that are null', groups: { engine: { rpm: null } } },
  ])('of a trip without signals are none: $story', ({ groups }) => {
    expect(toColumns('powertrain', powertrain(undefined, groups))).toMatchObject({ columns: {}, length: 0 });
  });

  test.each([800, { value: [800] }])('of %j in place of a list have one sample without a value', async (rpm) => {
    const trip = powertrain(rpm);
    const counts = { samples: 1, outOfRange: 0, sentinels: 0, missing: 1 };
    const { columns } = toColumns('powertrain', trip);
    expect(columns['engine.rpm']).toMatchObject({ values: Float64Array.of(Number.NaN), counts });
    const text = await textOf(toCsv('powertrain', [trip], { signals: ['engine.rpm'] }));
    expect(text).toContain(`\n${start},4000,1,0,,unknown,\n`);
  });

  test.each([
    { triggerStartTime: 'soon' },
    // Without a zone, it would be a time of the machine's.
    { triggerStartTime: '2026-03-02T06:41:07.000' },
    { tripLength: null },
    { tripLength: -1 },
    { tripLength: Number.NaN },
  ])('of a trip with %j have no times', (more) => {
    const read = toColumns('powertrain', powertrain(four, more), { ...second, assumeEven: true });
    expect(read.columns['engine.rpm']?.timeBasis).toBe('unknown');
    expect(points(read, 'engine.rpm')[3]).toEqual({ index: 3, time: null, value: 4 });
  });
});

const trip = toColumns('powertrain', powertrain(four), second);
test.each<[string, () => unknown]>([
  // @ts-expect-error a name that is no signal, as untyped code may pass it
  ['a signal', () => points(trip, 'engine.RPM')],
  // @ts-expect-error no such series
  ['a series', () => toColumns('engine', {})],
  // @ts-expect-error no such way
  ['a way to align', () => toRows(trip, { align: 'nearest' })],
  // @ts-expect-error no such signal
  ['a signal of CSV', () => textOf(toCsv('powertrain', [], { signals: ['engine.RPM'] }))],
  ['a step', () => resample(trip, { everyMs: 1e-9, align: 'hold' })],
  ['no buckets', () => minMax([1], 0)],
])('%s that does not exist is a typed error that does not repeat the wrong one', async (_, run) => {
  const call = async () => run();
  const error: unknown = await call().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SeriesError);
  expect(`${error}`).not.toContain('RPM');
});

describe('the time basis', () => {
  const basis = (trip: TripOf<'driving'>, options: object = second) =>
    Object.fromEntries(
      Object.entries(toColumns('driving', trip, options).columns).map(([path, column]) => [path, column?.timeBasis]),
    );
  const even = driving({ steeringWheel: { angle: four }, acceleration: { longitudinal: four } });
  const uneven = driving({ steeringWheel: { angle: four }, acceleration: { longitudinal: [0, 0] } });
  const ofBoth = (timeBasis: string) => ({ 'steeringWheel.angle': timeBasis, 'acceleration.longitudinal': timeBasis });

  test('is assumed-even for the usual step and a second signal of equal length', () => {
    // A list of changes: to stretch it would say "unbelted for half of the trip".
    const trip = { ...even, seatbelt: { driver: ['unbelted' as const, 'belted' as const] } };
    expect(basis(trip)).toEqual({ ...ofBoth('assumed-even'), 'seatbelt.driver': 'unknown' });
    const read = toColumns('driving', trip, second);
    expect(points(read, 'steeringWheel.angle')[3]).toEqual({ index: 3, time: startTime + 3_000, value: 4 });
    expect(points(read, 'seatbelt.driver')[1]).toEqual({ index: 1, time: null, value: 'belted' });
  });

  test.each<{ story: string; trip: TripOf<'driving'>; options: object; expected: string }>([
    { story: 'a number of samples that no second signal has', trip: uneven, options: second, expected: 'unknown' },
    { story: 'the same, where you say so', trip: uneven, options: { assumeEven: true }, expected: 'assumed-even' },
    { story: 'no usual step', trip: even, options: {}, expected: 'unknown' },
    { story: 'another step', trip: even, options: { usualStepMs: 980 }, expected: 'unknown' },
    { story: 'almost the usual step', trip: even, options: { usualStepMs: 985 }, expected: 'assumed-even' },
  ])('for $story', ({ trip, options, expected }) => {
    expect(basis(trip, options)).toEqual(ofBoth(expected));
  });

  /** A trip of a car that drives 50 km/h, with a sample a second but for those that are missing in the middle. */
  const drive = (seconds: number, missing: number) => {
    const value = Array.from({ length: seconds }, (_, index) => 1_000 + Math.floor(index / 7.2) / 10);
    value.splice((seconds - missing) >> 1, missing);
    return driving({ tripLength: seconds * 1_000, odometer: { value }, steeringWheel: { angle: value } });
  };
  const basisOf = (trip: TripOf<'driving'>, usualStepMs: number | null) =>
    toColumns('driving', trip, { usualStepMs }).columns['steeringWheel.angle'];

  test('is unknown for a trip that lost a minute, however long it is', () => {
    const others = [600, 900, 3_000].map((seconds) => drive(seconds, 0));
    for (const seconds of [300, 900, 3_600, 36_000]) {
      const trip = drive(seconds, 60);
      const usualStepMs = usualStep('driving', [...others, trip]);
      expect(usualStepMs).toBe(1_000);
      expect(basisOf(trip, usualStepMs)).toMatchObject({ timeBasis: 'unknown', stepMs: null, unaccountedMs: 60_000 });
    }
    for (const trip of others)
      expect(basisOf(trip, 1_000)).toMatchObject({ timeBasis: 'assumed-even', unaccountedMs: 0 });
  });

  test('is unknown for every trip of a vehicle that loses a minute in each', () => {
    const trips = [600, 900, 1_200, 1_500, 3_000].map((seconds) => drive(seconds, 60));
    expect(usualStep('driving', trips)).toBeNull();
  });

  test('is unknown where the odometer jumps, though the samples fill the length', () => {
    const even = Array.from({ length: 600 }, (_, index) => 1_000 + Math.floor(index / 7.2) / 10);
    const tripOf = (value: unknown[]) =>
      driving({ tripLength: 600_000, odometer: { value }, steeringWheel: { angle: even } });
    const jump = (km: number) => tripOf(even.map((value, index) => (index < 300 ? value : value + km)));
    expect(basisOf(jump(0.8), 1_000)?.timeBasis).toBe('unknown');
    expect(basisOf(jump(0.1), 1_000)?.timeBasis).toBe('assumed-even');
    // What was not sent leaves room to drive, and what is out of range says nothing.
    const gap = even.map((value, index) => (index < 300 ? value : index < 310 ? null : value + 0.8));
    expect(basisOf(tripOf(gap), 1_000)?.timeBasis).toBe('assumed-even');
    expect(basisOf(tripOf(even.with(300, 9e9)), 1_000)?.timeBasis).toBe('assumed-even');
  });

  test("is assumed-even for the only numeric signal of a trip, an electric car's voltage", () => {
    const trip = powertrain(undefined, { batteries: { hv: { voltage: four } } });
    expect(toColumns('powertrain', trip, second).columns['batteries.hv.voltage']?.timeBasis).toBe('assumed-even');
  });

  test('rests on the step that most of three trips or more have in common', () => {
    const trips = [powertrain(four), powertrain([1, 2]), powertrain(four), powertrain([]), powertrain(four)];
    expect(usualStep('powertrain', trips)).toBe(1_000);
    // One sample more or less is no other step.
    const lengths = [600, 900, 1_200].map((n) => powertrain(Array(n).fill(800), { tripLength: n * 1_000 + 700 }));
    expect(usualStep('powertrain', lengths)).toBeCloseTo(1_000, -1);
    // Two of these have samples.
    expect(usualStep('powertrain', [...trips.slice(0, 2), powertrain([])])).toBeNull();
  });
});

describe('rows', () => {
  const unequal = powertrain([800, -1, 900, 1_000], { batteries: { hv: { voltage: [300, 310] } } });

  test('join only signals of equal length; other lengths have rows of their own', () => {
    const setOf = (signal: string, values: readonly unknown[]) => {
      const rows = values.map((value, index) => ({ index, time: null, [signal]: value }));
      return { signals: [signal], timeBasis: 'unknown', align: null, rows };
    };
    expect(toRows(toColumns('powertrain', unequal))).toEqual([
      setOf('engine.rpm', [800, null, 900, 1_000]),
      setOf('batteries.hv.voltage', [300, 310]),
    ]);
  });

  test('stretch a shorter signal only when asked for by name, and say so', () => {
    const trip = toColumns('powertrain', unequal, { assumeEven: true });
    const voltages = (align: 'hold' | 'linear') =>
      toRows(trip, { align })[0]?.rows.map((row) => row['batteries.hv.voltage']);
    expect(voltages('hold')).toEqual([300, 300, 310, 310]);
    expect(voltages('linear')).toEqual([300, 305, 310, null]);
    expect(toRows(trip, { align: 'hold' })).toMatchObject([{ align: 'hold', timeBasis: 'assumed-even' }]);
  });

  test('at a fixed step leave out what has no times, and name it', () => {
    expect(resample(toColumns('powertrain', unequal, second), { everyMs: 500, align: 'hold' })).toMatchObject({
      rows: [],
      leftOut: expect.arrayContaining(['engine.rpm']),
    });
    const even = toColumns('powertrain', powertrain([0, 100, null, 300]), second);
    const { rows, signals, leftOut } = resample(even, { everyMs: 500, align: 'linear' });
    expect({ signals, leftOut }).toEqual({ signals: ['engine.rpm'], leftOut: [] });
    // Nothing is made up beside a sample without a value.
    expect(rows.map((row) => row['engine.rpm'])).toEqual([0, 50, 100, null, null, null, 300, null]);
    expect(rows[3]?.time).toBe(startTime + 1_500);
    expect(resample(even, { everyMs: 2_500, align: 'hold' }).rows.map((row) => row['engine.rpm'])).toEqual([0, null]);
  });
});

test('held samples are those of the exact moment, whatever the step', () => {
  const [length, count] = [fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 8_000 })];
  const isExact = (tripLength: number, samples: number, everyMs: number) => {
    const value = Array.from({ length: samples }, (_, index) => index);
    const trip = toColumns('driving', driving({ tripLength, odometer: { value } }), { assumeEven: true });
    const { rows } = resample(trip, { everyMs, align: 'hold' });
    // In whole numbers, which do not round.
    const exact = rows.map(({ index }) => Number((BigInt(index * everyMs) * BigInt(samples)) / BigInt(tripLength)));
    expect(rows.map((row) => row['odometer.value'])).toEqual(exact);
    expect(rows.at(-1)?.time).toBe(startTime + (rows.length - 1) * everyMs);
  };
  fc.assert(fc.property(length, count, fc.integer({ min: 200, max: 5_000 }), isExact), { numRuns: 50 });
  isExact(1_000, 100, 30);
  isExact(754_300, 7_543, 300);
});

describe('decimation', () => {
  const values = fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(Number.NaN)), {
    maxLength: 300,
  });
  const isSorted = (kept: readonly number[]) => kept.every((index, at) => at === 0 || index > (kept[at - 1] ?? index));

  test('by minimum and maximum hides no peak and no gap, whatever the width', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 80 }), (samples, buckets) => {
        const kept = [...minMax(samples, buckets)];
        expect(isSorted(kept)).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(5 * buckets + 2);
        const valid = samples.filter((value) => !Number.isNaN(value));
        const drawn = kept.map((index) => samples[index] ?? 0).filter((value) => !Number.isNaN(value));
        expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([Math.min(...valid), Math.max(...valid)]);
        // Between two samples drawn side by side there is none without a value.
        for (let at = 1; at < kept.length; at += 1) {
          const between = samples.slice(kept[at - 1], (kept[at] ?? 0) + 1);
          const isLine = [between[0], between.at(-1)].every((value) => !Number.isNaN(value));
          expect(isLine && between.some(Number.isNaN)).toBe(false);
        }
      }),
    );
    expect([...minMax([1, 2, 3], 10)]).toEqual([0, 1, 2]);
  });
});

test('gaps are the runs of samples without a value', () => {
  const read = toColumns('powertrain', powertrain([null, 1, -5, 'x']), second);
  expect(gaps(read, 'engine.rpm')).toEqual([
    { from: 0, to: 1, startTime, endTime: startTime + 1_000 },
    { from: 2, to: 4, startTime: startTime + 2_000, endTime: startTime + 4_000 },
  ]);
  expect(gaps(read, 'engine.oilTemperature')).toEqual([]);
});

test('the summary has distance, minimum, mean, maximum and the share of samples without a value', () => {
  const trip = driving({
    odometer: { value: [100, null, 100.5, 1e9] },
    transmission: { gear: ['p', 'd', 'd', 'warp'] },
  });
  const { signals, ...rest } = summary(toColumns('driving', trip));
  expect(rest).toEqual({ startTime, durationMs: 4_000, distance: { value: 0.5, unit: 'km' } });
  const range = { min: 100, mean: 100.25, max: 100.5 };
  expect(signals['odometer.value']).toMatchObject({ ...range, missingShare: 0.5, outOfRangeShare: 0.25 });
  expect(signals['transmission.gear']).toMatchObject({ values: { p: 1, d: 2 }, missingShare: 0.25 });
});

test.for([[], [5], [null, 5], [-98_204_024, 5], [5, 0, 6]].map((value) => ({ value })))(
  'readings that give no distance: $value',
  ({ value }) => {
    expect(summary(toColumns('driving', driving({ odometer: { value } }))).distance).toBeNull();
  },
);

test('driving and powertrain trips are joined by their start, and by their length where starts repeat', () => {
  const at = (minute: number, tripLength = 1) => ({ triggerStartTime: `2026-03-02T06:0${minute}:00.000Z`, tripLength });
  const joined = joinTrips([at(3), at(1), at(2, 5), at(2, 6)], [at(2, 6), at(2, 5), at(1), at(4)]);
  expect(joined.map((pair) => [pair.driving, pair.powertrain])).toEqual([
    [at(1), at(1)],
    [at(2, 5), at(2, 5)],
    [at(2, 6), at(2, 6)],
    [at(3), null],
    [null, at(4)],
  ]);
  // Equal lengths find each other before what is left is paired.
  expect(joinTrips([at(1, 10), at(1, 20)], [at(1, 15), at(1, 10)])).toMatchObject([
    { driving: at(1, 10), powertrain: at(1, 10) },
    { driving: at(1, 20), powertrain: at(1, 15) },
  ]);
  const broken = { triggerStartTime: 'x', tripLength: 1 };
  expect(joinTrips([broken], [broken])).toHaveLength(2);
});

describe('text', () => {
  test('as CSV has units in the header, a row a sample, and nothing in the cells of other lengths', async () => {
    const trip = powertrain([800, null], { tripLength: 2_000, batteries: { hv: { voltage: [300] } } });
    const signals = ['batteries.hv.voltage', 'engine.rpm'] as const;
    expect(await textOf(toCsv('powertrain', [trip], { ...second, signals }))).toBe(
      `trip_start,trip_length_ms,samples,index,time_assumed,time_basis,batteries.hv.voltage (V),engine.rpm (rpm)
${start},2000,2,0,,unknown,,800
${start},2000,2,1,,unknown,,
${start},2000,1,0,,unknown,300,
`,
    );
    const ofShort = toCsv('powertrain', [trip, powertrain(four)], { ...second, signals: ['batteries.hv.voltage'] });
    expect((await textOf(ofShort)).split('\n').slice(1)).toEqual([`${start},2000,1,0,,unknown,300`, '']);
    const ofOne = toCsv('powertrain', [powertrain(four)], { ...second, signals: ['engine.rpm'] });
    expect(await textOf(ofOne)).toContain(`\n${start},4000,4,0,${start},assumed-even,1\n`);
  });

  test('as CSV has no time where a length leads beyond every date', async () => {
    const trip = powertrain([800, 900], { tripLength: 1e17 });
    const text = await textOf(toCsv('powertrain', [trip], { assumeEven: true, signals: ['engine.rpm'] }));
    expect(text.split('\n').slice(1, 3)).toEqual([
      `${start},100000000000000000,2,0,${start},assumed-even,800`,
      `${start},100000000000000000,2,1,,assumed-even,900`,
    ]);
  });

  test('as NDJSON is the trips as sent, read one at a time', async () => {
    const trip = powertrain([1677721.4, -4.177, null], { unknownMember: { x: 1 } });
    let read = 0;
    async function* trips() {
      for (; read < 3; read += 1) yield trip;
    }
    const lines = toNdjson(trips());
    expect(JSON.parse((await lines.next()).value ?? '')).toEqual(trip);
    expect(read).toBe(0);
    expect((await textOf(lines)).split('\n')).toHaveLength(3);
  });
});
