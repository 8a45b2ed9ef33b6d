import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TokenSource, VehicleDataClientOptions } from '../src/index.js';
import { clientOf, errorOf, failed, instantClock, located, nowhere, stubbed, vin } from './service.ts';

/** A client of a service that rejects every token but one, with the tokens that arrived and how the function was called. */
function setUp(
  good: string | ((brand: string) => string),
  source: TokenSource,
  respond = () => failed('4011'),
  options: Partial<VehicleDataClientOptions> = {},
) {
  const arrived: (string | undefined)[] = [];
  const refreshes: boolean[] = [];
  const client = clientOf(nowhere, {
    clock: instantClock(),
    ...options,
    fetch: async (_, { headers }) => {
      const token = headers['authorization']?.slice('Bearer '.length);
      arrived.push(token);
      const isGood = token === (typeof good === 'string' ? good : good(`${headers['brand']}`));
      return isGood ? new Response(located) : respond();
    },
    accessToken:
      typeof source === 'string'
        ? source
        : (request) => {
            refreshes.push(request.refresh);
            return source(request);
          },
  });
  return { client, arrived, refreshes };
}

const oldThenNew: TokenSource = ({ refresh }) => (refresh ? 'new' : 'old');

describe('a client without an access token (D1)', () => {
  test.each([
    ['an API key is sent as X-Api-Key, and is enough', { accessToken: undefined, apiKey: 'own-key' }, 'own-key'],
    ['null says that no token is sent on purpose', { accessToken: null }, undefined],
  ])('%s', async (_, options, apiKey) => {
    const { client, sent } = stubbed(located, options);
    await client.getLocation({ vin });
    expect(sent[0]?.headers['x-api-key']).toBe(apiKey);
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test('without one on purpose lists vehicles alone', async () => {
    const { client, sent } = stubbed(located.replace('location', 'vehicles').replace('{}', '[]'), {
      accessToken: undefined,
    });
    await client.listVehicles();
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
    const facts = { name: 'CredentialsError', code: 'no-access-token', resolution: 'fix-credentials' };
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject(facts);
  });
});

describe('an access token that the service rejects', () => {
  test.each([
    [400, '4011'],
    [401, 'anything'],
  ])('with status %i and code %s is refreshed and the call is retried, a DELETE too', async (status, code) => {
    for (const method of ['getLocation', 'stopSharing'] as const) {
      const { client, arrived, refreshes } = setUp('new', oldThenNew, () => failed(code, status));
      await client[method]({ vin });
      expect([arrived, refreshes]).toEqual([
        ['old', 'new'],
        [false, true],
      ]);
    }
  });

  test('is refreshed once for a hundred concurrent calls, also where the function keeps giving the old one', async () => {
    const { client, refreshes } = setUp('new', async ({ refresh }) => {
      if (refresh) await new Promise((resolve) => setTimeout(resolve, 30));
      return refresh ? 'new' : 'old';
    });
    await Promise.all(Array.from({ length: 100 }, () => client.getLocation({ vin })));
    await client.getLocation({ vin });
    expect(refreshes.filter(Boolean)).toHaveLength(1);
  });

  test('is refreshed at most once in one call, also by the retries that follow', async () => {
    let count = 0;
    const never = setUp('never', () => `token-${count++}`);
    expect(await errorOf(never.client.getLocation({ vin }))).toMatchObject({ name: 'AccessTokenError', code: '4011' });
    expect(never.arrived).toEqual(['token-0', 'token-1']);

    const responses = [failed('4011'), failed('5001'), failed('5001'), new Response(located)];
    const { client, arrived } = setUp('never', oldThenNew, () => responses.shift() ?? failed('4011'));
    await client.getLocation({ vin });
    expect(arrived).toEqual(['old', 'new', 'new', 'new']);
  });

  test.each<[string, TokenSource]>([
    ['the refresh gives the same one', () => 'same'],
    ['it is a fixed text', 'fixed'],
  ])('is not sent again when %s', async (_, accessToken) => {
    const { client, arrived } = setUp('never', accessToken);
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ code: '4011' });
    expect(arrived).toHaveLength(1);
  });

  test('can be refreshed again by a later call', async () => {
    let good = 'one';
    const { client } = setUp(
      () => good,
      ({ refresh }) => (refresh ? good : 'zero'),
    );
    for (good of ['one', 'two', 'three']) await client.getLocation({ vin });
  });

  test.each(['5006', '429', '401', '40002'])('of the response %s is not mistaken for a bad login', async (code) => {
    const source = () => 'token';
    const { client, refreshes } = setUp('never', source, () => failed(code));
    expect(await errorOf(client.getLocation({ vin }, { maxRetries: 0 }))).toMatchObject({ code });
    expect(refreshes).toEqual([false]);
  });
});

test('a refresh that never settles ends with its call, and the next call starts a new one (D2)', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const given: AbortSignal[] = [];
  const source: TokenSource = ({ refresh, signal }) => {
    if (!refresh) return 'old';
    given.push(signal);
    return given.length === 1 ? new Promise(() => undefined) : 'new';
  };
  const { client } = setUp('new', source, undefined, { clock: undefined });
  const error = errorOf(client.getLocation({ vin }));
  await vi.runAllTimersAsync();
  expect(await error).toMatchObject({ code: 'timeout' });
  expect(given).toMatchObject([{ aborted: true }]);
  await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
});

test('a refresh is made once for each brand, and the function knows brand and operation (D13)', async () => {
  const refreshes: string[] = [];
  const { client } = setUp(
    (brand) => `new-${brand}`,
    async ({ refresh, brand, operation }) => {
      if (!refresh) return 'old';
      refreshes.push(`${operation} ${brand}`);
      return `new-${brand}`;
    },
  );
  const brands = ['brand_a', 'brand_b', 'brand_a', 'brand_b'] as const;
  await Promise.all(brands.map((brand) => client.getLocation({ vin }, { brand })));
  expect(refreshes.toSorted()).toEqual(['getLocation brand_a', 'getLocation brand_b'].toSorted());
});

describe('a function that gives no token', () => {
  const cause = new Error('the vault is shut');
  const fail = () => {
    throw cause;
  };
  test.each<[string, TokenSource]>([
    ['rejects', async () => fail()],
    ['throws without a promise', fail],
  ])('and %s ends the call with its error as the cause, before anything is sent', async (_, accessToken) => {
    const { client, arrived } = setUp('x', accessToken);
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({
      name: 'AccessTokenError',
      code: 'access-token-unavailable',
      mayHaveTakenEffect: false,
      cause,
    });
    expect(arrived).toEqual([]);
  });

  test('lets the calls that wait for a failing refresh fail, and the next one try again', async () => {
    let isDown = true;
    const { client } = setUp('new', async ({ refresh }) => {
      if (refresh && isDown) throw new Error('down');
      return refresh ? 'new' : 'old';
    });
    const results = await Promise.allSettled([client.getLocation({ vin }), client.getLocation({ vin })]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  });
});

test.each(['', 'abc\r\nx-evil: 1', 'Bearer abc'])(
  'the token %j is rejected before anything is sent, without being repeated',
  async (accessToken) => {
    const { client, sent } = stubbed(located, { accessToken });
    const error = await errorOf(client.getLocation({ vin }));
    expect(error).toMatchObject({ name: 'CredentialsError' });
    expect(error.message).toContain('leave out "Bearer"');
    expect(error.stack).not.toMatch(/evil|abc/);
    expect(sent).toEqual([]);
  },
);
