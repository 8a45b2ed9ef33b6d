// Users of one server share a client through with(): none of them may suffer from another.
import { describe, expect, test, vi } from 'vitest';
import { createTokenStores } from '../src/call/access-token.js';
import type { Call } from '../src/call/call.js';
import { closeGate, createRateGate } from '../src/call/rate-gate.js';
import type { CallEvent, TokenSource } from '../src/index.js';
import { errorOf, failed, later, located, stubbed, vin } from './service.ts';

const limited = failed('429', 429, { 'retry-after': '60' });

describe('a rate limit', () => {
  /** A service that limits one token, and what two tenants of one client get. */
  async function twoTenants(options: object, mine: object, other: object) {
    const { client, sent } = stubbed(
      (index) => (sent[index]?.headers['authorization'] === 'Bearer mine' ? limited : located),
      {
        accessToken: undefined,
        maxRetries: 0,
        ...options,
      },
    );
    const accessToken = 'mine';
    await errorOf(client.with({ accessToken, ...mine }).getLocation({ vin }));
    const again = await errorOf(client.with({ accessToken, ...mine }).getLocation({ vin }));
    expect(again.message).toContain('a rate limit outlasts the call');
    expect(sent).toHaveLength(1);
    const call = client.with({ accessToken: 'theirs', ...other }).getLocation({ vin });
    return {
      other: await call.then(
        () => 'served',
        ({ name }) => name,
      ),
      sent: sent.length,
    };
  }

  test('holds for the credentials that met it, and for nobody else', async () => {
    expect(await twoTenants({}, {}, {})).toEqual({ other: 'served', sent: 2 });
    expect(await twoTenants({}, {}, { brand: 'brand_b' })).toEqual({ other: 'served', sent: 2 });
  });

  test.each([
    { rateLimitScope: 'brand', other: {}, result: 'RateLimitError' },
    { rateLimitScope: 'brand', other: { brand: 'brand_b' }, result: 'served' },
    { rateLimitScope: 'client', other: { brand: 'brand_b' }, result: 'RateLimitError' },
  ])(
    'reaches another tenant as its scope says: scope $rateLimitScope, tenant $other, $result',
    async ({ rateLimitScope, other, result }) => {
      expect(await twoTenants({ rateLimitScope }, {}, other)).toMatchObject({ other: result });
    },
  );

  test('of one token holds in no other brand, and of an API key for that key alone', async () => {
    const { client, sent } = stubbed([limited, located], { accessToken: undefined, apiKey: 'key-one', maxRetries: 0 });
    await errorOf(client.getLocation({ vin }));
    await client.getLocation({ vin }, { brand: 'brand_b' });
    await client.with({ apiKey: 'key-two' }).getLocation({ vin });
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ name: 'RateLimitError' });
    expect(sent).toHaveLength(3);
  });

  test('is forgotten when it has ended: tenants that come and go leave nothing behind', () => {
    const gate = createRateGate(Infinity);
    const tokenStores = createTokenStores();
    let now = 0;
    for (now = 0; now < 1_000_000; now += 1_000) {
      const call = {
        gate,
        tokenStores,
        clock: { now: () => now },
        rateLimitScope: 'credentials',
        accessToken: `${now}`,
      };
      closeGate(call as Call, 5_000);
      expect(gate.limits.size).toBeLessThanOrEqual(5);
    }
  });
});

describe('access tokens', () => {
  /** An identity provider that rotates refresh tokens, and a service that knows the new token alone. */
  function rotating() {
    const refresh = vi.fn(() => later(20, 'new'));
    const accessToken: TokenSource = (request) => (request.refresh ? refresh() : 'old');
    const { client, sent } = stubbed(
      (index) => (sent[index]?.headers['authorization'] === 'Bearer new' ? located : failed('4011')),
      {
        accessToken: undefined,
        clock: undefined,
      },
    );
    return { accessToken, refresh, client };
  }

  test('belong to the function that gives them: with() for each of 20 requests costs one refresh', async () => {
    const { accessToken, refresh, client } = rotating();
    const requests = Array.from({ length: 20 }, () =>
      client.with({ accessToken, tag: 'request' }).getLocation({ vin }),
    );
    await Promise.all(requests);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('of two users are refreshed apart', async () => {
    const { refresh, client } = rotating();
    const userOf = (): TokenSource => (request) => (request.refresh ? refresh() : 'old');
    await Promise.all([userOf(), userOf()].map((accessToken) => client.with({ accessToken }).getLocation({ vin })));
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

describe('client.with()', () => {
  test.each(['accessToken', 'apiKey', 'brand', 'signal', 'headers', 'timeoutMs', 'logger'])(
    'rejects %s where it is there and undefined, and sends nothing in the name of its client',
    async (name) => {
      const { client, sent } = stubbed(located, { accessToken: 'admin-token' });
      const error = await errorOf((async () => client.with({ [name]: undefined }).getLocation({ vin }))());
      expect(error).toMatchObject({ name: 'ArgumentError', parameter: name });
      expect(error.message).toContain(`${name} is undefined: leave it out to keep the client's`);
      expect(sent).toEqual([]);
    },
  );

  test('takes logger, hooks, timeoutMs, maxRetries and a tag that every event carries', async () => {
    const events: CallEvent[] = [];
    const note = (event: CallEvent) => void events.push(event);
    const lines: unknown[] = [];
    const line = (_: string, event: CallEvent) => lines.push(event.tag);
    const { client, sent } = stubbed([failed('overloaded', 503), located], { hooks: { onRequest: note } });
    const hooks = { onRequest: note, onRetry: note, onResponse: note };
    const tenant = client.with({ tag: 'tenant-7', hooks, logger: { debug: line, warn: line, error: line } });
    await tenant.getLocation({ vin });
    expect(events.map(({ tag }) => tag)).toEqual(Array(4).fill('tenant-7'));
    expect(lines).toEqual(Array(4).fill('tenant-7'));
    expect(sent).toHaveLength(2);
    await client.getLocation({ vin });
    expect(events.at(-1)).not.toHaveProperty('tag');
    const { client: failing, sent: attempts } = stubbed(failed('overloaded', 503));
    await errorOf(failing.with({ maxRetries: 0 }).getLocation({ vin }));
    expect(attempts).toHaveLength(1);
    const { client: slow } = stubbed(() => later(60_000, located), { clock: undefined });
    expect(await errorOf(slow.with({ timeoutMs: 10 }).getLocation({ vin }))).toMatchObject({ code: 'timeout' });
  });
});
