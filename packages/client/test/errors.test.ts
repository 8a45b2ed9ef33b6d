import { inspect } from 'node:util';
import { type ErrorEntry, errorCatalogue } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
// The build is another copy.
import * as another from '../dist/index.js';
import * as api from '../src/index.js';
import { errorOf, failed, failure, nowhere, requestId, silence, stubbed, success, token, vin } from './service.ts';
import { collect } from './trip-service.ts';

const { isVehicleDataError, VehicleDataError } = api;

/** The errors of a reading call and of a withdrawal. */
async function errorsOf(status: number, body: string, options: Partial<api.VehicleDataClientOptions> = {}) {
  const { client } = stubbed(new Response(body, { status }), { maxRetries: 0, ...options });
  const calls = [client.getCurrentStatus({ vin }), client.stopSharing({ vin })] as const;
  const [get, stop] = await Promise.all(calls.map(errorOf));
  return { get, stop };
}

const names: Readonly<Record<ErrorEntry['resolution'], string>> = {
  'fix-request': 'InvalidRequestError',
  'fix-credentials': 'CredentialsError',
  'refresh-token': 'AccessTokenError',
  'ask-consent': 'ConsentError',
  'no-data': 'NoDataError',
  retry: 'ServiceFailureError',
};

/** What no text can be made of. */
const noText = { toString: 1 };

