import { hash, randomBytes } from 'node:crypto';
import { ApiKeys } from '../dist/callers/api-keys.js';
import { CountedLimits } from '../dist/limits/counted-limits.js';
import { SpanCounter } from '../dist/limits/span-counter.js';
import { jsonLog } from '../dist/node/json-log.js';
import { Metrics } from '../dist/node/metrics.js';
import { describeMachine } from './machine.ts';
import { median } from './medians.ts';

// What recognising, counting, measuring and logging add to a call; and whether the look-up of a key tells how much of it was right.
// Run: pnpm run bench:in-service. Every figure is the median of interleaved rounds.
const rounds = 21;
const callsEach = 20_000;

const key = `vds_abcdefghij_${randomBytes(32).toString('base64url')}`;
const record = {
  id: 'abcdefghij',
  hash: hash('sha256', key, 'hex'),
  name: '',
  created: '2026-01-01T00:00:00.000Z',
  expires: null,
  brands: null,
  operations: null,
  rate: null,
};
const keys = new ApiKeys((text) => hash('sha256', text, 'hex'), false);
keys.use([record]);
const incoming = (sent: string) => ({
  method: 'GET',
  target: '/',
  requestId: '',
  header: (name: string) => (name === 'x-api-key' ? sent : undefined),
});

const metrics = new Metrics();
const log = jsonLog('info', () => {});
const rate = { calls: 1_000_000_000, seconds: 60 };
const limits = new CountedLimits(
  { perCaller: rate, perVehicle: rate },
  (each) => new SpanCounter(each),
  (vin) => vin,
);
const caller = { id: 'abcdefghij', brands: null, operations: null, rate: null };
const call = {
  requestId: '0123456789abcdef',
  method: 'GET',
  template: '/v1/vehicles/{vin}/locations',
  status: 200,
  code: '',
  reason: '',
  attempts: 1,
  bytes: 300,
  durationMs: 2.3,
  caller: 'abcdefghij',
  traceParent: '',
};

const steps: readonly (readonly [name: string, step: () => unknown])[] = [
  ['nothing', () => undefined],
  ['API key', () => keys.recognise(incoming(key))],
  ['limits of caller and vehicle', () => limits.take(caller, 'TESTVEHCLE0000001')],
  ['metrics', () => metrics.call(call)],
  ['log', () => log.call(call)],
];

const guesses = [0, 10, 20, 30, 42].map((right) => {
  const guess = key.slice(0, 15 + right) + 'x'.repeat(43 - right);
  return [`a key with ${right} of 43 characters right`, () => keys.recognise(incoming(guess))] as const;
});

async function measure(list: readonly (readonly [string, () => unknown])[]): Promise<void> {
  const figures = list.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    for (const [index, [, step]] of list.entries()) {
      const before = process.cpuUsage();
      for (let count = 0; count < callsEach; count++) await step();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) figures[index]?.push((user + system) / callsEach);
    }
  }
  for (const [index, [name]] of list.entries()) {
    const own = figures[index] ?? [];
    const spread = `${Math.min(...own).toFixed(2)} to ${Math.max(...own).toFixed(2)}`;
    console.log(`${name.padEnd(40)} ${median(own).toFixed(2)} µs of processor time a call (${spread})`);
  }
}

console.log(JSON.stringify(describeMachine()));
await measure(steps);
await measure(guesses);
process.exit(0);
