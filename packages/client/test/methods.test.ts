import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type Attempt, createVehicleDataClient, isVehicleDataError, type Transport } from '../src/index.js';
import {
  clientOf,
  errorOf,
  located,
  named,
  nowhere,
  stubbed,
  success,
  token,
  type UntypedClient,
  vin,
} from './service.ts';

const listed = success({ vehicles: [{ vin, type: 'EV' }] });
const headersOf = (sent: readonly { readonly headers: object }[]) => sent.map(({ headers }) => headers);

describe('the methods', () => {
  test('a call sends method, path, brand and token, by address and init as every fetch takes them', async () => {
    const fetch = vi.fn<Transport>(async () => new Response(listed));
    const client = clientOf(`${nowhere}/cars/`, { fetch });
    await expect(client.listVehicles()).resolves.toEqual({ vehicles: [{ vin, type: 'EV' }] });
    await client.stopSharing({ vin });
    const headers = { ...named, brand: 'brand_a', authorization: `Bearer ${token}` };
    const init = { method: 'GET', redirect: 'manual', signal: expect.any(AbortSignal), headers };
    const address = `${nowhere}/cars/v1/vehicles/consent`;
    // Bun repeats a DELETE on a connection that it keeps.
    const once = { ...init, method: 'DELETE', keepalive: false };
    expect(fetch.mock.calls).toEqual([
      [address, init],
      [`${address}?vin=${vin}`, once],
    ]);
  });

  // Exactly seven days, also over a clock change and a leap day.
  test.each([
    { startDate: '20260302', endDate: '20260309' },
    { startDate: '20230324', endDate: '20230331' },
    { startDate: '20240226', endDate: '20240304' },
  ])('send parameters where the contract has them: $startDate', async ({ startDate, endDate }) => {
    const { client, sent } = stubbed(success({ trips: [] }), { accessToken: async () => token });
    await client.getDrivingData({ vin, startDate, endDate, zoneId: 'Europe/Berlin' });
    await client.getPowertrainData({ vin, startDate, endDate });
    const query = `startDate=${startDate}&endDate=${endDate}`;
    expect(sent.map(({ url }) => url)).toEqual([
      `/v1/vehicles/${vin}/driving/data?${query}&zoneId=Europe%2FBerlin`,
      `/v1/vehicles/${vin}/powertrains/data?${query}`,
    ]);
  });
});

const timestamp = '2026-03-09T06:59:48Z';
test.each([
  { flag: 'true', data: { timestamp }, dataAgeMs: 12_000 },
  { flag: true, data: {}, dataAgeMs: null },
])(
  'withResponse() gives success as a boolean, and the age of data: success $flag, data $data',
  async ({ flag, data, dataAgeMs }) => {
    const { client, sent } = stubbed(new Response(success(data, flag), { headers: { 'x-extra': 'yes' } }));
    const call = client.getCurrentStatus({ vin });
    const [awaited, response] = await Promise.all([call, call.withResponse()]);
    const meta = { success: true, code: 200, message: 'Success' };
    expect(response).toMatchObject({ data, meta, status: 200, requestId: expect.any(String), dataAgeMs });
    expect(response.headers.get('x-extra')).toBe('yes');
    expect(response.data).toBe(awaited);
    expect(sent).toHaveLength(1);
  },
);

