import { describe, expect, test } from 'vitest';
import type { VehicleDataClientOptions } from '../src/index.js';
import { failure, reply, startHttpService, success, token, vin } from './http-service.ts';
import { startRawService, until } from './raw-service.ts';
import { clientOf, nowhere } from './test-client.ts';
import { instantClock } from './test-clock.ts';

const ok = success({ vehicles: [] });

async function setUp(
  responses: readonly (readonly [number, string, Record<string, string>?])[],
  options: Partial<VehicleDataClientOptions> = {},
) {
  const clock = instantClock();
  const service = await startHttpService((_, response, index) => {
    const [status, body, headers] = responses[Math.min(index, responses.length - 1)] ?? [200, ok];
    reply(response, status, body, headers);
  });
  const client = clientOf(service.url, { clock, ...options });
  return { clock, service, client };
}

describe('retries', () => {
  test('a temporary failure is retried two times by default, with full jitter on a growing pause', async () => {
    const { clock, service, client } = await setUp([[500, failure('5001')]]);
    await expect(client.listVehicles()).rejects.toMatchObject({ code: '5001' });
    expect(service.requests).toHaveLength(3);
    expect(clock.pauses).toEqual([250, 500]);
  });

  test('a pause is a random part of at most eight seconds', async () => {
    const clock = instantClock(0.999);
    const { client } = await setUp([[500, failure('5001')]], { clock, maxRetries: 8, timeoutMs: 100_000 });
    await expect(client.listVehicles()).rejects.toMatchObject({ code: '5001' });
    expect(clock.pauses.map((pause) => Math.round(pause / 100) / 10)).toEqual([0.5, 1, 2, 4, 8, 8, 8, 8]);
  });

  test.each(['4002', '401', '403', '404', '40002', '5006', '4045', '4101'])(
    'code %s is never retried',
    async (code) => {
      const { service, client } = await setUp([[400, failure(code)]]);
      await expect(client.listVehicles()).rejects.toMatchObject({ code });
      expect(service.requests).toHaveLength(1);
    },
  );

  test('the number of retries is set for the client and for one call', async () => {
    const { service, client } = await setUp([[500, failure('5001')]], { maxRetries: 1 });
    await expect(client.listVehicles()).rejects.toMatchObject({ code: '5001' });
    expect(service.requests).toHaveLength(2);
    await expect(client.listVehicles({ maxRetries: 0 })).rejects.toMatchObject({ code: '5001' });
    expect(service.requests).toHaveLength(3);
  });

  test.each([
    ['3', 3_375],
    ['Mon, 09 Mar 2026 07:00:09 GMT', 4_500],
  ])('Retry-After: %s is honored', async (text, pauseMs) => {
    const { clock, client } = await setUp([
      [429, failure('429'), { 'retry-after': text }],
      [200, ok],
    ]);
    await client.listVehicles();
    expect(clock.pauses).toEqual([pauseMs]);
  });

  test.each(['soon', '-1', '1e9', ''])('a Retry-After of %o that says nothing is ignored', async (text) => {
    const { clock, client } = await setUp([
      [429, failure('429'), { 'retry-after': text }],
      [200, ok],
    ]);
    await client.listVehicles();
    expect(clock.pauses).toEqual([250]);
  });

  test('a Retry-After above the cap ends the call at once, since an earlier retry would be of no use', async () => {
    const { clock, service, client } = await setUp([[429, failure('429'), { 'retry-after': '21' }]]);
    await expect(client.listVehicles()).rejects.toMatchObject({ name: 'RateLimitError', retryAfterMs: 21_000 });
    expect(service.requests).toHaveLength(1);
    expect(clock.pauses).toEqual([]);
  });

  test('a pause that would not end before the deadline is not begun', async () => {
    const { clock, client } = await setUp([[429, failure('429'), { 'retry-after': '15' }]], { timeoutMs: 40_000 });
    await expect(client.listVehicles()).rejects.toMatchObject({ name: 'RateLimitError' });
    expect(clock.pauses).toEqual([16_875, 16_875]);
  });
});

