import { describe, expect, test } from 'vitest';
import type { TokenSource } from '../src/index.js';
import { failure, success, vin } from './http-service.ts';
import { clientOf, errorOf, nowhere } from './test-client.ts';
import { instantClock } from './test-clock.ts';

const located = success({ location: {} });
const rejection = (code = '4011', status = 400) => new Response(failure(code), { status });

/** A client of a service that rejects every token but one, with the tokens that arrived and how the function was called. */
function setUp(good: string, source: TokenSource, respond = () => rejection()) {
  const arrived: (string | undefined)[] = [];
  const refreshes: boolean[] = [];
  const client = clientOf(nowhere, {
    clock: instantClock(),
    fetch: async (_, { headers }) => {
      const token = headers['authorization']?.slice('Bearer '.length);
      arrived.push(token);
      return token === good ? new Response(located) : respond();
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

describe('an access token that the service rejects', () => {
  test.each([
    [400, '4011'],
    [401, '4011'],
    [401, 'invalid-client-credentials'],
    [401, 'anything'],
  ])('with status %i and code %s is refreshed and the call is retried, a DELETE too', async (status, code) => {
    const source: TokenSource = ({ refresh }) => (refresh ? 'new' : 'old');
    for (const method of ['getLocation', 'stopSharing'] as const) {
      const { client, arrived, refreshes } = setUp('new', source, () => rejection(code, status));
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

  test('is refreshed at most once in one call', async () => {
    let count = 0;
    const { client, arrived } = setUp('never', () => `token-${count++}`);
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ name: 'AccessTokenError', code: '4011' });
    expect(arrived).toEqual(['token-0', 'token-1']);
  });

  test('is not refreshed a second time by the retries that follow', async () => {
    const responses = [rejection(), rejection('5001'), rejection('5001'), new Response(located)];
    const source: TokenSource = ({ refresh }) => (refresh ? 'new' : 'old');
    const { client, arrived, refreshes } = setUp('never', source, () => responses.shift() ?? rejection());
    await client.getLocation({ vin });
    expect(arrived).toEqual(['old', 'new', 'new', 'new']);
    expect(refreshes.filter(Boolean)).toHaveLength(1);
  });

  test.each<[string, TokenSource]>([
    ['the refresh gives the same one', () => 'same'],
    ['it is a fixed text', 'fixed'],
  ])('is not sent again when %s', async (_, accessToken) => {
    const { client, arrived } = setUp('never', accessToken, () => rejection('4011', 401));
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ code: '4011', status: 401 });
    expect(arrived).toHaveLength(1);
  });

  test('can be refreshed again by a later call', async () => {
    let good = 'one';
    const client = clientOf(nowhere, {
      fetch: async (_, { headers }) =>
        headers['authorization'] === `Bearer ${good}` ? new Response(located) : rejection(),
      accessToken: ({ refresh }) => (refresh ? good : 'zero'),
    });
    for (good of ['one', 'two', 'three']) await client.getLocation({ vin });
  });

  test.each(['5006', '429', '401', '40002'])('of the response %s is not mistaken for a bad login', async (code) => {
    const { client, refreshes } = setUp(
      'never',
      () => 'token',
      () => rejection(code),
    );
    expect(await errorOf(client.getLocation({ vin }, { maxRetries: 0 }))).toMatchObject({ code });
    expect(refreshes).toEqual([false]);
  });
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
