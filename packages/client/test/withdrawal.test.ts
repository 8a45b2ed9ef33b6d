import { describe, expect, test, vi } from 'vitest';
import type { VehicleDataClientOptions } from '../src/index.js';
import { errorOf, failure, silence, stubbed, success, type UntypedClient, vin } from './service.ts';

const done = success({});
const path = '/v1/vehicles/consent';

test('sharing is stopped for one vehicle, by the method and by the raw style', async () => {
  const { client, sent } = stubbed(done);
  await expect(client.stopSharing({ vin })).resolves.toEqual({});
  const { data, error, response } = await client.raw.DELETE(path, { params: { query: { vin } } });
  expect([data, error, response.status]).toEqual([JSON.parse(done), undefined, 200]);
  const request = { method: 'DELETE', url: `${path}?vin=${vin}` };
  expect(sent).toMatchObject([request, request]);
});

test('sharing is stopped for all vehicles when the brand in effect is repeated', async () => {
  const { client, sent } = stubbed(done);
  await client.stopSharingForAllVehicles({ brand: 'brand_a' });
  await client.stopSharingForAllVehicles({ brand: 'brand_b' }, { brand: 'brand_b' });
  const other = client.with({ brand: 'brand_c' });
  await other.stopSharingForAllVehicles({ brand: 'brand_c' });
  expect(await errorOf(other.stopSharingForAllVehicles({ brand: 'brand_a' }))).toHaveProperty('name', 'ArgumentError');
  expect(sent).toMatchObject(
    ['brand_a', 'brand_b', 'brand_c'].map((brand) => ({ method: 'DELETE', url: path, headers: { brand } })),
  );
});

test('VIN and brand are read once, so that a getter cannot change them after the check', async () => {
  const { untyped, sent } = stubbed(done);
  const once = (name: string, first: string, later: string) => {
    let reads = 0;
    return Object.defineProperty({}, name, { enumerable: true, get: () => (reads++ ? later : first) });
  };
  await untyped.stopSharing(once('vin', vin, ''));
  await untyped.stopSharingForAllVehicles({ brand: 'brand_a' }, once('brand', 'brand_a', 'brand_b'));
  expect(sent).toMatchObject([{ url: `${path}?vin=${vin}` }, { url: path, headers: { brand: 'brand_a' } }]);
});

const cyclic: Error = new TypeError('the connection broke');
cyclic.cause = cyclic;
const fail = () => {
  throw cyclic;
};
const noResponse = { status: 200, data: {} } as object as Response;
const noHeaders = { headers: { get: () => 7 } } as object as Response;
const redirected = Object.defineProperty(new Response(done), 'redirected', { value: true });
test.each<[string, Partial<VehicleDataClientOptions>, object]>([
  ['whose check throws', { validate: { responses: fail } }, { message: 'stopSharing: validate.responses failed' }],
  ['that is undefined', { fetch: async () => undefined as never }, { parameter: 'fetch' }],
  ['that is no Response', { fetch: async () => noResponse }, { message: 'stopSharing: fetch must give a Response' }],
  ['whose headers cannot be read', { fetch: async () => noHeaders }, { code: 'invalid-argument' }],
  ['of another address', { fetch: async () => redirected }, { code: 'redirect-rejected' }],
  ['that breaks with a cyclic cause', { fetch: () => Promise.reject(cyclic) }, { code: 'connection-failed' }],
  ['that does not come in time (D27)', { fetch: silence, timeoutMs: 10, clock: undefined }, { code: 'timeout' }],
])('a response %s leaves open what was done, and the request is not sent again', async (_, options, more) => {
  const onRequest = vi.fn();
  const { client } = stubbed(done, { ...options, hooks: { onRequest } });
  const found = { mayHaveTakenEffect: true, resolution: 'check-effect', operation: 'stopDataSharing', ...more };
  expect(await errorOf(client.stopSharing({ vin }))).toMatchObject(found);
  expect(onRequest).toHaveBeenCalledOnce();
});