describe('the deadline', () => {
  test('is one for all attempts together, and does not begin anew with each', async () => {
    const service = await startHttpService((_, response, index) => {
      if (index < 2) reply(response, 503, failure('overloaded'), { 'retry-after': '0' });
    });
    const starts: number[] = [];
    const client = clientOf(service.url, {
      clock: {
        now: Date.now,
        random: () => 0,
        after(delayMs, run) {
          starts.push(delayMs);
          const timer = setTimeout(run, delayMs);
          return () => clearTimeout(timer);
        },
      },
    });
    await expect(client.listVehicles({ timeoutMs: 500 })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(service.requests).toHaveLength(3);
    expect(starts).toEqual([500]);
  });

  test('covers the function that gives the access token; nothing was sent then', async () => {
    const client = clientOf(nowhere, { timeoutMs: 30, accessToken: () => new Promise<string>(() => undefined) });
    await expect(client.stopSharing({ vin })).rejects.toMatchObject({
      name: 'TimeoutError',
      mayHaveTakenEffect: false,
    });
  });

  test('that passes while the token is on its way keeps a DELETE from being sent later', async () => {
    const sent: string[] = [];
    let give: (token: string) => void = () => undefined;
    const client = clientOf(nowhere, {
      accessToken: () =>
        new Promise((resolve) => {
          give = resolve;
        }), // A transport that looks at no signal.
      fetch: async (url, { method }) => {
        sent.push(`${method} ${url}`);
        return new Response(success({}));
      },
    });
    const controller = new AbortController();
    const timedOut = client.stopSharing({ vin }, { timeoutMs: 20 }).catch((reason: unknown) => reason);
    expect(await timedOut).toMatchObject({ name: 'TimeoutError', mayHaveTakenEffect: false });
    give(token);
    const aborted = client.stopSharing({ vin }, { signal: controller.signal }).catch((reason: unknown) => reason);
    controller.abort();
    expect(await aborted).toMatchObject({ name: 'AbortedError', mayHaveTakenEffect: false });
    give(token);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual([]);
  });

  test('ends a transport that knows no signal', async () => {
    const client = clientOf(nowhere, { timeoutMs: 30, fetch: () => new Promise(() => undefined) });
    await expect(client.listVehicles()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test.each([Number.POSITIVE_INFINITY, 1e12])('of %d milliseconds does not pass at once', async (timeoutMs) => {
    const service = await startHttpService(async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      reply(response, 200, ok);
    });
    const client = clientOf(service.url, { timeoutMs });
    await expect(client.listVehicles()).resolves.toEqual({ vehicles: [] });
  });
});

describe('the signal of user code', () => {
  test('ends a call under way, with its reason as the cause, and leaves no connection', async () => {
    const service = await startRawService(() => undefined);
    const controller = new AbortController();
    const client = clientOf(service.url);
    const call = client.listVehicles({ signal: controller.signal }).catch((reason: unknown) => reason);
    await until(() => service.busyConnections() === 1);
    const reason = new Error('the user left');
    controller.abort(reason);
    expect(await call).toMatchObject({ name: 'AbortedError', code: 'aborted', isTemporary: false, cause: reason });
    await until(() => service.busyConnections() === 0);
    expect(service.busyConnections()).toBe(0);
  });

  test('that is aborted already sends nothing', async () => {
    const { service, client } = await setUp([[200, ok]]);
    await expect(client.listVehicles({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortedError' });
    expect(service.requests).toEqual([]);
  });

  test('ends a pause before a retry', async () => {
    const controller = new AbortController();
    const service = await startHttpService((_, response) =>
      reply(response, 429, failure('429'), { 'retry-after': '10' }),
    );
    const client = clientOf(service.url, { hooks: { onRetry: () => controller.abort() } });
    await expect(client.listVehicles({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortedError' });
    expect(service.requests).toHaveLength(1);
  });

  test('of a call that has ended keeps no listener', async () => {
    const { client } = await setUp([[200, ok]]);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await client.listVehicles({ signal });
    expect(listeners).toBe(0);
  });
});