describe('arguments are checked before anything is sent', () => {
  const range = { vin, startDate: '20260302', endDate: '20260309' };
  const from = (startDate: unknown) => ({ ...range, startDate });
  const aVin = 'vin must be 17 ASCII digits or letters; got';
  const aDay = 'startDate must be a real day, written yyyyMMdd as 8 ASCII digits, for example 20260302; got';
  const aZone = 'zoneId must be an IANA time zone name, for example Europe/Berlin; got';
  const days = `endDate must be 0 to ${operations.getDrivingData.dateRange.maxDays} days after startDate; got`;
  test.each<{
    method: 'getLocation' | 'stopSharing' | 'getDrivingData';
    value: unknown;
    text: string;
    parameter: string | undefined;
  }>([
    {
      method: 'getLocation',
      value: { vin: `${vin}\n` },
      text: `${aVin} 18 characters with white space`,
      parameter: 'vin',
    },
    { method: 'stopSharing', value: {}, text: `${aVin} undefined`, parameter: 'vin' },
    {
      method: 'getDrivingData',
      value: from('2026-03-02'),
      text: `${aDay} 10 characters with hyphens`,
      parameter: 'startDate',
    },
    {
      method: 'getDrivingData',
      value: from('２０２６０３０２'),
      text: `${aDay} 8 characters with characters beyond ASCII`,
      parameter: 'startDate',
    },
    { method: 'getDrivingData', value: from(new Date()), text: `${aDay} a Date`, parameter: 'startDate' },
    { method: 'getDrivingData', value: from(20260302), text: `${aDay} a Number`, parameter: 'startDate' },
    {
      method: 'getDrivingData',
      value: from('20250229'),
      text: `${aDay} a day that does not exist`,
      parameter: 'startDate',
    },
    { method: 'getDrivingData', value: from('20260310'), text: `${days} -1 days`, parameter: 'endDate' },
    { method: 'getDrivingData', value: from('20250302'), text: `${days} 372 days`, parameter: 'endDate' },
    {
      method: 'getDrivingData',
      value: { ...range, zoneId: '+09:00' },
      text: `${aZone} 6 characters`,
      parameter: 'zoneId',
    },
    {
      method: 'getDrivingData',
      value: { ...range, zoneId: '\ud800' },
      text: `${aZone} 1 character with characters beyond ASCII`,
      parameter: 'zoneId',
    },
    {
      method: 'getLocation',
      value: { VIN: vin },
      text: 'parameters must be an object of vin; got the unknown name VIN',
      parameter: 'VIN',
    },
    {
      method: 'getLocation',
      value: vin,
      text: 'parameters must be an object of vin; got 17 characters',
      parameter: undefined,
    },
  ])(
    'the message says what was received and what is expected: $method, $text',
    async ({ method, value, text, parameter }) => {
      const { untyped, sent } = stubbed('');
      expect(await errorOf(untyped[method](value))).toMatchObject({
        name: 'ArgumentError',
        code: 'invalid-argument',
        resolution: 'fix-request',
        isTemporary: false,
        mayHaveTakenEffect: false,
        message: `${method}: ${text}`,
        parameter,
        docsUrl: `${nowhere}/docs/errors/invalid-argument/`,
      });
      expect(sent).toEqual([]);
    },
  );
});

describe('options that cannot work are rejected, also in untyped code', () => {
  test.each<{ parameter: string; options: object }>([
    { parameter: 'retries', options: { retries: 3 } },
    { parameter: 'onRequest', options: { hooks: { onRequest: 1 } } },
    { parameter: 'onAnswer', options: { hooks: { onAnswer: () => undefined } } },
    { parameter: 'logger', options: { logger: {} } },
    { parameter: 'timeoutMs', options: { timeoutMs: '100' } },
    { parameter: 'timeoutMs', options: { timeoutMs: 0 } },
    { parameter: 'maxRetries', options: { maxRetries: -1 } },
    { parameter: 'maxConcurrency', options: { maxConcurrency: 0 } },
    { parameter: 'maxConcurrency', options: { maxConcurrency: '7' } },
    { parameter: 'brand', options: { brand: 'BRAND_A' } },
    { parameter: 'headers', options: { headers: { 'bad name': 'x' } } },
    { parameter: 'headers', options: { accessToken: null, headers: { Authorization: 'Bearer other' } } },
    { parameter: 'headers', options: { headers: { good: 'a\r\nb: c' } } },
    { parameter: 'headers', options: { headers: new Headers({ brand: 'b' }) } },
    { parameter: 'headers', options: { headers: new Map([['a', 'b']]) } },
    { parameter: 'responses', options: { validate: {} } },
    { parameter: 'mode', options: { validate: { responses: () => ({ ok: true }), mode: 'Enforce' } } },
    { parameter: 'level', options: { validate: { responses: () => ({ ok: true }), level: 'enforce' } } },
    { parameter: 'apiKey', options: { apiKey: 'a b' } },
    { parameter: 'accessToken', options: { accessToken: 7 } },
    { parameter: 'clock', options: { clock: {} } },
    { parameter: 'fetch', options: { fetch: 'x' } },
    ...['', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', 'http://127.0.0.1/?a=b', 'nonsense', 5, undefined].map(
      (baseUrl) => ({ parameter: 'baseUrl', options: { baseUrl } }),
    ),
  ])('of a client: %j', ({ parameter, options }) => {
    expect(() => stubbed('', options)).toThrow(expect.objectContaining({ name: 'ArgumentError', parameter }));
  });

  const overrides = [{ retries: 1 }, { brand: 'x' }, { accessToken: 7 }, 'brand_a', { baseUrl: 'http://x' }];
  test.each([
    ...[undefined, null, 7, nowhere, {}].map((value) => ({ owner: 'a client', value, make: createVehicleDataClient })),
    ...overrides.map((value) => ({ owner: 'with()', value, make: clientOf(nowhere).with })),
  ])('that are no options: those of $owner, $value', ({ value, make }) => {
    expect(() => make(value as never)).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
  });

  test('an inherited option counts, an inherited parameter does not', async () => {
    const { untyped, sent } = stubbed(located);
    await untyped.getLocation({ vin }, Object.create({ brand: 'brand_b' }));
    expect(sent).toMatchObject([{ headers: { brand: 'brand_b' } }]);
    expect(await errorOf(untyped.getLocation(Object.create({ vin })))).toHaveProperty('name', 'ArgumentError');
  });

  const days = { vin, from: '20260302', to: '20260302' };
  const consent = '/v1/vehicles/consent';
  test.each<[string, (client: UntypedClient) => Promise<unknown>]>([
    ['an access token of one call', (client) => client.getLocation({ vin }, { accessToken: 'other' })],
    ['another name of an option', (client) => client.getLocation({ vin }, { timeout: 1 })],
    ['options as a second argument', (client) => client.listVehicles({}, { maxRetries: 1 })],
    ['an option of an iterator', async (client) => client.trips.driving(days, { retries: 1 }).next()],
    ['an unknown brand', (client) => client.listVehicles({ brand: 'Brand_A' })],
    ['headers of an iterable', (client) => client.listVehicles({ headers: new Map([['a', 'b']]) as never })],
    ['parameters of an iterable', (client) => client.getLocation(Object.assign(new Map(), { vin }))],
    ['raw: another place of parameters', ({ raw }) => raw.GET(consent, { params: { header: {} } })],
    ['raw: a text as query', ({ raw }) => raw.GET(consent, { params: { query: 'vin' } })],
  ])('%s', async (_, call) => {
    const { untyped, sent } = stubbed(located);
    expect(await errorOf(call(untyped))).toMatchObject({ name: 'ArgumentError' });
    expect(sent).toEqual([]);
  });

  test('a call without a brand', async () => {
    const { client } = stubbed(listed, { brand: undefined });
    expect(await errorOf(client.listVehicles())).toMatchObject({ name: 'ArgumentError', parameter: 'brand' });
  });
});

