// One test for each defect that a review of the SDK as its users meet it has found.
import { describe, expect, test } from 'vitest';
import { ConsentError, createVehicleDataClient } from '../src/index.js';
import { failure, reply, requestId, startHttpService, success, token, vin } from './http-service.ts';
import { clientOf, errorOf, nowhere, stubbed, type UntypedClient } from './test-client.ts';

const located = success({ location: {} });

describe('a proxy that adds the access token (D1)', () => {
  test('an API key without an access token is enough, and is sent as X-Api-Key', async () => {
    const { client, sent } = stubbed(located, { accessToken: undefined, apiKey: 'key-of-this-application' });
    await client.getLocation({ vin });
    expect(sent[0]?.headers).toMatchObject({ 'x-api-key': 'key-of-this-application' });
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test('null says that no token is sent on purpose', async () => {
    const { client, sent } = stubbed(located, { accessToken: null });
    await client.getLocation({ vin });
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test('an API key is in no error', async () => {
    const apiKey = 'key-of-this-application';
    const { client } = stubbed(() => new Response(failure('9999', `no ${apiKey}`), { status: 400 }), { apiKey });
    expect(JSON.stringify(await errorOf(client.getLocation({ vin })))).not.toContain(apiKey);
  });
});

describe('a refresh (D2, D13)', () => {
  test('that never settles ends with its call, and the next call starts a new one', async () => {
    const service = await startHttpService((request, response) =>
      request.headers.authorization === 'Bearer new'
        ? reply(response, 200, located)
        : reply(response, 400, failure('4011')),
    );
    let hangs = true;
    let isGivenUp = false;
    let passDeadline: () => void = () => undefined;
    const client = clientOf(service.url, {
      clock: {
        now: Date.now,
        random: () => 0,
        after(_, run) {
          passDeadline = run;
          return () => undefined;
        },
      },
      accessToken: ({ refresh, signal }) => {
        if (!refresh) return 'old';
        if (!hangs) return 'new';
        signal.addEventListener('abort', () => {
          isGivenUp = true;
        });
        setTimeout(passDeadline);
        return new Promise(() => undefined);
      },
    });
    await expect(client.getLocation({ vin })).rejects.toMatchObject({ code: 'timeout' });
    expect(isGivenUp).toBe(true);
    hangs = false;
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  });

  test('is made once for each brand, and the function knows brand and operation', async () => {
    const service = await startHttpService((request, response) =>
      request.headers.authorization === `Bearer new-${request.headers['brand']}`
        ? reply(response, 200, located)
        : reply(response, 400, failure('4011')),
    );
    const refreshes: string[] = [];
    const client = createVehicleDataClient({
      baseUrl: service.url,
      accessToken: async ({ refresh, brand, operation }) => {
        if (!refresh) return 'old';
        refreshes.push(`${operation} ${brand}`);
        return `new-${brand}`;
      },
    });
    const brands = ['brand_a', 'brand_b', 'brand_a', 'brand_b'] as const;
    await Promise.all(brands.map((brand) => client.getLocation({ vin }, { brand })));
    expect(refreshes.toSorted()).toEqual(['getLocation brand_a', 'getLocation brand_b'].toSorted());
  });
});

/** The rejections that nothing handles while a function runs. */
async function unhandledRejections(run: () => Promise<unknown>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  await run();
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('unhandledRejection', note);
  return unhandled;
}

test('observers that throw or reject break no call and do not end the process (D3)', async () => {
  const fault = async () => {
    throw new Error('metrics down');
  };
  const throwing = () => {
    throw new Error('metrics down');
  };
  const { client } = stubbed(success({ trips: [] }), {
    hooks: { onRequest: fault, onResponse: throwing, onError: fault },
    logger: { debug: throwing, warn: fault, error: fault },
  });
  const range = { vin, from: '20260302', to: '20260303' };
  const unhandled = await unhandledRejections(async () => {
    for await (const _ of client.trips.driving(range, { onProgress: fault }));
  });
  expect(unhandled).toEqual([]);
});

describe('the stack of an error shows the code that awaits the call (D4)', () => {
  const { client, untyped } = stubbed(() => new Response(failure('4002'), { status: 400 }));
  const range = { vin, from: '20260302', to: '20260303' };
  test.each<[string, () => Promise<unknown>]>([
    ['a method', async () => await client.getLocation({ vin })],
    ['an argument', async () => await client.getLocation({ vin: '' })],
    ['withResponse()', async () => await client.getLocation({ vin }).withResponse()],
    ['raw', async () => await untyped.raw.GET('/v1/nowhere')],
    ['an iterator', async () => await client.trips.driving(range).next()],
    [
      'a loop',
      async () => {
        for await (const _ of client.trips.driving(range));
      },
    ],
  ])('of %s', async (_, call) => {
    async function loadDashboard() {
      return await call();
    }
    expect((await errorOf(loadDashboard())).stack).toContain('loadDashboard');
  });

  test('of a call that timed out', async () => {
    const slow = clientOf(nowhere, { fetch: () => new Promise(() => undefined) });
    async function loadDashboard() {
      return await slow.listVehicles({ timeoutMs: 10 });
    }
    expect((await errorOf(loadDashboard())).stack).toContain('loadDashboard');
  });
});

test('a call is a native promise, and none is rejected unhandled when only withResponse() is used (D6)', async () => {
  const { client } = stubbed(located);
  expect(client.getLocation({ vin })).toBeInstanceOf(Promise);
  const unhandled = await unhandledRejections(() => errorOf(client.getLocation({ vin: '' }).withResponse()));
  expect(unhandled).toEqual([]);
});

describe('a response that says it is no success (D7)', () => {
  const meta = { code: 500, message: 'Failed', requestId };
  test.each(['false', false, 'no', 0])(
    'success %o is an error, and a withdrawal may have taken effect',
    async (flag) => {
      const body = JSON.stringify({ data: { location: {} }, meta: { ...meta, success: flag } });
      const { client, sent } = stubbed(body, { maxRetries: 2 });
      expect(await errorOf(client.stopSharing({ vin }))).toMatchObject({
        name: 'ServiceFailureError',
        code: 'unsuccessful-response',
        mayHaveTakenEffect: true,
        resolution: 'check-effect',
        requestId,
      });
      expect(sent).toHaveLength(1);
      expect(await errorOf(client.getLocation({ vin }))).toMatchObject({
        mayHaveTakenEffect: false,
        isTemporary: true,
      });
    },
  );
});

describe('a transport (D9)', () => {
  test('is called with an address and an init, as every fetch takes them', async () => {
    const args: unknown[][] = [];
    const { client } = stubbed('', {
      fetch: async (...given) => {
        args.push(given);
        return new Response(located);
      },
    });
    await client.getLocation({ vin });
    expect(args).toEqual([
      [
        `http://127.0.0.1:1/v1/vehicles/${vin}/locations`,
        {
          method: 'GET',
          redirect: 'manual',
          signal: expect.any(AbortSignal),
          headers: { brand: 'brand_a', authorization: `Bearer ${token}` },
        },
      ],
    ]);
  });

  test('that gives no Response is a mistake in the program and not a bad network', async () => {
    const { client } = stubbed('', { fetch: async () => undefined as never });
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ name: 'ArgumentError', parameter: 'fetch' });
  });
});

describe('what is redacted (D11, D20)', () => {
  test('a short token changes no code', async () => {
    const { client } = stubbed(() => new Response(failure('overloaded'), { status: 503 }), { accessToken: 'o' });
    const call = client.stopSharing({ vin }, { maxRetries: 0 });
    expect(await errorOf(call)).toMatchObject({ code: 'overloaded', mayHaveTakenEffect: false });
  });

  test.each(['20260301-0007', 'UTC', '0123456789abcdefg'])('the request identifier %s stays', async (id) => {
    const body = failure('4002').replace(requestId, id);
    const { client } = stubbed(() => new Response(body, { status: 400 }));
    const range = { vin, startDate: '20260301', endDate: '20260301', zoneId: 'UTC' };
    expect(await errorOf(client.getDrivingData(range))).toMatchObject({ requestId: id });
  });

  test('control characters of the service reach neither code nor message', async () => {
    const { client } = stubbed(() => new Response(failure('a\nb\u001b[31m', 'c\r\nd\u202e'), { status: 400 }));
    const { code, message } = await errorOf(client.getLocation({ vin }));
    expect(`${code} ${message}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('options that cannot work are rejected, also in untyped code (D12)', () => {
  test.each<[string, object]>([
    ['retries', { retries: 3 }],
    ['hooks', { hooks: { onRequest: 1 } }],
    ['hooks', { hooks: { onAnswer: () => undefined } }],
    ['logger', { logger: {} }],
    ['timeoutMs', { timeoutMs: '100' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxConcurrency', { maxConcurrency: 0 }],
    ['brand', { brand: 'BRAND_A' }],
    ['headers', { headers: { 'bad name': 'x' } }],
    ['headers', { headers: { good: 'a\r\nb: c' } }],
    ['apiKey', { apiKey: 'a b' }],
    ['accessToken', { accessToken: 7 }],
    ['clock', { clock: {} }],
    ['fetch', { fetch: 'x' }],
  ])('%s of a client', (parameter, options) => {
    expect(() => stubbed('', options)).toThrow(expect.objectContaining({ name: 'ArgumentError', parameter }));
  });

  test.each([{ retries: 1 }, { brand: 'x' }, { accessToken: 7 }, 'brand_a', { baseUrl: 'http://x' }])(
    '%j of with()',
    (overrides) => {
      const { client } = stubbed('');
      expect(() => client.with(overrides as never)).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
    },
  );

  test('an inherited option counts, an inherited parameter does not', async () => {
    const { untyped, sent } = stubbed(located);
    await untyped.getLocation({ vin }, Object.create({ brand: 'brand_b' }));
    expect(sent).toMatchObject([{ headers: { brand: 'brand_b' } }]);
    expect(await errorOf(untyped.getLocation(Object.create({ vin })))).toHaveProperty('name', 'ArgumentError');
  });

  const days = { vin, from: '20260302', to: '20260302' };
  test.each<[string, (client: UntypedClient) => Promise<unknown>]>([
    ['an access token of one call', (client) => client.getLocation({ vin }, { accessToken: 'other' })],
    ['another name of an option', (client) => client.getLocation({ vin }, { timeout: 1 })],
    ['options as a second argument', (client) => client.listVehicles({}, { maxRetries: 1 })],
    ['an option of an iterator', async (client) => client.trips.driving(days, { retries: 1 }).next()],
  ])('%s', async (_, call) => {
    const { untyped, sent } = stubbed(located);
    expect(await errorOf(call(untyped))).toMatchObject({ name: 'ArgumentError' });
    expect(sent).toEqual([]);
  });
});

test('a call that you ended asks for nothing, a withdrawal under way for a look (D14, D27)', async () => {
  const { client } = stubbed(located);
  const aborted = AbortSignal.abort();
  expect(await errorOf(client.getLocation({ vin }, { signal: aborted }))).toMatchObject({ resolution: 'none' });
  const silent = clientOf(nowhere, { fetch: () => new Promise(() => undefined) });
  const open = { code: 'timeout', mayHaveTakenEffect: true, resolution: 'check-effect' };
  expect(await errorOf(silent.stopSharing({ vin }, { timeoutMs: 300 }))).toMatchObject(open);
});

describe('messages say what was received and what is expected (D17)', () => {
  const { untyped } = stubbed(success({ trips: [] }));
  const days = { vin, startDate: '20260302', endDate: '20260303' };
  const aDay = 'must be a real day, written yyyyMMdd as 8 digits, for example 20260302';
  test.each<['getLocation' | 'stopSharing' | 'getDrivingData', unknown, string, string | undefined]>([
    ['getLocation', { vin: 'short' }, 'vin must be 17 letters or digits; got 5 characters', 'vin'],
    ['stopSharing', {}, 'vin must be 17 letters or digits; got undefined', 'vin'],
    [
      'getDrivingData',
      { ...days, startDate: '2026-03-02' },
      `startDate ${aDay}; got 10 characters with hyphens`,
      'startDate',
    ],
    ['getDrivingData', { ...days, startDate: new Date() }, `startDate ${aDay}; got a Date`, 'startDate'],
    ['getDrivingData', { ...days, endDate: '20250229' }, `endDate ${aDay}; got a day that does not exist`, 'endDate'],
    [
      'getDrivingData',
      { ...days, zoneId: '+09:00' },
      'zoneId must be an IANA time zone name, for example Europe/Berlin; got 6 characters',
      'zoneId',
    ],
    ['getLocation', { VIN: vin }, 'parameters must be an object of vin; got the unknown name VIN', 'VIN'],
    ['getLocation', vin, 'parameters must be an object of vin; got 17 characters', undefined],
  ])('%s %j', async (method, parameters, text, parameter) => {
    const error = await errorOf(untyped[method](parameters));
    const docsUrl = 'http://127.0.0.1:1/docs/errors/invalid-argument/';
    expect(error).toMatchObject({ message: `${method}: ${text}`, parameter, docsUrl });
  });

  test('a token with "Bearer" before it', async () => {
    const { client } = stubbed(located, { accessToken: 'Bearer abc' });
    expect((await errorOf(client.getLocation({ vin }))).message).toContain('leave out "Bearer"');
  });

  test('the reasons of a proxy are in the message', async () => {
    const details = [{ in: 'query', name: 'endDate', reason: 'endDate is before startDate' }];
    const { client } = stubbed(
      () => new Response(failure('4002', 'Invalid request parameters', details), { status: 400 }),
    );
    expect((await errorOf(client.getLocation({ vin }))).message).toBe(
      'getLocation: 4002 Invalid request parameters: endDate is before startDate (HTTP 400)',
    );
  });
});

test('an error as JSON has name, message, code and facts, and no details of the service (D25)', async () => {
  const { client } = stubbed(() => new Response(failure('5006', 'No permission', [{ note: vin }]), { status: 400 }));
  const error = await errorOf(client.getLocation({ vin }));
  expect(error).toBeInstanceOf(ConsentError);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ConsentError',
    message: 'getLocation: 5006 No permission (HTTP 400)',
    code: '5006',
    resolution: 'ask-consent',
    isTemporary: false,
    mayHaveTakenEffect: false,
    operation: 'getLocation',
    status: 400,
    requestId,
    docsUrl: 'http://127.0.0.1:1/docs/errors/5006/',
    request: { method: 'GET', route: '/v1/vehicles/{vin}/locations', attempts: 1 },
    response: { status: 400, contentType: 'text/plain' },
  });
});
