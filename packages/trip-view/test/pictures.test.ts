import { expect, test } from 'vitest';
import { colorOf, colors } from '../src/colors.ts';
import { readTrips, tripBraille, tripSvg } from '../src/index.ts';
import { badgesOf } from '../src/trip/badges.ts';
import { bandCodes, bandPieces } from '../src/trip/bands.ts';
import { calendar, tripsByDay } from '../src/trip/calendar.ts';
import { histogram } from '../src/trip/ranges.ts';
import { stacksOf } from '../src/trip/stacks.ts';
import { trace } from '../src/trip/trace.ts';
import { clockOf, durationInWords, valueInWords } from '../src/trip/words.ts';
import { colorDistance, sights } from './color-sight.ts';
import { badRecords, damagedRecords, madeRecords } from './made-trips.ts';

const [trip] = readTrips(damagedRecords('Car')).trips;
if (trip === undefined) throw new Error('no trip');

test('both series of a trip are one trip, and its samples have an assumed time that the other trips support', () => {
  // Each is sent twice.
  const { trips, problems } = readTrips([...madeRecords('Car'), ...madeRecords('Car')]);
  expect(problems).toEqual([]);
  expect(trips).toHaveLength(4);
  expect(trips[0]?.series).toEqual(['powertrain', 'driving']);
  expect(new Set(trips[0]?.signals.map(({ timeBasis }) => timeBasis))).toEqual(new Set(['assumed-even']));
  expect(trips.at(-1)?.provisional).toBe(true);
});

test('an array of another length stands on an index axis of its own and is never stretched over time', () => {
  const [time, index] = stacksOf(trip, 'time');
  expect(time?.axis).toBe('time');
  expect(time?.signals.map(({ path }) => path)).not.toContain('seatbelt.driver');
  const bands = [{ path: 'seatbelt.driver', timeBasis: 'unknown' }];
  expect(index).toMatchObject({ axis: 'index', extent: 2, lanes: [], bands });
});

test('signals of one unit and one part share a lane, and what the contract says of them is there', () => {
  const lanes = stacksOf(trip, 'time')[0]?.lanes ?? [];
  const signalsOf = (unit: string) => lanes.find((lane) => lane.unit === unit)?.signals ?? [];
  // The turn of the car and that of the wheel have one unit, and ranges that differ by a factor of 25.
  expect(signalsOf('°/s').map(({ path }) => path)).toEqual(['angularVelocity.yaw']);
  expect(signalsOf('rpm')).toMatchObject([{ minimum: 0, maximum: 16_383.5, description: 'Engine speed' }]);
});

test('signals that the contract calls the same are named by what they belong to', () => {
  const words = trip.signals.flatMap(({ path, description }) => (path.startsWith('isla.') ? [description] : []));
  expect(words).toEqual(
    ['optionUsm', 'optionUsm2'].map((name) => `Intelligent Speed Limit Assist options set by the driver: ${name}`),
  );
});

test('badges name everything that is not as expected', () => {
  expect(badgesOf(trip).map(({ label }) => label)).toEqual([
    '2 out of range',
    '40 missing',
    '1 marked as no value',
    'unequal lengths',
    'time partly unknown',
    'time assumed',
  ]);
});

test('a line never crosses a sample that is no value', () => {
  const path: string[] = [];
  const pen = { moveTo: (x: number) => path.push(`M${x}`), lineTo: (x: number) => path.push(`L${x}`) };
  const few = Float64Array.of(1, 2, Number.NaN, 4, Number.NaN, 6, 7);
  trace(pen, few, { from: 0, to: 6, left: 0, width: 60, xOf: (index) => index * 10, yOf: (value) => value });
  expect(path.join('')).toBe('M0L10M29L31M50L60');
  path.length = 0;
  const gap = Float64Array.from({ length: 400 }, (_, index) => (index < 101 || index > 199 ? index : Number.NaN));
  trace(pen, gap, { from: 0, to: 400, left: 0, width: 40, xOf: (index) => index / 10, yOf: (value) => value });
  const columns = path.map((step) => Number(step.slice(1)));
  expect(columns.filter((x) => x > 10.5 && x < 20.5)).toEqual([]);
  expect(new Set(columns).size).toBe(40 - 9);
});