describe('arguments count as they were at the call, so that a loop can use one object again:', () => {
  const params = { query: { vin } };
  const parsed = { query: Object.assign(Object.create(null) as { vin?: string }, { vin }) };
  const range = { vin, from: '20260302', to: '20260302' };
  const request = { series: 'driving', vin: [vin], since: '20260309' };
  const options = { brand: 'brand_a', headers: { 'x-vin': vin } };
  const changeTo = (next: string, brand: string) => {
    options.brand = brand;
    options.headers['x-vin'] = params.query.vin = parsed.query.vin = range.vin = request.vin[0] = next;
  };
  const path = '/v1/vehicles/consent';
  type Later = { next(): Promise<unknown> };
  const begun = (call: Promise<unknown>): Later => ({ next: () => call });
  test.each<[string, (client: UntypedClient) => Later]>([
    ['a method', (client) => begun(client.stopSharing(params.query, options))],
    ['raw', ({ raw }) => begun(raw.DELETE(path, { params, ...options }))],
    ['raw with a parsed query', ({ raw }) => begun(raw.DELETE(path, { params: parsed, ...options }))],
    ['an iterator', ({ trips }) => trips.driving(range, options)],
    ['a sync', ({ trips }) => trips.sync(request, options)],
  ])('%s', async (_, call) => {
    const { untyped, sent } = stubbed(success({ trips: [] }));
    const calls = ['brand_a', 'brand_b', 'brand_c'].map((brand, index) => ({ brand, vin: `SANDB0XA00000000${index}` }));
    const begun = calls.map(({ vin, brand }) => {
      changeTo(vin, brand);
      return call(untyped);
    });
    changeTo('', '');
    for (const one of begun) await one.next();
    const found = sent.map(({ url, headers }) => [/SANDB\w+/.exec(url)?.[0], headers['brand'], headers['x-vin']]);
    expect(found).toEqual(calls.map(({ brand, vin }) => [vin, brand, vin]));
  });
});

describe('client.with()', () => {
  test('is the same client for another user and brand, and options of one call win', async () => {
    const { client, sent } = stubbed(located, { accessToken: 'token-one', headers: { 'x-app': 'a' } });
    const headers = { 'x-user': 'b' };
    const other = client.with({ brand: 'brand_b', accessToken: 'token-two', apiKey: 'key-two', headers });
    await client.getLocation({ vin });
    await other.getLocation({ vin });
    await other.with({ brand: 'brand_c' }).getLocation({ vin });
    await other.getLocation({ vin }, { brand: 'brand_c', headers: { 'x-user': 'c' } });
    const ofOther = {
      ...named,
      authorization: 'Bearer token-two',
      'x-api-key': 'key-two',
      'x-app': 'a',
      'x-user': 'b',
    };
    expect(headersOf(sent)).toEqual([
      { ...named, brand: 'brand_a', authorization: 'Bearer token-one', 'x-app': 'a' },
      { brand: 'brand_b', ...ofOther },
      { brand: 'brand_c', ...ofOther },
      { brand: 'brand_c', ...ofOther, 'x-user': 'c' },
    ]);
  });

  test('with a signal that is aborted sends none of its calls, as a call with one, and those of the client', async () => {
    const { client, sent } = stubbed(located);
    const signal = AbortSignal.abort();
    const scoped = client.with({ signal });
    const trips = scoped.trips.driving({ vin, from: '20260302', to: '20260302' });
    const raw = scoped.raw.GET('/v1/vehicles/consent');
    const calls = [client.listVehicles({ signal }), scoped.listVehicles(), raw, trips.next()];
    const reason = { name: 'AbortedError', resolution: 'none' };
    expect(await Promise.allSettled(calls)).toMatchObject(Array(4).fill({ reason }));
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
    expect(sent).toHaveLength(1);
  });
});

