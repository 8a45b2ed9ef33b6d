import { describe, expect, test, vi } from 'vitest';
import type { TokenSource } from '../src/index.js';
import { errorOf, failed, fakeTime, instantClock, later, located, named, stubbed, success, vin } from './service.ts';

/** A client of a service that rejects every token but the good ones, with the tokens that arrived and its refreshes. */
function setUp(
  source: TokenSource,
  { isGood = (token = '') => token.startsWith('new'), rejected = failed('4011') } = {},
) {
  const refreshes: string[] = [];
  const accessToken: TokenSource =
    typeof source === 'string'
      ? source
      : (request) => {
          if (request.refresh) refreshes.push(`${request.operation} ${request.brand}`);
          return source(request);
        };
  const respond = (index: number) => (isGood(tokenOf(sent[index])) ? located : rejected);
  const [onRetry, onError] = [vi.fn(), vi.fn()];
  const { client, sent } = stubbed(respond, { accessToken, clock: undefined, hooks: { onRetry, onError } });
  return { client, refreshes, arrived: () => sent.map(tokenOf), onRetry, onError };
}
type Sent = ReturnType<typeof stubbed>['sent'][number];
const tokenOf = (request: Sent | undefined) => request?.headers['authorization']?.slice('Bearer '.length);
const oldThenNew: TokenSource = ({ refresh }) => (refresh ? 'new' : 'old');

test('a client without an access token sends its API key, nothing on purpose, or lists vehicles alone', async () => {
  const { client, sent } = stubbed(success({ vehicles: [], location: {} }), { accessToken: undefined });
  await client.with({ apiKey: 'own-key' }).getLocation({ vin });
  await client.with({ accessToken: null }).getLocation({ vin });
  await client.listVehicles();
  expect(sent.map(({ headers }) => headers)).toEqual([
    { ...named, brand: 'brand_a', 'x-api-key': 'own-key' },
    { ...named, brand: 'brand_a' },
    { ...named, brand: 'brand_a' },
  ]);
  const facts = { name: 'CredentialsError', code: 'no-access-token', resolution: 'fix-credentials' };
  expect(await errorOf(client.getLocation({ vin }))).toMatchObject(facts);
});

