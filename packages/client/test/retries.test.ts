import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { VehicleDataClientOptions } from '../src/index.js';
import { errorOf, failed, fakeTime, instantClock, later, silence, stubbed, success, vin } from './service.ts';

const ok = success({ vehicles: [], location: {} });

const systemClock = { clock: undefined };
const limited = (seconds: string) => failed('429', 429, { 'retry-after': seconds });
/** Gives the numbers that the clock of the system draws. */
function drawing(draw: () => number): void {
  const random = vi.spyOn(Math, 'random').mockImplementation(draw);
  onTestFinished(() => random.mockRestore());
}

describe('retries', () => {
  const down = failed('5001', 500);

  test.each([
    { story: 'two times by default', random: 0.5, options: {}, callOptions: {}, pauses: [250, 500] },
    { story: 'as often as the client says', random: 0.5, options: { maxRetries: 1 }, callOptions: {}, pauses: [250] },
    {
      story: 'as often as the call says',
      random: 0.5,
      options: { maxRetries: 1 },
      callOptions: { maxRetries: 0 },
      pauses: [],
    },
    // The next one would come at the deadline.
    {
      story: 'within eight seconds',
      random: 1,
      options: { timeoutMs: 31_500 },
      callOptions: { maxRetries: 9 },
      pauses: [500, 1_000, 2_000, 4_000, 8_000, 8_000],
    },
  ])('come after a temporary failure, with full jitter: $story', async ({ random, options, callOptions, pauses }) => {
    const clock = instantClock(random);
    const { sent, client } = stubbed(down, { clock, ...options });
    expect(await errorOf(client.listVehicles(callOptions))).toMatchObject({ code: '5001' });
    expect(sent).toHaveLength(pauses.length + 1);
    expect(clock.pauses).toEqual(pauses);
  });

  test.each([
    { text: '3', pauseMs: 3_375 },
    { text: 'Mon, 09 Mar 2026 07:00:09 GMT', pauseMs: 4_500 },
    // These say nothing.
    { text: 'soon', pauseMs: 250 },
    { text: '-1', pauseMs: 250 },
    { text: '1e9', pauseMs: 250 },
    { text: '', pauseMs: 250 },
  ])(
    'pause as long as Retry-After says, if it says something: $pauseMs ms after "$text"',
    async ({ text, pauseMs }) => {
      const { clock, client } = stubbed([limited(text), ok]);
      await client.listVehicles();
      expect(clock.pauses).toEqual([pauseMs]);
    },
  );

  test.each([
    {
      story: 'of 0 states no limit, and leaves retries as many and as late as without it',
      seconds: '0',
      timeoutMs: 30_000,
      pauses: [250, 500],
    },
    {
      story: 'above the cap ends the call at once, since an earlier retry would be of no use',
      seconds: '21',
      timeoutMs: 30_000,
      pauses: [],
    },
    {
      story: 'that would not end before the deadline is not waited for',
      seconds: '15',
      timeoutMs: 40_000,
      pauses: [16_875, 16_875],
    },
  ])('a Retry-After $story', async ({ seconds, timeoutMs, pauses }) => {
    const { clock, sent, client } = stubbed(limited(seconds), { timeoutMs });
    const facts = { name: 'RateLimitError', retryAfterMs: +seconds * 1000 };
    expect(await errorOf(client.listVehicles())).toMatchObject(facts);
    expect(sent).toHaveLength(pauses.length + 1);
    expect(clock.pauses).toEqual(pauses);
  });
});

test.each([
  { story: 'as long as it lasts', seconds: '30', lastsMs: 30_000 },
  { story: 'for five minutes at a time', seconds: '86400', lastsMs: 300_000 },
])('a rate limit above the cap holds for all calls, $story', async ({ seconds, lastsMs }) => {
  fakeTime();
  const { sent, client } = stubbed(limited(seconds), { ...systemClock, timeoutMs: 5_000 });
  for (const waitedMs of [0, 1, lastsMs - 6_000]) {
    vi.advanceTimersByTime(waitedMs);
    const facts = { name: 'RateLimitError', isTemporary: true, retryAfterMs: expect.any(Number) };
    expect(await errorOf(client.listVehicles())).toMatchObject(facts);
  }
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(6_000);
  await errorOf(client.listVehicles());
  expect(sent).toHaveLength(2);
});

test.each([
  { setback: 'two minutes', setbackMs: 120_000 },
  { setback: 'an hour', setbackMs: 3_600_000 },
])(
  'a rate limit lasts no longer where the clock is set back, and a new one holds: by $setback',
  async ({ setbackMs }) => {
    fakeTime();
    const { client, sent } = stubbed([limited('1'), limited('1'), ok], systemClock);
    await errorOf(client.listVehicles({ maxRetries: 0 }));
    vi.setSystemTime(Date.now() - setbackMs);
    const second = errorOf(client.listVehicles({ maxRetries: 0 }));
    await vi.advanceTimersByTimeAsync(1_250);
    await second;
    expect(await errorOf(client.listVehicles({ timeoutMs: 500 }))).toHaveProperty('name', 'RateLimitError');
    expect(sent).toHaveLength(2);
  },
);

