import { vssNames } from '@vehicle-data/openapi';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  SeriesError,
  type SeriesName,
  type SignalRule,
  signalsOf,
  type TripOf,
  toColumns,
  toVss,
  type VssName,
  vssNamesOf,
} from '../src/series/index.js';

/** What of a number comes back from VSS at worst, in the unit of the contract, where it is not all of it. */
const losses: Readonly<Record<string, number>> = {
  // int16 degrees: to the nearest degree.
  'steeringWheel.angle': 0.5,
};

const tripWith = (path: string, samples: readonly unknown[]) => {
  const trip = path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), samples);
  return { triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 4_000, ...Object(trip) };
};
const convert = (series: SeriesName, path: string, samples: readonly unknown[]) => {
  // The path is one of the series.
  const trip = tripWith(path, samples) as TripOf<typeof series>;
  const columns: Readonly<Record<string, { values: readonly unknown[] } | undefined>> = toVss(
    toColumns(series, trip),
  ).columns;
  return Object.values(columns)[0]?.values ?? [];
};
const everySignal = (['driving', 'powertrain'] as const).flatMap((series) =>
  Object.entries<SignalRule>(signalsOf(series)).map(([path, rule]) => ({ series, path, rule })),
);

test.each(everySignal)(
  'a signal comes back from VSS, but for what is stated: $series, $path',
  ({ series, path, rule }) => {
    const names: Readonly<Record<string, VssName | undefined>> = vssNamesOf(series);
    const name = names[path];
    if (name === undefined) throw new Error('the signal has no name');
    if (rule.kind === 'enumeration') {
      const values = convert(series, path, rule.values);
      const back = values.map((value) => Object.entries(name.values ?? {}).find(([, to]) => to === value)?.[0]);
      expect(back).toEqual(rule.values);
      expect(values.filter((value) => value === null)).toHaveLength(rule.values.includes('invalid') ? 1 : 0);
      return;
    }
    const { minimum, maximum } = rule;
    if (minimum === null || maximum === null) throw new Error('the signal has no range');
    const step = (maximum - minimum) / 997;
    const samples = [minimum, maximum, ...Array.from({ length: 996 }, (_, index) => minimum + (index + 1) * step)]
      // In the tenths that the service sends.
      .map((value) => Math.round(value * 10) / 10)
      .filter((value) => value >= minimum && value <= maximum);
    const values = convert(series, path, samples);
    const loss = losses[path] ?? 0;
    for (const [index, value] of values.entries()) {
      const back = Number(value) / (name.factor ?? 1);
      expect(Math.abs(back - (samples[index] ?? 0))).toBeLessThanOrEqual(loss + Math.abs(back) * 1e-15);
    }
    const whole = values.every((value) => Number.isInteger(value));
    if (name.datatype.includes('int')) expect(whole).toBe(true);
    expect(convert(series, path, [minimum - 1, maximum + 1, null, 'x', Number.NaN])).toEqual(new Array(5).fill(null));
  },
);

describe('the conversions that surprise', () => {
  test('an odometer of kilometers is one of whole meters, up to its end', () => {
    expect(convert('driving', 'odometer.value', [0, 23456.7, 1677721.4])).toEqual([0, 23456700, 1677721400]);
  });

  test('g is standard gravity, since the g of VSS is a gram', () => {
    expect(convert('driving', 'acceleration.longitudinal', [1, -0.5])).toEqual([9.80665, -4.903325]);
  });

  test('an angle is rounded to whole degrees, halves up', () => {
    const angles = [0.4, 0.5, -0.5, -0.6, 41.8, -3276.8, 3276.7];
    expect(convert('driving', 'steeringWheel.angle', angles)).toEqual([0, 1, 0, -1, 42, -3277, 3277]);
  });

  test('gears are numbers, belts are true or false, ignition is a state of the low-voltage system', () => {
    expect(convert('driving', 'transmission.gear', ['p', 'r', 'n', 'd'])).toEqual([126, -1, 0, 127]);
    expect(convert('driving', 'seatbelt.driver', ['belted', 'unbelted', null])).toEqual([true, false, null]);
    expect(convert('driving', 'ignition.status', ['on', 'off'])).toEqual(['ON', 'OFF']);
    expect(convert('driving', 'isla.optionUsm', ['none', 'invalid'])).toEqual(['NONE', null]);
  });
});

test('a trip keeps its times and counts, and says which catalogue its names are of', () => {
  const trip = tripWith('engine.rpm', [800, 99_999]) as TripOf<'powertrain'>;
  const { columns, ...head } = toVss(toColumns('powertrain', trip, { assumeEven: true }));
  const startTime = Date.parse('2026-03-02T06:41:07.000Z');
  expect(head).toEqual({ catalogue: '6.0', series: 'powertrain', startTime, tripDuration: 4 });
  expect(columns['Vehicle.Powertrain.CombustionEngine.Speed']).toEqual({
    datatype: 'float',
    unit: 'rpm',
    values: [800, null],
    timeBasis: 'assumed-even',
    stepMs: 2_000,
    counts: { samples: 2, outOfRange: 1, sentinels: 0, missing: 0 },
  });
});

test('names are those of the contract, and their values have types', () => {
  expect(vssNamesOf('driving')).toEqual(vssNames.series.driving);
  expect(() => vssNamesOf('horn' as 'driving')).toThrow(SeriesError);
  const { columns } = toVss(toColumns('driving', tripWith('transmission.gear', ['d']) as TripOf<'driving'>));
  type ValuesOf<Path extends keyof typeof columns> = NonNullable<(typeof columns)[Path]>['values'];
  expectTypeOf<ValuesOf<'Vehicle.LowVoltageSystemState'>>().toEqualTypeOf<readonly ('ON' | 'OFF' | null)[]>();
  expectTypeOf<ValuesOf<'Vehicle.Powertrain.Transmission.SelectedGear'>>().toEqualTypeOf<
    readonly (126 | -1 | 0 | 127 | null)[]
  >();
  expectTypeOf<ValuesOf<'Vehicle.TraveledDistance'>>().toEqualTypeOf<readonly (number | null)[]>();
  expectTypeOf<ValuesOf<'Vehicle.Cabin.Seat.Row1.DriverSide.IsBelted'>>().toEqualTypeOf<readonly (boolean | null)[]>();
});