describe('before any request', () => {
  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['an empty string', ''],
    ['an empty list', []],
    ['a list with a VIN', [vin]],
    ['two dots', '..'],
    ['a number', 12_345_678_901_234_568],
    ['an object', { toString: () => vin }],
    ['a VIN with a query', `${vin}&vin=`],
    ['a boxed VIN', Object(vin)],
    ['16 characters', vin.slice(1)],
    ['18 characters', `${vin}0`],
  ])('%s as VIN is rejected', async (_, value) => {
    const { untyped, sent } = stubbed(done);
    const calls = [
      untyped.stopSharing({ vin: value }),
      untyped.stopSharing(value),
      untyped.raw.DELETE(path, { params: { query: { vin: value } } }),
      untyped.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin: value } } }),
    ];
    const rejected = { status: 'rejected', reason: { name: 'ArgumentError' } };
    expect(await Promise.allSettled(calls)).toMatchObject(Array(4).fill(rejected));
    expect(sent).toEqual([]);
  });

  const one = ({ stopSharing }: UntypedClient) => stopSharing;
  const all = ({ stopSharingForAllVehicles }: UntypedClient) => stopSharingForAllVehicles;
  const raw = (client: UntypedClient) => client.raw.DELETE;
  const params = { query: { vin } };
  test.each<[string, typeof one, readonly unknown[]]>([
    ['one vehicle: nothing', one, []],
    ['one vehicle: an empty object', one, [{}]],
    ['one vehicle: another name', one, [{ Vin: vin }]],
    ['one vehicle: a brand beside it', one, [{ vin, brand: 'brand_a' }]],
    ['one vehicle: an inherited VIN', one, [Object.create({ vin })]],
    ['all vehicles: nothing', all, []],
    ['all vehicles: an empty object', all, [{}]],
    ['all vehicles: another brand', all, [{ brand: 'brand_b' }]],
    ['all vehicles: undefined', all, [{ brand: undefined }]],
    ['all vehicles: undefined, of a client without a brand', all, [{ brand: undefined }, { brand: undefined }]],
    ['all vehicles: a list', all, [{ brand: ['brand_a'] }]],
    ['all vehicles: a VIN beside it', all, [{ brand: 'brand_a', vin }]],
    ['raw: no options', raw, [path]],
    ['raw: no params', raw, [path, {}]],
    ['raw: no query', raw, [path, { params: {} }]],
    ['raw: an empty query', raw, [path, { params: { query: {} } }]],
    ['raw: a list of params', raw, [path, { params: [vin] }]],
    ['raw: a query in the path', raw, [`${path}?vin=${vin}`]],
    ['raw: a path with dots', raw, ['/v1/vehicles/{vin}/../consent', { params: { path: { vin } } }]],
    ['raw: a serializer that drops the VIN', raw, [path, { params, querySerializer: () => '' }]],
    ['raw: another address', raw, [path, { params, baseUrl: 'http://127.0.0.1:9' }]],
    ['raw: another transport', raw, [path, { params, fetch: () => new Response(done) }]],
    ['raw: middleware', raw, [path, { params, middleware: [{ onRequest: () => new Request('http://x') }] }]],
  ])('%s is rejected', async (name, method, args) => {
    const { untyped, sent } = stubbed(done, name.includes('without a brand') ? { brand: undefined } : {});
    expect(await errorOf(method(untyped)(...args))).toHaveProperty('name', 'ArgumentError');
    expect(sent).toEqual([]);
  });
});

test.each([
  ['a page', '<h1>401</h1>'],
  ['a code that leaves it open', failure('5001')],
  ['a code of the proxy that leaves it open', failure('upstream-timeout')],
])('a DELETE is not retried with a new token where HTTP 401 comes with %s', async (_, body) => {
  let token = 'old';
  const accessToken = ({ refresh }: { refresh: boolean }) => {
    if (refresh) token = 'new';
    return token;
  };
  const { client, sent } = stubbed([new Response(body, { status: 401 }), done], { accessToken });
  const facts = { mayHaveTakenEffect: true, resolution: 'check-effect' };
  expect(await errorOf(client.stopSharing({ vin }))).toMatchObject(facts);
  expect(sent).toHaveLength(1);
  // The next call has a new one all the same.
  await client.stopSharing({ vin });
  expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer old', 'Bearer new']);
});