test('a rate limit above the cap stops no withdrawal, and one of a proxy, which may be that of one vehicle, no other call', async () => {
  const { sent, client } = stubbed([limited('30'), ok]);
  await errorOf(client.listVehicles());
  await client.stopSharing({ vin });
  const proxied = stubbed([failed('rate-limited', 429, { 'retry-after': '25' }), ok]);
  await errorOf(proxied.client.getLocation({ vin }));
  await proxied.client.listVehicles();
  expect([sent.length, proxied.sent.length]).toEqual([2, 2]);
});

test('a call that waits for the end of a rate limit has half of the rest of its time for the response', async () => {
  fakeTime();
  drawing(() => 0.99);
  const { sent, client } = stubbed([limited('60'), ok], systemClock);
  await errorOf(client.listVehicles());
  vi.advanceTimersByTime(41_000);
  const call = client.listVehicles();
  await vi.advanceTimersByTimeAsync(19_000 + 5_500);
  expect(sent).toHaveLength(2);
  await expect(call).resolves.toMatchObject({ vehicles: [] });
});

describe('the deadline', () => {
  test('is one for all attempts together, and does not begin anew with each', async () => {
    fakeTime('jumping');
    // No pauses between the attempts.
    drawing(() => 0);
    const startedAt = Date.now();
    const late = () => later(100, failed('overloaded', 503));
    const { client, sent } = stubbed([late, late, silence], systemClock);
    expect(await errorOf(client.listVehicles({ timeoutMs: 500 }))).toHaveProperty('name', 'TimeoutError');
    expect(Date.now() - startedAt).toBe(500);
    expect(sent).toHaveLength(3);
  });

  test('covers the function that gives the access token, and a DELETE is not sent when the token comes later', async () => {
    const gives: ((token: string) => void)[] = [];
    const accessToken = () => new Promise<string>((resolve) => gives.push(resolve));
    const { client, sent } = stubbed('', { ...systemClock, accessToken });
    const timedOut = await errorOf(client.stopSharing({ vin }, { timeoutMs: 20 }));
    expect(timedOut).toMatchObject({ name: 'TimeoutError', mayHaveTakenEffect: false });
    const controller = new AbortController();
    const aborted = errorOf(client.stopSharing({ vin }, { signal: controller.signal }));
    controller.abort();
    expect(await aborted).toMatchObject({ name: 'AbortedError', mayHaveTakenEffect: false });
    for (const give of gives) give('late');
    await later(20);
    expect(sent).toEqual([]);
  });

  test('of any length does not pass at once', async () => {
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 1e12]) {
      const { client } = stubbed(() => later(10, ok), { ...systemClock, timeoutMs });
      await expect(client.listVehicles()).resolves.toMatchObject({ vehicles: [] });
    }
  });
});

test('the signal of user code ends a pause before a retry, and keeps no listener of a call that has ended', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { sent, client } = stubbed(limited('10'), { hooks: { onRetry: () => controller.abort() }, ...systemClock });
  expect(await errorOf(client.listVehicles({ signal }))).toHaveProperty('name', 'AbortedError');
  expect(sent).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('a rate limit', () => {
  test('of 40 a second is kept by 200 calls at the same time, and all succeed', async () => {
    fakeTime('jumping');
    let draws = 0;
    // Even over the range from 0 to 1, and the same in each run.
    drawing(() => (++draws * 0.618_034) % 1);
    const startedAt = Date.now();
    const perSecond = new Map<number, number>();
    const { client, sent } = stubbed(() => {
      const second = Math.floor((Date.now() - startedAt) / 1_000);
      const count = (perSecond.get(second) ?? 0) + 1;
      perSecond.set(second, count);
      return count <= 40 ? ok : limited('1');
    }, systemClock);
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => client.getLocation({ vin })));
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(Math.max(...perSecond.keys())).toBeLessThan(15);
    expect(sent.length).toBeLessThan(1_000);
  });

  test('that calls meet makes the others of the client wait for the last, and the hook is called, as a method', async () => {
    const hooks = { onRequest: undefined, onThrottle: vi.fn() };
    const { client } = stubbed([limited('4'), limited('1'), ok], { hooks, rateLimitScope: 'client' });
    await Promise.all([1, 2].map(() => errorOf(client.getLocation({ vin }, { maxRetries: 0 }))));
    await client.with({ brand: 'brand_b' }).getLocation({ vin });
    expect(hooks.onThrottle.mock.calls).toMatchObject([[{ delayMs: 4_500 }]]);
    expect(hooks.onThrottle.mock.contexts).toEqual([hooks]);
  });
});

