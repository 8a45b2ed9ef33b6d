import { expect, it } from 'vitest';
import { CircuitBreaker, CircuitBreakers } from '../src/forward/circuit-breaker.js';

// What clients see of it is in `clients.test.ts`; these are its rules by the clock.

const anybody: readonly string[] = [];

/** Sends so many requests at once, of which the last so many fail. */
function send(breaker: CircuitBreaker, requests: number, failures: number, nowMs = 1000) {
  for (let index = 0; index < requests; index++) {
    breaker.admit(anybody, nowMs)?.(index >= requests - failures, nowMs);
  }
  return breaker;
}

const opened = () => send(new CircuitBreaker(), 20, 20);

it.each([
  // Too few to judge.
  { requests: 19, failures: 19, state: 'closed' },
  { requests: 20, failures: 10, state: 'open' },
  { requests: 20, failures: 9, state: 'closed' },
  { requests: 100, failures: 40, state: 'closed' },
])(
  'the breaker opens when half of enough requests fail: after $failures of $requests it is $state',
  ({ requests, failures, state }) => {
    expect(send(new CircuitBreaker(), requests, failures).state).toBe(state);
  },
);

it('failures are forgotten after ten seconds', () => {
  expect(send(send(new CircuitBreaker(), 19, 19), 1, 1, 12_000).state).toBe('closed');
});

it('an open breaker rejects requests for five seconds, then lets probes pass, and closes after a good one', () => {
  const breaker = opened();
  expect(breaker.admit(anybody, 5999)).toBeNull();
  expect(breaker.waitMs(3000)).toBe(3000);
  const probe = breaker.admit(anybody, 6000);
  expect(breaker.state).toBe('half-open');
  if (probe === null) throw new Error('no probe');
  probe(false, 6100);
  expect(send(breaker, 19, 19, 6200).state).toBe('closed');
});

it.each([
  { what: 'failed probes', failed: true, openMs: 11_100 },
  { what: 'probes without an outcome', failed: false, openMs: 11_000 },
])('the breaker stays open for another five seconds after three $what', ({ failed, openMs }) => {
  const breaker = opened();
  const probes = [6000, 6001, 6002].map((nowMs) => breaker.admit(anybody, nowMs));
  expect(breaker.admit(anybody, 6003)).toBeNull();
  if (failed) for (const probe of probes) probe?.(true, 6100);
  expect(breaker.admit(anybody, openMs - 1)).toBeNull();
  expect(breaker.admit(anybody, openMs)).not.toBeNull();
});

it.each([
  { what: 'closes after one good response', failed: false, state: 'closed' },
  { what: 'opens after three failures', failed: true, state: 'open' },
])('the breaker judges by probes that take longer than five seconds: it $what', ({ failed, state }) => {
  const breaker = opened();
  const probes = [6000, 6001, 6002].map((nowMs) => breaker.admit(anybody, nowMs));
  expect(breaker.admit(anybody, 11_000)).not.toBeNull();
  for (const probe of probes) probe?.(failed, 12_000);
  expect(breaker.state).toBe(state);
});

it('one client whose slow probes fail together does not open the breaker', () => {
  const breaker = opened();
  const probes = [6000, 11_000, 16_000].map((nowMs) => breaker.admit(['client slow'], nowMs));
  for (const probe of probes) probe?.(true, 16_500);
  expect(probes.every((probe) => probe !== null)).toBe(true);
  expect(breaker.state).toBe('half-open');
});

it('others may probe while one client and one vehicle are probing', () => {
  const breaker = opened();
  const pairs = ['a1', 'a2', 'b1', 'b2'].map(([client, vehicle]) => [`client ${client}`, `vehicle ${vehicle}`]);
  expect(pairs.map((pair) => breaker.admit(pair, 6000) !== null)).toEqual([true, false, false, true]);
});

it('requests from before the opening do not decide a probe', () => {
  const breaker = new CircuitBreaker();
  const early = [true, true, false].map((failed) => [breaker.admit(anybody, 900), failed] as const);
  send(breaker, 20, 20);
  expect(breaker.admit(anybody, 6000)).not.toBeNull();
  for (const [settle, failed] of early) {
    settle?.(failed, 6050);
    expect(breaker.state).toBe('half-open');
  }
});

it.each([
  { brand: 'brand_a', rejected: 500 },
  { brand: 'brand_b', rejected: 0 },
])(
  'when the requests of several clients for one brand fail, good ones for it alone are rejected: $rejected of 500 for $brand',
  ({ brand, rejected }) => {
    const breakers = new CircuitBreakers();
    /** Sends 500 requests with one outcome, and gives the number of rejected ones. */
    const sendAs = (brand: string, names: string, failed: boolean) => {
      const admitted = Array.from({ length: 500 }, (_, index) => {
        const one = breakers.admit(brand, names.charAt(index % names.length), '', 1000);
        if (typeof one !== 'number') one(failed, 1000);
        return one;
      });
      return admitted.filter((each) => typeof each === 'number').length;
    };
    sendAs('brand_a', 'abcd', true);
    expect(sendAs(brand, 'e', false)).toBe(rejected);
  },
);