describe('an access token that the service rejects', () => {
  test.each([
    { status: 400, code: '4011' },
    { status: 401, code: 'anything' },
  ])('is refreshed and the call is retried, a DELETE too: status $status, code $code', async ({ status, code }) => {
    for (const method of ['getLocation', 'stopSharing'] as const) {
      const { client, arrived, refreshes } = setUp(oldThenNew, { rejected: failed(code, status) });
      await client[method]({ vin });
      expect(arrived()).toEqual(['old', 'new']);
      expect(refreshes).toHaveLength(1);
    }
  });

  test('is refreshed once for each brand for concurrent calls, also where the function keeps giving the old one', async () => {
    const { client, refreshes } = setUp(({ refresh, brand }) => (refresh ? later(30, `new-${brand}`) : 'old'));
    const brands = Array.from({ length: 100 }, (_, index) => (index % 2 ? 'brand_a' : 'brand_b'));
    await Promise.all(brands.map((brand) => client.getLocation({ vin }, { brand })));
    await client.getLocation({ vin });
    expect(refreshes.toSorted()).toEqual(['getLocation brand_a', 'getLocation brand_b']);
  });

  test('is refreshed once for all calls that began before the end of a refresh that gave the same one', async () => {
    fakeTime('jumping');
    const refresh = vi.fn(() => later(5, 'same'));
    const { client } = stubbed([() => later(10, failed('4011')), () => later(0, failed('4011'))], {
      accessToken: (request) => (request.refresh ? refresh() : 'same'),
      clock: undefined,
    });
    const send = async (count: number) => {
      const errors = Array.from({ length: count }, () => errorOf(client.getLocation({ vin })));
      expect(await Promise.all(errors)).toMatchObject(Array(count).fill({ code: '4011' }));
    };
    await send(2);
    expect(refresh).toHaveBeenCalledTimes(1);
    await send(1);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  test('is refreshed at most once in one call, also by the retries that follow', async () => {
    let count = 0;
    const never = setUp(() => `token-${count++}`);
    expect(await errorOf(never.client.getLocation({ vin }))).toMatchObject({ name: 'AccessTokenError', code: '4011' });
    expect(never.arrived()).toEqual(['token-0', 'token-1']);

    const responses = [failed('4011'), failed('5001'), failed('5001'), located];
    const { client, sent } = stubbed(responses, { accessToken: oldThenNew });
    await client.getLocation({ vin });
    expect(sent.map(tokenOf)).toEqual(['old', 'new', 'new', 'new']);
  });

  test.each<{ story: string; accessToken: TokenSource; code: string }>([
    { story: 'the refresh gives the same one', accessToken: () => 'same', code: '4011' },
    { story: 'it is a fixed text', accessToken: 'fixed', code: '4011' },
    { story: 'the refresh gives none', accessToken: ({ refresh }) => (refresh ? '' : 'old'), code: 'no-access-token' },
  ])('is not sent again, and no retry is counted: $story', async ({ accessToken, code }) => {
    const { client, arrived, onRetry, onError } = setUp(accessToken);
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ code });
    expect(arrived()).toHaveLength(1);
    expect(onRetry).not.toHaveBeenCalled();
    expect(onError.mock.calls).toMatchObject([[{ attempt: 1 }, { code }]]);
  });

  test.each([
    { story: 'another', next: 'new', last: 'new' },
    { story: 'the rejected one', next: 'old', last: 'replacement' },
  ])('is asked for again where the retry waits for a rate limit, and is then $story', async ({ next, last }) => {
    fakeTime('jumping');
    const given = ['old', 'old', 'replacement', next];
    const responses = [() => later(10, failed('4011')), failed('429', 429, { 'retry-after': '15' }), located];
    const options = { accessToken: () => given.shift() ?? 'none', clock: undefined };
    const { client, sent } = stubbed(responses, options);
    const call = client.getLocation({ vin });
    await errorOf(client.getLocation({ vin }, { maxRetries: 0 }));
    await expect(call).resolves.toEqual({ location: {} });
    expect(sent.map(tokenOf)).toEqual(['old', 'old', last]);
    expect(given).toEqual([]);
  });

  test('is not asked for again where nothing has to be waited for, whatever the clock says', async () => {
    let now = Date.now();
    const clock = { ...instantClock(), now: () => now++ };
    let count = 0;
    const { client, sent } = stubbed(located, { clock, accessToken: () => `token-${count++}` });
    await client.getLocation({ vin });
    expect(sent.map(tokenOf)).toEqual(['token-0']);
  });

  test('can be refreshed again by a later call', async () => {
    let good = 'one';
    const isGood = (token?: string) => token === good;
    const { client } = setUp(({ refresh }) => (refresh ? good : 'zero'), { isGood });
    for (good of ['one', 'two', 'three']) await client.getLocation({ vin });
  });

  test.each(['5006', '429', '401', '40002'])('of the response %s is not mistaken for a bad login', async (code) => {
    const { client, refreshes } = setUp(() => 'token', { rejected: failed(code) });
    expect(await errorOf(client.getLocation({ vin }, { maxRetries: 0 }))).toMatchObject({ code });
    expect(refreshes).toEqual([]);
  });
});