describe('an error of the service', () => {
  test.each<ErrorEntry>(errorCatalogue)(
    'has the facts of the catalogue, by which it is retried, a DELETE only if it took no effect: $code',
    async (entry) => {
      const { code, message, status, resolution, temporary: isTemporary, mayHaveTakenEffect } = entry;
      const name = resolution === 'retry' && status === 429 ? 'RateLimitError' : names[resolution];
      const { get, stop } = await errorsOf(status, failure(code, message));
      const docsUrl = `${nowhere}/docs/errors/${code}/`;
      const facts = { name, code, status, requestId, resolution, isTemporary, docsUrl };
      expect(get).toMatchObject({ ...facts, operation: 'getCurrentStatus', mayHaveTakenEffect: false });
      const ofStop = { operation: 'stopDataSharing', resolution: mayHaveTakenEffect ? 'check-effect' : resolution };
      expect(stop).toMatchObject({ ...facts, ...ofStop, mayHaveTakenEffect });
      expect(String(get)).toBe(`${name}: getCurrentStatus: ${code} ${message} (HTTP ${status})`);
      const { client, sent } = stubbed(failed(code, status), { accessToken: null });
      await errorOf(client.getCurrentStatus({ vin }));
      const attempts = resolution === 'retry' ? 3 : 1;
      expect(sent).toHaveLength(attempts);
      await errorOf(client.stopSharing({ vin }));
      expect(sent).toHaveLength(attempts + (mayHaveTakenEffect ? 1 : attempts));
    },
  );

  test.each([
    { code: '5006', status: 401, type: api.ConsentError, isTemporary: false, mayHaveTakenEffect: false },
    { code: '4045', status: 200, type: api.NoDataError, isTemporary: true, mayHaveTakenEffect: false },
    { code: '5001', status: 400, type: api.ServiceFailureError, isTemporary: true, mayHaveTakenEffect: true },
    // An unknown code.
    { code: '7777', status: 400, type: api.InvalidRequestError, isTemporary: false, mayHaveTakenEffect: false },
    { code: '7777', status: 401, type: api.AccessTokenError, isTemporary: false, mayHaveTakenEffect: false },
    { code: '7777', status: 403, type: api.CredentialsError, isTemporary: false, mayHaveTakenEffect: false },
    { code: '7777', status: 404, type: api.InvalidRequestError, isTemporary: false, mayHaveTakenEffect: false },
    { code: '7777', status: 408, type: api.ServiceFailureError, isTemporary: true, mayHaveTakenEffect: false },
    { code: '7777', status: 410, type: api.InvalidRequestError, isTemporary: false, mayHaveTakenEffect: false },
    { code: '7777', status: 429, type: api.RateLimitError, isTemporary: true, mayHaveTakenEffect: false },
    { code: '7777', status: 500, type: api.ServiceFailureError, isTemporary: true, mayHaveTakenEffect: true },
    { code: '7777', status: 503, type: api.ServiceFailureError, isTemporary: true, mayHaveTakenEffect: true },
  ] as const)(
    'is classed by its code first, by its status second: $code, $status',
    async ({ code, status, type, isTemporary, mayHaveTakenEffect }) => {
      const { get, stop } = await errorsOf(status, failure(code));
      expect(get).toMatchObject({ name: type.name, code, status, isTemporary, mayHaveTakenEffect: false });
      expect(stop).toMatchObject({ name: type.name, isTemporary, mayHaveTakenEffect });
      for (const one of [type, VehicleDataError, Error]) expect(get).toBeInstanceOf(one);
    },
  );

  test('has the reasons of a proxy in its message and its details', async () => {
    const details = [{ in: 'query', name: 'endDate', reason: 'endDate is before startDate' }];
    const { get } = await errorsOf(400, failure('4002', 'Invalid request parameters', details));
    const message = 'getCurrentStatus: 4002 Invalid request parameters: endDate is before startDate (HTTP 400)';
    expect(get).toMatchObject({ message, details });
  });

  test.each([
    { code: 4002, message: null, text: '4002' },
    { code: '4002', message: noText, text: '4002' },
    { code: noText, message: 'x', text: '' },
  ])(
    'is still a typed error, whatever the form of code and message: $code, $message',
    async ({ code, message, text }) => {
      const body = JSON.stringify({ error: { code, message, details: 'none' } });
      const { get, stop } = await errorsOf(400, body);
      for (const error of [get, stop])
        expect(error).toMatchObject({ name: 'InvalidRequestError', code: text, status: 400, details: [] });
    },
  );

  test.each(['false', false, 'no', 0, noText])(
    'is also a success %o, without data too, and a withdrawal may be done',
    async (flag) => {
      const { client } = stubbed(success({}, flag), { maxRetries: 0 });
      const facts = { name: 'ServiceFailureError', code: 'unsuccessful-response', requestId, isTemporary: true };
      expect(await errorOf(client.getLocation({ vin }))).toMatchObject({ ...facts, mayHaveTakenEffect: false });
      const open = { mayHaveTakenEffect: true, resolution: 'check-effect' };
      expect(await errorOf(client.stopSharing({ vin }))).toMatchObject({ ...facts, ...open });
    },
  );
});

describe('the stack of an error shows the code that awaits the call', () => {
  const { client, untyped } = stubbed(failed('4002'));
  const { client: slow } = stubbed(silence, { clock: undefined });
  const range = { vin, from: '20260302', to: '20260303' };
  test.each<[string, () => Promise<unknown>]>([
    ['a method', async () => await client.getLocation({ vin })],
    ['an argument', async () => await client.getLocation({ vin: '' })],
    ['withResponse()', async () => await client.getLocation({ vin }).withResponse()],
    ['raw', async () => await untyped.raw.GET('/v1/nowhere')],
    ['an iterator', async () => await client.trips.driving(range).next()],
    ['a loop', async () => await collect(client.trips.driving(range))],
    ['a call that timed out', async () => await slow.listVehicles({ timeoutMs: 10 })],
  ])('of %s', async (_, call) => {
    async function loadDashboard() {
      return await call();
    }
    expect((await errorOf(loadDashboard())).stack).toContain('loadDashboard');
  });
});