describe('maxConcurrency', () => {
  test('sends nothing within a rate limit that another request has met', async () => {
    fakeTime('jumping');
    const startedAt = Date.now();
    const within: number[] = [];
    const respond = () => {
      const isLimited = Date.now() < startedAt + 1_000;
      if (isLimited) within.push(Date.now() - startedAt);
      return later(2, isLimited ? limited('1') : ok);
    };
    const { client } = stubbed(respond, { ...systemClock, maxConcurrency: 2 });
    await Promise.all(Array.from({ length: 100 }, () => client.listVehicles()));
    expect(within).toEqual([0, 0]);
  });

  test.each<{ awaited: string; options: Partial<VehicleDataClientOptions> }>([
    {
      awaited: 'token',
      options: { accessToken: ({ brand }) => (brand === 'brand_a' ? new Promise(() => undefined) : 'token') },
    },
    {
      awaited: 'headers',
      options: { headers: ({ brand }) => (brand === 'brand_a' ? new Promise(() => undefined) : {}) },
    },
  ])('is not used up by calls that wait for their $awaited', async ({ options }) => {
    const { client } = stubbed(ok, { ...options, ...systemClock, maxConcurrency: 1 });
    const controller = new AbortController();
    const waiting = errorOf(client.listVehicles({ signal: controller.signal }));
    await expect(client.listVehicles({ brand: 'brand_b' })).resolves.toMatchObject({ vehicles: [] });
    controller.abort();
    expect(await waiting).toHaveProperty('name', 'AbortedError');
  });

  test('bounds the requests under way, in order, and a call that is aborted gives its place up', async () => {
    let underWay = 0;
    let most = 0;
    const { client, sent } = stubbed(
      async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        // The sixth call is in the queue.
        if (sent.length === 3) controller.abort();
        await later(1);
        underWay -= 1;
        return ok;
      },
      { maxConcurrency: 2 },
    );
    const vins = Array.from({ length: 9 }, (_, index) => `SANDB0XA00000000${index}`);
    const controller = new AbortController();
    const signalOf = (index: number) => (index === 5 ? controller.signal : null);
    const calls = vins.map((vin, index) => client.getLocation({ vin }, { signal: signalOf(index) }));
    const results = await Promise.allSettled(calls);
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? index : []))).toEqual([5]);
    expect(most).toBe(2);
    expect(sent.map(({ url }) => url.split('/')[3])).toEqual(vins.toSpliced(5, 1));
  });

  test('is not used up by a call that is aborted while it waits for a rate limit', async () => {
    fakeTime();
    const { client, sent } = stubbed([limited('1'), ok], { ...systemClock, maxConcurrency: 1 });
    const controller = new AbortController();
    const all = [{ maxRetries: 0 }, { signal: controller.signal }, {}].map((options) => client.listVehicles(options));
    const results = Promise.allSettled(all);
    await vi.advanceTimersByTimeAsync(500);
    controller.abort();
    await vi.runAllTimersAsync();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(sent).toHaveLength(2);
  });

  test('never sends a token that has ended in the queue while the function has another', async () => {
    fakeTime('jumping');
    let issued = 0;
    const tokens = new Map<string, number>();
    const endOf = (token: string) => tokens.get(token) ?? 0;
    const accessToken = () => {
      if (endOf(`t${issued}`) <= Date.now()) tokens.set(`t${++issued}`, Date.now() + 150);
      return `t${issued}`;
    };
    const respond = () => {
      const isGood = endOf(`${sent.at(-1)?.headers['authorization']}`.slice(7)) > Date.now();
      return later(10, isGood ? ok : failed('4011'));
    };
    const { client, sent } = stubbed(respond, { ...systemClock, accessToken, maxConcurrency: 1 });
    await Promise.all(Array.from({ length: 100 }, () => client.listVehicles()));
    expect(sent).toHaveLength(100);
  });

  test('is not used up by a call whose function gives no new token after the wait: it uses the one it has', async () => {
    let asked = 0;
    const accessToken = () => (asked++ < 2 ? 'token' : new Promise<string>(() => undefined));
    const { client } = stubbed(ok, { ...systemClock, accessToken, maxConcurrency: 1, timeoutMs: 5_000 });
    await Promise.all([client.listVehicles(), client.listVehicles()]);
    expect(asked).toBe(3);
  });

  test('is not used up by a transport that ignores the signal', async () => {
    fakeTime('jumping');
    const { client } = stubbed([silence, ok], { ...systemClock, maxConcurrency: 1 });
    expect(await errorOf(client.getLocation({ vin }))).toHaveProperty('code', 'timeout');
    await expect(client.getLocation({ vin })).resolves.toMatchObject({ location: {} });
  });
});
