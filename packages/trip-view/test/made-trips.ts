import { type SeriesName, type SignalRule, signalsOf } from '@vehicle-data/client/series';
import type { TripRecord } from '../src/index.ts';

/** Numbers that look random and are the same in each run. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A trip as the API sends it, with a sample a second of every signal of the contract, within its range. */
export function madeTrip(series: SeriesName, start: string, samples: number, seed: number): Record<string, unknown> {
  return tripWith(Object.entries(signalsOf(series)), start, samples, seed);
}

/** One signal of a trip alone, for a page that is about something else than lanes. */
export function smallTrip(series: SeriesName, start: string, samples: number, seed: number): Record<string, unknown> {
  const only = series === 'driving' ? 'odometer.value' : 'engine.rpm';
  const signals = Object.entries<SignalRule>(signalsOf(series)).filter(([path]) => path === only);
  return tripWith(signals, start, samples, seed);
}

function tripWith(
  signals: readonly (readonly [path: string, rule: SignalRule])[],
  start: string,
  samples: number,
  seed: number,
): Record<string, unknown> {
  const random = randomOf(seed);
  const trip: Record<string, unknown> = { triggerStartTime: start, tripLength: samples * 1000 };
  for (const [path, rule] of signals) put(trip, path, samplesOf(rule, samples, random));
  return trip;
}

function samplesOf(rule: SignalRule, samples: number, random: () => number): (number | string)[] {
  if (rule.kind === 'enumeration') {
    const usable = rule.values.filter((value) => value !== 'invalid');
    return Array.from({ length: samples }, (_, index) => usable[Math.floor((index / samples) * usable.length)] ?? '');
  }
  const [low, high] = [rule.minimum ?? 0, rule.maximum ?? 1];
  let at = low + (high - low) * random();
  // An odometer: one that jumps would be of a trip with missing samples.
  if (rule.unit === 'km') return Array.from({ length: samples }, (_, index) => Math.round(at * 10 + index / 9) / 10);
  return Array.from({ length: samples }, () => {
    at = Math.min(high, Math.max(low, at + (high - low) * (random() - 0.5) * 0.05));
    return Math.min(high, Math.max(low, Math.round(at * 100) / 100));
  });
}

/** Puts samples at a dotted path of a trip. */
export function put(trip: Record<string, unknown>, path: string, samples: unknown): void {
  const [name = '', ...rest] = path.split('.');
  const inner: Record<string, unknown> = Object.assign({}, trip[name]);
  if (rest.length > 0) put(inner, rest.join('.'), samples);
  trip[name] = rest.length > 0 ? inner : samples;
}

const starts = [
  '2026-03-04T06:54:10.000Z',
  '2026-03-04T16:41:56.000Z',
  '2026-03-05T07:02:00.000Z',
  '2026-03-07T10:00:00.000Z',
];

/** Both series of four trips of a vehicle; the last one is provisional. */
export function madeRecords(vehicle: string, samples = 600): TripRecord[] {
  return starts.flatMap((start, index) =>
    (['driving', 'powertrain'] as const).map((series) => ({
      vehicle,
      series,
      trip: madeTrip(series, start, samples + index * 60, index * 7 + series.length),
      provisional: index === starts.length - 1,
    })),
  );
}

/** Records whose first trip has everything that a reader should be warned of. */
export function damagedRecords(vehicle: string): TripRecord[] {
  const records = madeRecords(vehicle);
  const [driving, powertrain] = records.map(({ trip }) => trip as Record<string, Record<string, unknown[]>>);
  const rpm = powertrain?.['engine']?.['rpm'];
  const oil = powertrain?.['engine']?.['oilTemperature'];
  if (rpm) [rpm[100], rpm[300]] = [20_000, -5];
  oil?.fill(null, 400, 440);
  const usm = driving?.['isla']?.['optionUsm'];
  if (usm) usm[200] = 'invalid';
  if (driving) put(driving, 'seatbelt.driver', ['unbelted', 'belted']);
  return records;
}

const one = (vehicle: string, members: object): TripRecord => {
  const trip = { triggerStartTime: '2026-03-04T06:00:00.000Z', tripLength: 60_000, ...members };
  return { vehicle, series: 'powertrain', trip };
};
/** Records that are not as expected, and what the page says of each. */
export const badRecords: readonly (readonly [TripRecord, RegExp])[] = [
  [one('no signals', {}), /has a start and no signals/],
  [one('empty arrays', { engine: { rpm: [] } }), /Every array of this trip is empty/],
  [one('one sample', { engine: { rpm: [900] } }), /1 sample/],
  [one('nothing but null', { engine: { rpm: [null, null] } }), /2 missing/],
  [{ vehicle: 'no object', series: 'driving', trip: 'x' }, /1 of 1 trips have no readable start time/],
  [one('negative length', { engine: { rpm: [1, 2] }, tripLength: -5 }), /no stated length/],
  [one('endless', { engine: { rpm: [1, 2] }, tripLength: 9.2e18 }), /Samples per signal/],
  [one('no such year', { triggerStartTime: '9999-12-31T23:59:59Z' }), /1 of 1 trips have no readable start time/],
  [one('wrong types', { engine: 7, batteries: { hv: { voltage: 'high' } } }), /has a start and no signals/],
  [one('<img src=x onerror=alert(1)>', { engine: { rpm: [1, 2] } }), /<img src=x onerror=alert\(1\)>/],
];

/** A trip as the API sends it: off to 72 km/h at 0.2 g, on for so many seconds, and to a halt with a deceleration. */
export function drivenTrip(start: string, seconds: number, brakingG: number): Record<string, unknown> {
  const gravity = 9.80665;
  const top = 0.2 * gravity * 10;
  const brakes = Math.ceil(top / (brakingG * gravity));
  const longitudinal = [
    0,
    ...Array(10).fill(0.2),
    ...Array(seconds).fill(0),
    ...Array(brakes)
      .fill(top / gravity / brakes)
      .map((g: number) => -g),
    ...Array(20).fill(0),
  ];
  let [speed, meters] = [0, 0];
  const odometer = longitudinal.map((g: number) => {
    meters += speed + (g * gravity) / 2;
    speed += g * gravity;
    return Math.floor(120_000 + meters / 100) / 10;
  });
  return {
    triggerStartTime: start,
    tripLength: longitudinal.length * 1000,
    acceleration: { longitudinal },
    odometer: { value: odometer },
  };
}