describe('what is redacted', () => {
  test('a response that repeats the request is kept out of message and request identifier', async () => {
    const body = failure('9999', `no ${vin} for ${token} at /x?startDate=20260302`).replace(requestId, vin);
    const { get } = await errorsOf(400, body);
    const message = 'getCurrentStatus: 9999 no … for … at /x… (HTTP 400)';
    expect(get).toMatchObject({ message, requestId: undefined });
    expect(JSON.stringify(get)).not.toContain(vin);
  });

  test.each([
    { accessToken: 'o', code: 'overloaded' },
    { accessToken: 'overload', code: '…ed' },
  ])('a token changes nothing but the text of a code: $accessToken', async ({ accessToken, code }) => {
    const { stop } = await errorsOf(503, failure('overloaded'), { accessToken });
    expect(stop).toMatchObject({ code, isTemporary: true, mayHaveTakenEffect: false });
  });

  test.each(['20260301-0007', 'UTC', '0123456789abcdefg'])('the request identifier %s stays', async (id) => {
    const { client } = stubbed(new Response(failure('4002').replace(requestId, id), { status: 400 }));
    const range = { vin, startDate: '20260301', endDate: '20260301', zoneId: 'UTC' };
    expect(await errorOf(client.getDrivingData(range))).toMatchObject({ requestId: id });
  });

  test('control characters of the service reach neither code nor message, and an API key no text', async () => {
    const apiKey = 'key-of-this-application';
    const { get } = await errorsOf(400, failure('a\nb\u001b[31m', `c\r\nd\u202e ${apiKey}`), { apiKey });
    expect(`${get?.code} ${get?.message}`).not.toMatch(/[\p{Cc}\p{Cf}]|key-of/u);
    // Nor an address.
    expect(get).toHaveProperty('docsUrl', undefined);
  });
});

test('an error shows no details of the service when it is printed, nor as JSON, which has all other facts', async () => {
  const { get } = await errorsOf(400, failure('5006', 'No permission', [{ note: vin }]));
  expect(get?.details).toEqual([{ note: vin }]);
  expect(inspect(get)).toContain("code: '5006'");
  expect(inspect(get)).not.toContain(vin);
  expect(JSON.parse(JSON.stringify(get))).toEqual({
    name: 'ConsentError',
    message: 'getCurrentStatus: 5006 No permission (HTTP 400)',
    code: '5006',
    resolution: 'ask-consent',
    isTemporary: false,
    mayHaveTakenEffect: false,
    operation: 'getCurrentStatus',
    status: 400,
    requestId,
    docsUrl: `${nowhere}/docs/errors/5006/`,
    request: { method: 'GET', route: '/v1/vehicles/{vin}/batteries', attempts: 1 },
    response: { status: 400, contentType: 'text/plain' },
  });
});

test('a call is a native promise, and none is rejected unhandled when only withResponse() is used', async () => {
  const { client } = stubbed(success({ location: {} }));
  expect(client.getLocation({ vin })).toBeInstanceOf(Promise);
  // An unhandled rejection would fail this run.
  await errorOf(client.getLocation({ vin: '' }).withResponse());
});

test('isVehicleDataError() knows the errors of another copy of this package, and no other value', () => {
  const facts = { code: 'x', resolution: 'retry', isTemporary: true, mayHaveTakenEffect: false } as const;
  const foreign = new another.NoDataError('text', facts);
  expect(foreign).not.toBeInstanceOf(VehicleDataError);
  expect(isVehicleDataError(foreign)).toBe(true);
  for (const value of [undefined, null, 'text', {}, new Error('text'), new TypeError('fetch failed')]) {
    expect(isVehicleDataError(value)).toBe(false);
  }
});

test('the raw style gives the error envelope of the service as it came, after the retries of what is temporary', async () => {
  const { client, sent } = stubbed(failed('overloaded', 503));
  const { data, error, response } = await client.raw.GET('/v1/vehicles/consent');
  expect([data, error, response.status]).toEqual([undefined, JSON.parse(failure('overloaded')), 503]);
  expect(sent).toHaveLength(3);
});
