import { describe, expect, test } from 'vitest';
import { failure, success, vin } from './http-service.ts';
import { clientOf, errorOf, nowhere, stubbed } from './test-client.ts';

const located = success({ location: {} });
const limited = (seconds: number) =>
  new Response(failure('429'), { status: 429, headers: { 'retry-after': `${seconds}` } });

/** A clock of simulated time: the next timer runs when everything before it has settled. */
function simulatedClock() {
  let now = 0;
  let seed = 1;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    random() {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
    after(delayMs: number, run: () => void) {
      const timer = { at: now + delayMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async runUntil(isDone: () => boolean) {
      while (!isDone()) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone()) return;
        const [next] = [...timers].sort((one, other) => one.at - other.at);
        if (!next) continue;
        timers.delete(next);
        now = next.at;
        next.run();
      }
    },
  };
}

describe('a rate limit', () => {
  test('of 40 a second is kept by 200 calls at the same time, and all succeed', async () => {
    const clock = simulatedClock();
    const perSecond = new Map<number, number>();
    let requests = 0;
    const client = clientOf(nowhere, {
      clock,
      fetch: async () => {
        requests += 1;
        const second = Math.floor(clock.now() / 1_000);
        const count = (perSecond.get(second) ?? 0) + 1;
        perSecond.set(second, count);
        return count <= 40 ? new Response(located) : limited(1);
      },
    });
    let settled = 0;
    const calls = Array.from({ length: 200 }, () => client.getLocation({ vin }).finally(() => (settled += 1)));
    const results = Promise.allSettled(calls);
    await clock.runUntil(() => settled === 200);
    expect((await results).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(clock.now()).toBeLessThan(15_000);
    expect(requests).toBeLessThan(1_000);
  });

  test('that one call meets makes the others of the client wait, and the hook is called', async () => {
    const waits: (number | undefined)[] = [];
    const responses = [limited(4), new Response(located)];
    const { client } = stubbed(() => responses.shift() ?? limited(4), {
      hooks: { onThrottle: ({ delayMs }) => void waits.push(delayMs) },
    });
    await errorOf(client.getLocation({ vin }, { maxRetries: 0 }));
    await client.with({ brand: 'brand_b' }).getLocation({ vin });
    expect(waits).toEqual([4_500]);
  });

  test('that ends after the deadline of a call fails it at once, and nothing is sent', async () => {
    const { client, sent } = stubbed(() => limited(10), { clock: undefined });
    await errorOf(client.getLocation({ vin }, { maxRetries: 0 }));
    const facts = { name: 'RateLimitError', isTemporary: true, mayHaveTakenEffect: false };
    expect(await errorOf(client.getLocation({ vin }, { timeoutMs: 1_000 }))).toMatchObject(facts);
    expect(sent).toHaveLength(1);
  });
});

describe('maxConcurrency', () => {
  test('bounds the requests under way, in order, and a call that is aborted gives its place up', async () => {
    let underWay = 0;
    let most = 0;
    const order: string[] = [];
    const client = clientOf(nowhere, {
      maxConcurrency: 2,
      fetch: async (url) => {
        underWay += 1;
        most = Math.max(most, underWay);
        order.push(url.slice(-10));
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay -= 1;
        return new Response(located);
      },
    });
    const controller = new AbortController();
    const calls = Array.from({ length: 9 }, (_, index) =>
      client.getLocation({ vin: `SANDB0XA00000000${index}` }, index === 5 ? { signal: controller.signal } : {}),
    );
    controller.abort();
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([1, 1, 1, 1, 1, 0, 1, 1, 1].map(Boolean));
    expect(most).toBe(2);
    expect(order).toHaveLength(8);
  });

  test('is not used up by a transport that ignores the signal', async () => {
    let hangs = true;
    const client = clientOf(nowhere, {
      maxConcurrency: 1,
      fetch: async () => (hangs ? new Promise(() => undefined) : new Response(located)),
    });
    await expect(client.getLocation({ vin }, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' });
    hangs = false;
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  });
});
