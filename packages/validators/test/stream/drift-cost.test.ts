// Drift must stay cheap: a list keeps its fast scan after a violation, and lists that the contract does not know have one too.
import { spawn } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { TokenBytes } from '../../src/stream/token-bytes.js';
import { streamed } from './both-checkers.js';
import type { CountedCheck, OperationText } from './count-steps.js';

const samples = 3000;
const numbers = Array.from({ length: samples }, (_, index) => index / 8);
const words = Array.from({ length: samples }, () => 'on');

function tripsWith(...groups: readonly object[]): Buffer {
  const trips = groups.map((group) => ({ triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 5000, ...group }));
  return Buffer.from(JSON.stringify({ data: { trips }, meta: { success: 'true' } }));
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  { story: 'one sample out of range', group: { odometer: { value: numbers.with(5, -1) } }, ok: false },
  { story: 'a null among numbers', group: { odometer: { value: [null, ...numbers] } }, ok: false },
  { story: 'a null among choices', group: { ignition: { status: [null, ...words] } }, ok: false },
  {
    story: 'every seventh sample out of range',
    group: { odometer: { value: numbers.map((one, at) => (at % 7 ? one : -1)) } },
    ok: false,
  },
  { story: 'all samples out of range', group: { odometer: { value: numbers.map(() => -1) } }, ok: false },
  { story: 'nulls alone', group: { odometer: { value: numbers.map(() => null) } }, ok: false },
  { story: 'choices of which none is listed', group: { ignition: { status: words.map(() => 'up') } }, ok: false },
  { story: 'a list inside a list of numbers', group: { odometer: { value: [[numbers], ...numbers] } }, ok: false },
  { story: 'an unknown signal of numbers', group: { speed: { value: numbers } }, ok: true },
  { story: 'an unknown signal of text', group: { mode: { value: words } }, ok: true },
  {
    story: 'an unknown signal of booleans',
    group: { parked: { value: numbers.map((_, at) => at % 3 === 0) } },
    ok: true,
  },
])('drift leaves all other samples to the fast scans: $story', ({ group, ok }) => {
  const tokens = vi.spyOn(TokenBytes.prototype, 'take');
  const bytes = tripsWith(group, { odometer: { value: numbers }, ignition: { status: words } });
  expect(streamed('getDrivingData', 200, bytes, []).verdict.ok).toBe(ok);
  // Names, text with rules and the few samples around a violation are read one by one; 6,000 samples are not.
  expect(tokens.mock.calls.length).toBeLessThan(60);
});

/** A week of trips: wherever it has drift, the check of the rest must stay as it is. */
const samplesOfKm = numbers.map((one) => Number((20 + one).toFixed(1)));
const week = Array.from({ length: 20 }, () => ({
  odometer: { value: samplesOfKm },
  ignition: { status: words },
  seatbelt: { driver: numbers.map((one) => (one < 200 ? 'belted' : 'unbelted')) },
}));
const firstWith = (change: object) => [{ ...week[0], ...change }, ...week.slice(1)];
const eachWith = (change: object) => week.map((trip) => ({ ...trip, ...change }));

const weeks: readonly (readonly [what: string, trips: readonly object[], ok: boolean])[] = [
  ['nothing wrong', week, true],
  ['one sample out of range', firstWith({ odometer: { value: samplesOfKm.with(5, -1) } }), false],
  ['one sample that is null', firstWith({ odometer: { value: [null, ...samplesOfKm] } }), false],
  ['a null in each trip', eachWith({ odometer: { value: [null, ...samplesOfKm] } }), false],
  ['a choice that is not listed', firstWith({ ignition: { status: words.with(5, 'up') } }), false],
  ['a signal that is no object', firstWith({ ignition: words }), false],
  ['an unknown signal', firstWith({ speed: { value: samplesOfKm } }), true],
  ['an unknown signal in each trip', eachWith({ mode: { value: words } }), true],
];

const turning = { oilTemperature: samplesOfKm.map((one) => Number((one % 100).toFixed(1))), rpm: numbers };
const powertrainWith = (engine: object) => Array.from({ length: 20 }, () => ({ engine }));
const powertrainWeeks: typeof weeks = [
  ['nothing wrong', powertrainWith(turning), true],
  [
    'one sample out of range',
    [{ engine: { ...turning, rpm: numbers.with(5, -1) } }, ...powertrainWith(turning).slice(1)],
    false,
  ],
  ['a null in each trip', powertrainWith({ ...turning, rpm: [null, ...numbers] }), false],
  ['an unknown signal in each trip', powertrainWith({ ...turning, load: words }), true],
];

async function countSteps(documents: readonly OperationText[]): Promise<readonly CountedCheck[]> {
  const script = fileURLToPath(new URL('count-steps.ts', import.meta.url));
  const counter = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  counter.stdin.end(JSON.stringify(documents));
  return (await json(counter.stdout)) as CountedCheck[];
}

test.each([
  { operation: 'getDrivingData', all: weeks },
  { operation: 'getPowertrainData', all: powertrainWeeks },
] as const)(
  'a week with drift somewhere takes hardly more steps than one without: $operation',
  async ({ operation, all }) => {
    const [clean, ...others] = await countSteps(all.map(([, trips]) => [operation, tripsWith(...trips).toString()]));
    expect(clean?.ok).toBe(true);
    // A step for each of the numbers that change their digits, not for each sample.
    expect(clean?.steps).toBeGreaterThan(10_000);
    for (const [index, [what, , ok]] of all.slice(1).entries()) {
      expect.soft(others[index]?.ok, what).toBe(ok);
      // Were text behind the first violation read byte by byte, it would be several times as many.
      expect.soft(others[index]?.steps, what).toBeLessThan(1.25 * (clean?.steps ?? 0));
    }
  },
);
