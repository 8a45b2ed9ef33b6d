import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { VehicleDataClientOptions } from '../src/index.js';
import { failure, reply, startHttpService, success, token, vin } from './http-service.ts';
import { startRawService, until } from './raw-service.ts';
import { clientOf, errorOf, nowhere, stubbed } from './test-client.ts';
import { instantClock } from './test-clock.ts';

const ok = success({ vehicles: [] });

/** A client of a service that gives responses in turn, the last one again and again, on a clock whose pauses pass at once. */
function setUp(
  responses: readonly (readonly [number, string, Record<string, string>?])[],
  options: Partial<VehicleDataClientOptions> = {},
) {
  const clock = instantClock();
  let index = 0;
  const { client, sent } = stubbed(
    () => {
      const [status, body, headers = {}] = responses[Math.min(index, responses.length - 1)] ?? [200, ok];
      index += 1;
      return new Response(body, { status, headers });
    },
    { clock, ...options },
  );
  return { clock, sent, client };
}

describe('retries', () => {
  const down = [[500, failure('5001')]] as const;

  test('a temporary failure is retried two times by default, with full jitter on a growing pause', async () => {
    const { clock, sent, client } = setUp(down);
    expect(await errorOf(client.listVehicles())).toMatchObject({ code: '5001' });
    expect(sent).toHaveLength(3);
    expect(clock.pauses).toEqual([250, 500]);
  });

  test('a pause is a random part of at most eight seconds', async () => {
    const clock = instantClock(0.999);
    const { client } = setUp(down, { clock, maxRetries: 8, timeoutMs: 100_000 });
    expect(await errorOf(client.listVehicles())).toMatchObject({ code: '5001' });
    expect(clock.pauses.map((pause) => Math.round(pause / 100) / 10)).toEqual([0.5, 1, 2, 4, 8, 8, 8, 8]);
  });

  test.each(['4002', '401', '403', '404', '40002', '5006', '4045', '4101'])(
    'code %s is never retried',
    async (code) => {
      const { sent, client } = setUp([[400, failure(code)]]);
      expect(await errorOf(client.listVehicles())).toMatchObject({ code });
      expect(sent).toHaveLength(1);
    },
  );

  test('the number of retries is set for the client and for one call', async () => {
    const { sent, client } = setUp(down, { maxRetries: 1 });
    await errorOf(client.listVehicles());
    expect(sent).toHaveLength(2);
    await errorOf(client.listVehicles({ maxRetries: 0 }));
    expect(sent).toHaveLength(3);
  });

  test.each([
    ['3', 3_375],
    ['Mon, 09 Mar 2026 07:00:09 GMT', 4_500],
    // These say nothing.
    ['soon', 250],
    ['-1', 250],
    ['1e9', 250],
    ['', 250],
  ])('after Retry-After: %s the pause is %i ms', async (text, pauseMs) => {
    const { clock, client } = setUp([
      [429, failure('429'), { 'retry-after': text }],
      [200, ok],
    ]);
    await client.listVehicles();
    expect(clock.pauses).toEqual([pauseMs]);
  });

  test.each([
    ['above the cap ends the call at once, since an earlier retry would be of no use', '21', 30_000, []],
    ['that would not end before the deadline is not waited for', '15', 40_000, [16_875, 16_875]],
  ])('a Retry-After %s', async (_, seconds, timeoutMs, pauses) => {
    const { clock, sent, client } = setUp([[429, failure('429'), { 'retry-after': seconds }]], { timeoutMs });
    expect(await errorOf(client.listVehicles())).toMatchObject({
      name: 'RateLimitError',
      retryAfterMs: +seconds * 1000,
    });
    expect(sent).toHaveLength(pauses.length + 1);
    expect(clock.pauses).toEqual(pauses);
  });
});

describe('the deadline', () => {
  test('is one for all attempts together, and does not begin anew with each', async () => {
    const starts: number[] = [];
    let pass: () => void = () => undefined;
    let requests = 0;
    const client = clientOf(nowhere, {
      clock: {
        now: () => 0,
        random: () => 0,
        after(delayMs, run) {
          starts.push(delayMs);
          pass = run;
          return () => undefined;
        },
      },
      fetch: async () => {
        requests += 1;
        if (requests < 3) return new Response(failure('overloaded'), { status: 503, headers: { 'retry-after': '0' } });
        setTimeout(pass);
        return new Promise(() => undefined);
      },
    });
    expect(await errorOf(client.listVehicles({ timeoutMs: 500 }))).toHaveProperty('name', 'TimeoutError');
    expect(requests).toBe(3);
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
    const { sent, client } = setUp([[200, ok]]);
    expect(await errorOf(client.listVehicles({ signal: AbortSignal.abort() }))).toHaveProperty('name', 'AbortedError');
    expect(sent).toEqual([]);
  });

  test('ends a pause before a retry', async () => {
    const controller = new AbortController();
    const hooks = { onRetry: () => controller.abort() };
    const { sent, client } = setUp([[429, failure('429'), { 'retry-after': '10' }]], { hooks, clock: undefined });
    expect(await errorOf(client.listVehicles({ signal: controller.signal }))).toHaveProperty('name', 'AbortedError');
    expect(sent).toHaveLength(1);
  });

  test('of a call that has ended keeps no listener', async () => {
    const { client } = setUp([[200, ok]]);
    const { signal } = new AbortController();
    await client.listVehicles({ signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
