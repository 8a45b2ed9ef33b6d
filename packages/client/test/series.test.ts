import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromRows, sampleTimes, signalsOf, type TripOf, timesOf, toColumns, toRows } from '../src/series/index.js';

const start = '2026-03-02T06:41:07.000Z';
const startTime = Date.parse(start);

function powertrain(rpm: readonly unknown[], more: object = {}): TripOf<'powertrain'> {
  // Answers of the service are not always what their types say.
  return { triggerStartTime: start, tripLength: 4_000, engine: { rpm }, ...more } as TripOf<'powertrain'>;
}

describe('the signals', () => {
  test('have the units, ranges and values of the contract', () => {
    expect(signalsOf('driving')).toEqual(operations.getDrivingData.series.signals);
    expect(signalsOf('powertrain')['engine.rpm'].unit).toBe('rpm');
  });
});

describe('sample times', () => {
  test('are spread evenly from the start, with a step of the trip length divided by the number of samples', () => {
    expect([...sampleTimes(startTime, 4_000, 4)]).toEqual([0, 1_000, 2_000, 3_000].map((ms) => startTime + ms));
    expect([...sampleTimes(startTime, 1_000, 3)].map((time) => Math.round(time - startTime))).toEqual([0, 333, 667]);
  });

  test('of no samples are none', () => {
    expect(sampleTimes(startTime, 1_000, 0)).toHaveLength(0);
  });
});

describe('columns', () => {
  test('hold numbers in typed arrays, with their unit, and values as texts', () => {
    const trip = {
      triggerStartTime: start,
      tripLength: 2_000,
      odometer: { value: [1, 2] },
      transmission: { gear: ['p', 'd'] },
    } as const;
    const { columns, ...rest } = toColumns('driving', trip as unknown as TripOf<'driving'>);
    expect(rest).toEqual({ series: 'driving', startTime, durationMs: 2_000, length: 2, unequalLengths: {} });
    const counts = { samples: 2, outOfRange: 0, sentinels: 0, missing: 0 };
    expect(columns).toEqual({
      'odometer.value': { kind: 'number', unit: 'km', values: Float64Array.of(1, 2), counts },
      'transmission.gear': { kind: 'enumeration', values: ['p', 'd'], counts },
    });
  });

  test('have no value where a sample is out of range, a sentinel, null or of another type, and count why', () => {
    const samples = [0, 16383.5, -0.1, 16383.6, 255, null, 'invalid', Number.NaN, 800];
    const { columns } = toColumns('powertrain', powertrain(samples), { sentinels: { 'engine.rpm': [255] } });
    expect([...(columns['engine.rpm']?.values ?? [])].map((value) => (Number.isNaN(value) ? null : value))).toEqual([
      0,
      16383.5,
      null,
      null,
      null,
      null,
      null,
      null,
      800,
    ]);
    expect(columns['engine.rpm']?.counts).toEqual({ samples: 9, outOfRange: 3, sentinels: 1, missing: 2 });
  });

  test('of values have none for "invalid", for an unknown text and for another type', () => {
    const trip = {
      triggerStartTime: start,
      tripLength: 1,
      isla: { optionUsm: ['warning', 'invalid', 'loud', null, 3] },
    };
    const { columns } = toColumns('driving', trip as unknown as TripOf<'driving'>);
    expect(columns['isla.optionUsm']).toEqual({
      kind: 'enumeration',
      values: ['warning', null, null, null, null],
      counts: { samples: 5, outOfRange: 1, sentinels: 1, missing: 2 },
    });
  });

  test('of unequal lengths are reported, and each has its own step', () => {
    const trip = powertrain([1, 2, 3, 4], { batteries: { hv: { voltage: [300, 310] } } });
    const columns = toColumns('powertrain', trip);
    expect(columns.length).toBe(4);
    expect(columns.unequalLengths).toEqual({ 'batteries.hv.voltage': 2 });
    expect([...timesOf(columns, 'batteries.hv.voltage')]).toEqual([startTime, startTime + 2_000]);
    expect([...timesOf(columns, 'engine.oilTemperature')]).toEqual([]);
  });

  test.each([
    ['no groups', {}],
    ['groups that are null', { engine: null, batteries: null }],
    ['groups of another type', { engine: 7, batteries: ['x'] }],
    ['samples that are no list', { engine: { rpm: 800 } }],
    ['a group from a prototype', { engine: Object.create({ rpm: [1] }) }],
  ])('of a trip with %s are none, and no error', (_, groups) => {
    const trip = { triggerStartTime: start, tripLength: 1, ...groups } as unknown as TripOf<'powertrain'>;
    expect(toColumns('powertrain', trip)).toMatchObject({ columns: {}, length: 0 });
  });
});

describe('rows', () => {
  test('show one moment each, with null where there is no value', () => {
    const trip = powertrain([800, -1, 900, 1_000], { batteries: { hv: { voltage: [300, 310] } } });
    expect(toRows(toColumns('powertrain', trip))).toEqual([
      { time: startTime, 'engine.rpm': 800, 'batteries.hv.voltage': 300 },
      { time: startTime + 1_000, 'engine.rpm': null, 'batteries.hv.voltage': 300 },
      { time: startTime + 2_000, 'engine.rpm': 900, 'batteries.hv.voltage': 310 },
      { time: startTime + 3_000, 'engine.rpm': 1_000, 'batteries.hv.voltage': 310 },
    ]);
  });

  test('and columns turn into each other without a loss', () => {
    const rpm = fc.oneof(fc.double({ min: 0, max: 16383.5, noNaN: true }), fc.constant(null));
    fc.assert(
      fc.property(
        fc.array(rpm, { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 1, max: 1e7 }),
        (samples, tripLength) => {
          const trip = powertrain(samples, { tripLength });
          const back = fromRows('powertrain', toRows(toColumns('powertrain', trip)), tripLength);
          expect(back).toEqual(trip);
        },
      ),
    );
  });
});