it('a client keeps its probes for when the breaker of the brand lets requests pass', () => {
  const breakers = new CircuitBreakers();
  const send = (client: string, failed: boolean, nowMs: number) => {
    const one = breakers.admit('brand_a', client, '', nowMs);
    if (typeof one !== 'number') one(failed, nowMs);
    return typeof one !== 'number';
  };
  for (let turn = 0; turn < 20; turn++) send('a', true, 1000);
  for (let turn = 0; turn < 30; turn++) send('bcd'.charAt(turn % 3), true, 3000);
  // That of the client is half-open, that of the brand still open.
  for (let turn = 0; turn < 5; turn++) expect(send('a', false, 6500)).toBe(false);
  expect(send('a', false, 8000)).toBe(true);
});

/** A client that sends requests at its rate, in turn for its vehicles. */
interface PlayedClient {
  readonly name: string;
  readonly perSecond: number;
  readonly vehicles: readonly string[];
  readonly fails: (nowMs: number) => boolean;
}

/** Plays the requests of several clients by the clock: how many of each are rejected, and when the first is. */
function play(seconds: number, clients: readonly PlayedClient[]) {
  const breakers = new CircuitBreakers();
  const requests = clients.flatMap((client) =>
    Array.from({ length: seconds * client.perSecond }, (_, index) => {
      const vehicle = client.vehicles[index % client.vehicles.length] ?? '';
      return { client, vehicle, nowMs: (index * 1000) / client.perSecond };
    }),
  );
  const rejected = requests
    .toSorted((one, other) => one.nowMs - other.nowMs)
    .filter(({ client, vehicle, nowMs }) => {
      const settle = breakers.admit('brand_a', client.name, vehicle, nowMs);
      if (typeof settle === 'number') return true;
      settle(client.fails(nowMs), nowMs);
      return false;
    });
  return { rejectedOf: (name: string) => rejected.filter(({ client }) => client.name === name).length, rejected };
}

const failing = { name: 'failing', perSecond: 33, vehicles: ['broken'], fails: () => true };
const good = { name: 'good', perSecond: 10, vehicles: ['v1'], fails: () => false };

it.each([
  { what: 'one client with one failing vehicle', others: [failing], client: good },
  {
    what: 'one client with one failing vehicle, with two good vehicles of its own',
    others: [failing],
    client: { ...good, vehicles: ['v1', 'v2'] },
  },
  {
    what: 'one client with one failing vehicle, with little traffic of its own',
    others: [failing],
    client: { ...good, perSecond: 1 },
  },
  {
    what: 'one client with many failing vehicles',
    others: [{ ...failing, vehicles: ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'] }],
    client: good,
  },
  {
    what: 'one failing vehicle of three clients',
    others: [1, 2, 3].map((n) => ({ ...failing, name: `failing ${n}` })),
    client: good,
  },
  {
    what: 'two clients with a failing vehicle each',
    others: [failing, { ...failing, name: 'other', vehicles: ['worn'] }],
    client: good,
  },
])('every request of a good client passes for thirty seconds beside $what', ({ others, client }) => {
  expect(play(30, [...others, client]).rejectedOf('good')).toBe(0);
});

it.each([
  { when: 'from the start', failsFromMs: 0 },
  { when: 'after a good minute', failsFromMs: 60_000 },
])('an upstream that fails five clients is found within two seconds, $when', ({ failsFromMs }) => {
  const clients = [1, 2, 3, 4, 5].map((n) => ({
    name: `client ${n}`,
    perSecond: 10,
    vehicles: [`v${n}`],
    fails: (nowMs: number) => nowMs >= failsFromMs,
  }));
  const { rejected } = play(failsFromMs / 1000 + 4, clients);
  expect(rejected[0]?.nowMs).toBeGreaterThan(failsFromMs);
  expect(rejected[0]?.nowMs).toBeLessThan(failsFromMs + 2000);
});

it('a third of all requests that fail at random opens no breaker in ten minutes', () => {
  // A generator with a seed, so that a failure can be seen again.
  let state = 20261128;
  const fails = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31 < 1 / 3;
  };
  const clients = [1, 2, 3, 4, 5].map((n) => ({ name: `client ${n}`, perSecond: 10, vehicles: [`v${n}`], fails }));
  expect(play(600, clients).rejected).toEqual([]);
});
