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
test.each<{ story: string; options: Partial<VehicleDataClientOptions>; more: object }>([
  {
    story: 'whose check throws',
    options: { validate: { responses: fail } },
    more: { message: 'stopSharing: validate.responses failed' },
  },
  { story: 'that is undefined', options: { fetch: async () => undefined as never }, more: { parameter: 'fetch' } },
  {
    story: 'that is no Response',
    options: { fetch: async () => noResponse },
    more: { message: 'stopSharing: fetch must give a Response' },
  },
  {
    story: 'whose headers cannot be read',
    options: { fetch: async () => noHeaders },
    more: { code: 'invalid-argument' },
  },
  { story: 'of another address', options: { fetch: async () => redirected }, more: { code: 'redirect-rejected' } },
  {
    story: 'that breaks with a cyclic cause',
    options: { fetch: () => Promise.reject(cyclic) },
    more: { code: 'connection-failed' },
  },
  {
    story: 'that does not come in time',
    options: { fetch: silence, timeoutMs: 10, clock: undefined },
    more: { code: 'timeout' },
  },
])(
  'a broken response leaves open what was done, and the request is not sent again: one $story',
  async ({ options, more }) => {
    const onRequest = vi.fn();
    const { client } = stubbed(done, { ...options, hooks: { onRequest } });
    const found = { mayHaveTakenEffect: true, resolution: 'check-effect', operation: 'stopDataSharing', ...more };
    expect(await errorOf(client.stopSharing({ vin }))).toMatchObject(found);
    expect(onRequest).toHaveBeenCalledOnce();
  },
);

describe('before any request', () => {
  test.each<{ story: string; value: unknown }>([
    { story: 'undefined', value: undefined },
    { story: 'null', value: null },
    { story: 'an empty string', value: '' },
    { story: 'an empty list', value: [] },
    { story: 'a list with a VIN', value: [vin] },
    { story: 'two dots', value: '..' },
    { story: 'a number', value: 12_345_678_901_234_568 },
    { story: 'an object', value: { toString: () => vin } },
    { story: 'a VIN with a query', value: `${vin}&vin=` },
    { story: 'a boxed VIN', value: Object(vin) },
    { story: '16 characters', value: vin.slice(1) },
    { story: '18 characters', value: `${vin}0` },
  ])('what is no VIN is rejected: $story', async ({ value }) => {
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
  test.each<{
    story: string;
    method: typeof one;
    args: readonly unknown[];
    options?: Partial<VehicleDataClientOptions>;
  }>([
    { story: 'one vehicle: nothing', method: one, args: [] },
    { story: 'one vehicle: an empty object', method: one, args: [{}] },
    { story: 'one vehicle: another name', method: one, args: [{ Vin: vin }] },
    { story: 'one vehicle: a brand beside it', method: one, args: [{ vin, brand: 'brand_a' }] },
    { story: 'one vehicle: an inherited VIN', method: one, args: [Object.create({ vin })] },
    { story: 'all vehicles: nothing', method: all, args: [] },
    { story: 'all vehicles: an empty object', method: all, args: [{}] },
    { story: 'all vehicles: another brand', method: all, args: [{ brand: 'brand_b' }] },
    { story: 'all vehicles: undefined', method: all, args: [{ brand: undefined }] },
    {
      story: 'all vehicles: undefined, of a client without a brand',
      method: all,
      args: [{ brand: undefined }, { brand: undefined }],
      options: { brand: undefined },
    },
    { story: 'all vehicles: a list', method: all, args: [{ brand: ['brand_a'] }] },
    { story: 'all vehicles: a VIN beside it', method: all, args: [{ brand: 'brand_a', vin }] },
    { story: 'raw: no options', method: raw, args: [path] },
    { story: 'raw: no params', method: raw, args: [path, {}] },
    { story: 'raw: no query', method: raw, args: [path, { params: {} }] },
    { story: 'raw: an empty query', method: raw, args: [path, { params: { query: {} } }] },
    { story: 'raw: a list of params', method: raw, args: [path, { params: [vin] }] },
    { story: 'raw: a query in the path', method: raw, args: [`${path}?vin=${vin}`] },
    {
      story: 'raw: a path with dots',
      method: raw,
      args: ['/v1/vehicles/{vin}/../consent', { params: { path: { vin } } }],
    },
    { story: 'raw: a serializer that drops the VIN', method: raw, args: [path, { params, querySerializer: () => '' }] },
    { story: 'raw: another address', method: raw, args: [path, { params, baseUrl: 'http://127.0.0.1:9' }] },
    { story: 'raw: another transport', method: raw, args: [path, { params, fetch: () => new Response(done) }] },
    {
      story: 'raw: middleware',
      method: raw,
      args: [path, { params, middleware: [{ onRequest: () => new Request('http://x') }] }],
    },
  ])('what does not name what it stops is rejected: $story', async ({ method, args, options = {} }) => {
    const { untyped, sent } = stubbed(done, options);
    expect(await errorOf(method(untyped)(...args))).toHaveProperty('name', 'ArgumentError');
    expect(sent).toEqual([]);
  });
});

test.each([
  { story: 'a page', body: '<h1>401</h1>' },
  { story: 'a code that leaves it open', body: failure('5001') },
  { story: 'a code of the proxy that leaves it open', body: failure('upstream-timeout') },
])('a DELETE is not retried with a new token where HTTP 401 comes with $story', async ({ body }) => {
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
