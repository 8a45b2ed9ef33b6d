import { describe, expect, test } from 'vitest';
import type { TokenSource } from '../src/index.js';
import { failure, reply, startHttpService, success, vin } from './http-service.ts';
import { clientOf } from './test-client.ts';
import { instantClock } from './test-clock.ts';

/** A service that takes one token and rejects every other in the given way. */
async function serviceThatTakes(good: string, status = 400, code = '4011') {
  return startHttpService((request, response) => {
    if (request.headers.authorization === `Bearer ${good}`) reply(response, 200, success({ location: {} }));
    else reply(response, status, failure(code));
  });
}

const withToken = (baseUrl: string, accessToken: TokenSource) =>
  clientOf(baseUrl, { accessToken, clock: instantClock() });

describe('an access token that the service rejects', () => {
  test.each([
    [400, '4011'],
    [401, '4011'],
    [401, 'invalid-client-credentials'],
    [401, 'anything'],
  ])('with status %i and code %s is refreshed and the call is retried', async (status, code) => {
    const service = await serviceThatTakes('new', status, code);
    const asked: boolean[] = [];
    const client = withToken(service.url, ({ refresh }) => {
      asked.push(refresh);
      return refresh ? 'new' : 'old';
    });
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
    expect(asked).toEqual([false, true]);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('is refreshed once for a hundred concurrent calls, also where the function keeps giving the old one', async () => {
    const service = await serviceThatTakes('new');
    let refreshes = 0;
    const client = withToken(service.url, async ({ refresh }) => {
      if (!refresh) return 'old';
      refreshes += 1;
      await new Promise((resolve) => setTimeout(resolve, 30));
      return 'new';
    });
    await Promise.all(Array.from({ length: 100 }, () => client.getLocation({ vin })));
    await client.getLocation({ vin });
    expect(refreshes).toBe(1);
  });

  test('is refreshed at most once in one call', async () => {
    const service = await serviceThatTakes('never');
    let count = 0;
    const client = withToken(service.url, () => `token-${count++}`);
    await expect(client.getLocation({ vin })).rejects.toMatchObject({ name: 'AccessTokenError', code: '4011' });
    expect(count).toBe(2);
    expect(service.requests).toHaveLength(2);
  });

  test('is not refreshed a second time by the retries that follow', async () => {
    const asked: boolean[] = [];
    const responses = [failure('4011'), failure('5001'), failure('5001')];
    const service = await startHttpService((_, response, index) => {
      const rejection = responses[index];
      reply(response, rejection ? 400 : 200, rejection ?? success({ location: {} }));
    });
    const client = withToken(service.url, ({ refresh }) => {
      asked.push(refresh);
      return refresh ? 'new' : 'old';
    });
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
    expect(asked.filter((refresh) => refresh)).toHaveLength(1);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer new',
      'Bearer new',
      'Bearer new',
    ]);
  });

  test.each<[string, TokenSource]>([
    ['the refresh gives the same one', () => 'same'],
    ['it is a fixed text', 'fixed'],
  ])('is not sent again when %s', async (_, accessToken) => {
    const service = await serviceThatTakes('never', 401);
    await expect(withToken(service.url, accessToken).getLocation({ vin })).rejects.toMatchObject({
      code: '4011',
      status: 401,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('is refreshed for a DELETE too, since a rejected one did nothing', async () => {
    const service = await serviceThatTakes('new');
    const client = withToken(service.url, ({ refresh }) => (refresh ? 'new' : 'old'));
    await expect(client.stopSharing({ vin })).resolves.toEqual({ location: {} });
  });

  test('can be refreshed again by a later call', async () => {
    let good = 'one';
    const service = await startHttpService((request, response) =>
      request.headers.authorization === `Bearer ${good}`
        ? reply(response, 200, success({ location: {} }))
        : reply(response, 400, failure('4011')),
    );
    const client = withToken(service.url, ({ refresh }) => (refresh ? good : 'zero'));
    await client.getLocation({ vin });
    good = 'two';
    await client.getLocation({ vin });
    good = 'three';
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  });

  test('of a consent or quota response is not mistaken for a bad login', async () => {
    for (const code of ['5006', '429', '401', '40002']) {
      const service = await startHttpService((_, response) => reply(response, 400, failure(code)));
      const asked: boolean[] = [];
      const client = withToken(service.url, ({ refresh }) => {
        asked.push(refresh);
        return 'token';
      });
      await expect(client.getLocation({ vin }, { maxRetries: 0 })).rejects.toMatchObject({ code });
      expect(asked).toEqual([false]);
    }
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
    const service = await serviceThatTakes('x');
    await expect(withToken(service.url, accessToken).getLocation({ vin })).rejects.toMatchObject({
      name: 'AccessTokenError',
      code: 'access-token-unavailable',
      mayHaveTakenEffect: false,
      cause,
    });
    expect(service.requests).toEqual([]);
  });

  test('lets the calls that wait for a failing refresh fail, and the next one try again', async () => {
    const service = await serviceThatTakes('new');
    let isDown = true;
    const client = withToken(service.url, async ({ refresh }) => {
      if (!refresh) return 'old';
      if (isDown) throw new Error('down');
      return 'new';
    });
    const results = await Promise.allSettled([client.getLocation({ vin }), client.getLocation({ vin })]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  });
});