test('a single sample among thousands is seen in its band, and a sample that is no value as well', () => {
  const values: (string | null)[] = new Array(10_000).fill('belted');
  values[5000] = 'unbelted';
  values[7000] = null;
  const allowed = ['belted', 'unbelted'];
  const pieces = bandPieces(bandCodes(values, allowed).codes, allowed, 0, 10_000, 300);
  expect(pieces.map((piece) => piece.values)).toEqual([['belted'], allowed, ['belted'], ['belted', null], ['belted']]);
});

test('a histogram counts every value once', () => {
  const values = Float64Array.of(0, 0.1, 0.2, 5, 9.99, 10, Number.NaN);
  const bins = histogram(values);
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(bins[0]?.low).toBe(0);
  expect(histogram(Float64Array.of(Number.NaN))).toEqual([]);
  expect(histogram(Float64Array.of(3, 3))).toMatchObject([{ count: 2 }]);
  const bounds = Float64Array.from({ length: 21 }, (_, tenth) => tenth / 10);
  expect(histogram(bounds).map(({ low, count }) => [low, count])).toEqual([...bounds].map((low) => [low, 1]));
});

test('lengths and times are rounded before they are split, and values before their sign is written', () => {
  const lengths = [59_940, 59_960, 119_600, 3_599_600, 7_500_000].map(durationInWords);
  expect(lengths).toEqual(['59.9 s', '1 min', '2 min', '1 h 00 min', '2 h 05 min']);
  expect([-0, -0.000_003_8, -0.5].map(valueInWords)).toEqual(['0', '0', '-0.5']);
  expect([999.7, 1500.4, 59_999.6, 3_600_000].map(clockOf)).toEqual(['0:01', '0:01.500', '1:00', '1:00:00']);
});

test('a trip belongs to the day on which it starts in the zone', () => {
  const at = (time: string) => ({ startTime: Date.parse(time), durationMs: 60_000, provisional: false });
  const trips = [at('2026-03-28T23:30:00Z'), at('2026-03-30T21:59:00Z'), at('2026-03-30T22:01:00Z')];
  const days = calendar(tripsByDay(trips, 'Europe/Berlin'), '2026-03-29', '2026-03-31');
  expect(days.map(({ day, trips }) => `${day} ${trips}`)).toEqual(['2026-03-29 1', '2026-03-30 1', '2026-03-31 1']);
});