test.each([
  { story: 'at its deadline', isAborted: false, timeoutMs: undefined },
  { story: 'by its signal', isAborted: true, timeoutMs: undefined },
  { story: 'by its signal, without a deadline', isAborted: true, timeoutMs: Infinity },
])(
  'a refresh that never settles is given up, and a later call starts a new one, where its call ends $story',
  async ({ isAborted, timeoutMs }) => {
    fakeTime();
    const given: AbortSignal[] = [];
    const controller = new AbortController();
    const { client } = setUp(({ refresh, signal }) => {
      if (!refresh) return 'old';
      given.push(signal);
      if (isAborted) controller.abort();
      return given.length === 1 ? new Promise(() => undefined) : 'new';
    });
    const call = errorOf(client.getLocation({ vin }, { signal: controller.signal, timeoutMs }));
    const waiting = errorOf(client.getLocation({ vin }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await call).toMatchObject({ code: isAborted ? 'aborted' : 'timeout' });
    expect(await waiting).toMatchObject({ code: 'timeout' });
    expect(given).toMatchObject([{ aborted: true }]);
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  },
);

test.each([100, 200])('a refresh that was given up and settles after %i ms changes nothing', async (settledMs) => {
  fakeTime('jumping');
  const { client, refreshes } = setUp(({ refresh }) => {
    if (!refresh) return 'old';
    return refreshes.length === 1 ? later(settledMs, 'late') : later(100, 'new');
  });
  await errorOf(client.getLocation({ vin }, { timeoutMs: 50 }));
  // While the next refresh is under way, or after it.
  const afterwards = later(settledMs - 40).then(() => client.getLocation({ vin }));
  expect(await Promise.all([client.getLocation({ vin }), afterwards])).toEqual(Array(2).fill({ location: {} }));
  expect(refreshes).toHaveLength(2);
});

test('a refresh continues until the last deadline of the calls that wait for it, and leaves no timer', async () => {
  fakeTime();
  const { client, refreshes } = setUp(({ refresh, signal }) =>
    refresh
      ? new Promise((resolve, reject) => {
          setTimeout(resolve, 100, 'new');
          signal.addEventListener('abort', () => reject(signal.reason));
        })
      : 'old',
  );
  const short = errorOf(client.getLocation({ vin }, { timeoutMs: 50 }));
  const usual = client.getLocation({ vin });
  const endless = client.getLocation({ vin }, { timeoutMs: Infinity });
  await vi.advanceTimersByTimeAsync(100);
  expect(await short).toMatchObject({ code: 'timeout' });
  expect(await Promise.all([usual, endless])).toEqual(Array(2).fill({ location: {} }));
  expect(refreshes).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a refresh whose call is aborted goes to the calls that wait for it, and leaves no timer', async () => {
  fakeTime();
  const controller = new AbortController();
  const { client, refreshes, onRetry } = setUp(({ refresh }) => (refresh ? later(30, 'new') : 'old'));
  const started = errorOf(client.getLocation({ vin }, { signal: controller.signal }));
  const waiting = client.getLocation({ vin });
  await vi.advanceTimersByTimeAsync(10);
  controller.abort();
  await vi.advanceTimersByTimeAsync(30);
  expect(await started).toHaveProperty('name', 'AbortedError');
  await expect(waiting).resolves.toEqual({ location: {} });
  expect(refreshes).toHaveLength(1);
  expect(onRetry).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  { story: 'for the first token', isRefresh: false, sent: [] },
  { story: 'for a refresh', isRefresh: true, sent: ['old', 'old'] },
])('a token function that fails ends the calls, and is called again: $story', async ({ isRefresh, sent }) => {
  const cause = new Error('the vault is shut');
  let isDown = true;
  const { client, arrived } = setUp(({ refresh }) => {
    if (isDown && refresh === isRefresh) throw cause;
    return refresh ? 'new' : 'old';
  });
  const both = [1, 2].map(() => errorOf(client.getLocation({ vin })));
  const facts = { name: 'AccessTokenError', code: 'access-token-unavailable', mayHaveTakenEffect: false, cause };
  expect(await Promise.all(both)).toMatchObject([facts, facts]);
  expect(arrived()).toEqual(sent);
  isDown = false;
  await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
});

test.each([
  { token: '', got: '0 characters' },
  { token: 'abc\r\nx-evil: 1', got: '14 characters with hyphens and white space' },
  { token: 'Bearer abc', got: '10 characters with white space' },
])(
  'what is no token is rejected before anything is sent, a fixed one at once, without being repeated: $got',
  async ({ token, got }) => {
    const { client, sent } = stubbed(located, { accessToken: () => token });
    const given = await errorOf(client.getLocation({ vin }));
    expect(given).toMatchObject({ name: 'CredentialsError', code: 'no-access-token' });
    const fixed = await errorOf((async () => client.with({ accessToken: token }))());
    expect(fixed).toMatchObject({ name: 'ArgumentError', parameter: 'accessToken' });
    for (const { message, stack } of [given, fixed]) {
      expect(message).toMatch(new RegExp(`a token without "Bearer".*; got ${got}$`));
      expect(stack).not.toMatch(/evil|abc/);
    }
    expect(sent).toEqual([]);
  },
);