describe('headers', () => {
  test('of a function are made for each attempt, as trace context needs them', async () => {
    const headers = vi.fn(async ({ attempt }: Attempt) => ({ traceparent: `00-${attempt}` }));
    const { client, sent } = stubbed([new Response(located, { status: 503 }), located], { headers });
    await client.getLocation({ vin });
    const call = { operation: 'getLocation', method: 'GET', route: '/v1/vehicles/{vin}/locations', brand: 'brand_a' };
    expect(headers.mock.calls).toEqual([[{ ...call, attempt: 1 }], [{ ...call, attempt: 2 }]]);
    expect(headersOf(sent)).toMatchObject([{ traceparent: '00-1' }, { traceparent: '00-2' }]);
  });

  test.each([
    ...['x', new Map(), { 'a b': 'c' }, { a: 'b\nc' }],
    // Those of the client, in place of which nothing else may be sent or repeated in messages.
    ...[{ Brand: 'brand_b' }, { authorization: 'Bearer other' }, { 'X-API-Key': 'other' }],
  ])('%j that cannot be sent are named', async (headers) => {
    const { client, sent } = stubbed(located, { headers: () => headers as never });
    const facts = { name: 'ArgumentError', parameter: 'headers' };
    expect(await errorOf(client.getLocation({ vin }))).toMatchObject(facts);
    expect(sent).toEqual([]);
  });

  test('of a function that fails end the call with its error as the cause, or with that of another call as it is', async () => {
    let cause: unknown = new Error('no trace');
    const { client } = stubbed(located, { headers: () => Promise.reject(cause) });
    const message = 'getLocation: headers failed';
    const error = await errorOf(client.getLocation({ vin }));
    expect(error).toMatchObject({ message, parameter: 'headers', cause });
    cause = error;
    expect(await errorOf(client.getLocation({ vin }))).toBe(cause);
  });
});

// Values that untyped code passes by mistake, wherever types say otherwise.
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, -1, true, vin, '..', '20260302', [], {}, Symbol('x'), Number.NaN, () => vin),
  fc.anything(),
);
const recordOf = (model: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(anything, fc.record(model, { requiredKeys: [] }));
const maxRetries = fc.constantFrom(0, -1, null);
const options = recordOf({ signal: anything, maxRetries, headers: anything, brand: anything });
const parameters = recordOf({ vin: anything, startDate: anything, endDate: anything, zoneId: anything });

test('whatever is passed to whatever, only errors of this package come out, and no DELETE leaves without a VIN', async () => {
  const { untyped, sent } = stubbed(success({ vehicles: [], trips: [], location: {} }), { clock: undefined });
  const { raw, trips } = untyped;
  const days = { vin, from: '20260101', to: '20260102' };
  const calls: readonly ((one: unknown, two: unknown) => unknown)[] = [
    (one, two) => untyped.listVehicles(two, one),
    (one, two) => untyped.getLocation(one, two),
    (one, two) => untyped.getDrivingData(one, two),
    (one, two) => untyped.stopSharing(one, two),
    (one, two) => raw.GET(one, two),
    (one, two) => raw.GET('/v1/vehicles/{vin}/locations', { params: { path: one }, ...Object(two) }),
    (one, two) => raw.DELETE('/v1/vehicles/consent', { params: { query: one }, ...Object(two) }),
    (_, two) => raw.DELETE('/v1/vehicles/consent', two),
    (one, two) => trips.driving(one, two).next(),
    (one, two) => trips.driving({ vin, from: one, to: one }, two).next(),
    (one, two) => trips.driving(days, { cursor: one, windowDays: two }).next(),
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), parameters, options, async (call, one, two) => {
      try {
        await call(one, two);
      } catch (error) {
        if (!isVehicleDataError(error)) throw error;
      }
    }),
    { seed: 20_261_121, numRuns: 1_500, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
  );
  for (const { method, url } of sent) if (method === 'DELETE') expect(url).toMatch(/\?vin=[0-9A-Za-z]{17}$/);
});