test.each([{ width: 960 }, { width: 600 }, { width: 280, labels: 'above' }] as const)(
  'the SVG of a trip is the same each time and names every signal: %j',
  (options) => {
    const { width } = options;
    const svg = tripSvg(trip, options);
    expect(svg).toBe(tripSvg(trip, options));
    for (const { path } of trip.signals) expect(svg).toContain(path);
    expect(svg).not.toMatch(/NaN|Infinity/);
    // Inside a web page, its rules are for this picture alone.
    const [, rules = ''] = svg.split(/<\/?style>/);
    const selectors = [...rules.matchAll(/([^{}]+)\{[^{}]*\}/g)].flatMap(([, list = '']) => list.split(','));
    expect(selectors.length).toBeGreaterThan(50);
    expect(selectors.filter((selector) => !selector.startsWith('svg.trip '))).toEqual([]);
    // Each line of the grid fills whole pixels.
    const grid = [...svg.matchAll(/<path class="line" d="([^"]+)"/g)].flatMap(([, path = '']) => path.match(/M[^M]+/g));
    expect(grid.filter((line) => !/\.5(?!\d)/.test(line ?? ''))).toEqual([]);
    const places = [...svg.matchAll(/(?: x="|[ML])([\d.]+)/g)].map(([, place]) => Number(place));
    expect(Math.max(...places)).toBeGreaterThan(width - 40);
    expect(Math.max(...places)).toBeLessThanOrEqual(width);
  },
);

test('a part of a trip is drawn alone, and nothing of it beside the lanes', () => {
  const svg = tripSvg(trip, { part: { from: 60_000, to: 120_000 } });
  expect(svg).toContain(', from 1:00 to 2:00<');
  const axis = [...svg.matchAll(/middle" [^>]+>(\d+:\d\d)</g)].map(([, place]) => place);
  expect([axis[0], axis.at(-1)]).toEqual(['1:00', '2:00']);
  expect(svg.match(/<svg x=/g)?.length).toBe(trip.signals.filter(({ kind }) => kind === 'number').length);
});

test('samples that are far apart are dots, and a band has stripes where it has no value', () => {
  const gear = Array(20).fill('d').fill(null, 5, 15);
  const sent = { triggerStartTime: '2026-03-04T08:00:00.000Z', odometer: { value: gear.map((_, index) => index) } };
  const [few] = readTrips([{ vehicle: 'Car', series: 'driving', trip: { ...sent, transmission: { gear } } }]).trips;
  const svg = few ? tripSvg(few) : '';
  expect(svg.match(/<circle class="signal-3"/g)).toHaveLength(20);
  expect(svg.match(/<rect class="band-3"/g)).toHaveLength(2);
  const [stripes = ''] = svg.match(/<path class="muted"[^>]*>/) ?? [];
  expect(stripes.match(/M/g)).toHaveLength(86);
});

test('a signal has one color in every trip, which readers who see fewer colors can tell from others', () => {
  const numbers = trip.signals.filter(({ kind }) => kind === 'number').map(colorOf);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.map((name) => name.slice(0, 7))).toEqual(Array(numbers.length).fill('signal-'));
  for (const ground of [0, 1] as const) {
    const seen = numbers.map((name) => colors[name]?.[ground] ?? '');
    for (const sight of Object.values(sights))
      for (const [index, one] of seen.entries())
        for (const other of seen.slice(index + 1)) expect(colorDistance(one, other, sight)).toBeGreaterThan(0.12);
  }
});

test('the terminal shows lanes, bands and warnings in plain characters of the given width', () => {
  const text = tripBraille(trip, { columns: 72, lines: 3, signals: ['engine.rpm', 'transmission.gear'] });
  const lines = text.split('\n');
  expect(lines[0]).toBe('engine.rpm (rpm)');
  expect(lines.filter((line) => /[\u2800-\u28ff]/u.test(line)).every((line) => line.length <= 72)).toBe(true);
  expect(text).toContain('transmission.gear: p p, r r, n n, d d');
  expect(text).toContain('2 out of range');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be printed
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('the ends of a lane in the terminal are its lowest and highest value, of an odometer since the start', () => {
  const sent = { triggerStartTime: '2026-03-04T08:00:00.000Z', odometer: { value: [155_113, 155_115.4] } };
  const [far] = readTrips([{ vehicle: 'Car', series: 'driving', trip: sent }]).trips;
  expect(far && tripBraille(far)).toMatch(/^odometer\.value \(km since the start\)\n +2\.4▕[\s\S]*^ +0▕/mu);
});

test('a single sample among thousands is seen in the terminal', () => {
  for (const spike of [0, 3333, 9999]) {
    const rpm = Array(10_000).fill(1000).with(spike, 9000);
    const sent = { triggerStartTime: '2026-03-04T08:00:00.000Z', tripLength: 10_000_000, engine: { rpm } };
    const [long] = readTrips([{ vehicle: 'Car', series: 'powertrain', trip: sent }]).trips;
    expect(long && tripBraille(long)).toMatch(/^ +9,000▕.*[\u2801-\u28ff]/mu);
  }
});

test('bad data give pictures without a wrong number', () => {
  for (const read of readTrips(badRecords.map(([record]) => record)).trips) {
    expect(tripSvg(read)).not.toMatch(/NaN|Infinity/);
    expect(tripBraille(read)).toMatch(/There is nothing to draw|Time is/);
  }
});
