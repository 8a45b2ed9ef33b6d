import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { failure, reply, startHttpService, success, vin } from './http-service.ts';
import { clientOf, untypedOf } from './test-client.ts';
import { instantClock } from './test-clock.ts';

const hostile: readonly (readonly [string, unknown])[] = [
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
];

async function setUp() {
  const service = await startHttpService((_, response) => reply(response, 200, success({})));
  const client = clientOf(service.url);
  return { service, client, untyped: untypedOf(client) };
}

describe('stopSharing', () => {
  test('stops sharing for one vehicle', async () => {
    const { service, client } = await setUp();
    await expect(client.stopSharing({ vin })).resolves.toEqual({});
    expect(service.requests).toMatchObject([{ method: 'DELETE', url: `/v1/vehicles/consent?vin=${vin}` }]);
  });

  test.each(hostile)('rejects %s before any request', async (_, value) => {
    const { service, untyped } = await setUp();
    await expect(untyped.stopSharing({ vin: value })).rejects.toMatchObject({ name: 'ArgumentError' });
    await expect(untyped.stopSharing(value)).rejects.toMatchObject({ name: 'ArgumentError' });
    expect(service.requests).toEqual([]);
  });

  test.each([[[]], [[{}]], [[{ Vin: vin }]], [[{ vin, brand: 'brand_a' }]], [[Object.create({ vin })]]])(
    'rejects the arguments %j before any request',
    async (args) => {
      const { service, untyped } = await setUp();
      await expect(untyped.stopSharing(...args)).rejects.toMatchObject({ name: 'ArgumentError' });
      expect(service.requests).toEqual([]);
    },
  );

  test('reads the VIN once, so that a getter cannot change it after the check', async () => {
    const { service, untyped } = await setUp();
    let reads = 0;
    await untyped.stopSharing({
      get vin() {
        reads += 1;
        return reads === 1 ? vin : '';
      },
    });
    expect(service.requests).toMatchObject([{ url: `/v1/vehicles/consent?vin=${vin}` }]);
  });
});

describe('stopSharingForAllVehicles', () => {
  test('stops all sharing of the brand when the brand in effect is repeated', async () => {
    const { service, client } = await setUp();
    await client.stopSharingForAllVehicles({ brand: 'brand_a' });
    await client.stopSharingForAllVehicles({ brand: 'brand_b' }, { brand: 'brand_b' });
    expect(service.requests).toMatchObject([
      { method: 'DELETE', url: '/v1/vehicles/consent', headers: { brand: 'brand_a' } },
      { method: 'DELETE', url: '/v1/vehicles/consent', headers: { brand: 'brand_b' } },
    ]);
  });

  test.each([
    ['nothing', []],
    ['an empty object', [{}]],
    ['another brand', [{ brand: 'brand_b' }]],
    ['undefined', [{ brand: undefined }]],
    ['a list', [{ brand: ['brand_a'] }]],
    ['a VIN beside it', [{ brand: 'brand_a', vin }]],
  ])('rejects %s before any request', async (_, args) => {
    const { service, untyped } = await setUp();
    await expect(untyped.stopSharingForAllVehicles(...args)).rejects.toMatchObject({ name: 'ArgumentError' });
    expect(service.requests).toEqual([]);
  });

  test('rejects an undefined confirmation of a client without a brand', async () => {
    const { service } = await setUp();
    const untyped = untypedOf(clientOf(service.url, { brand: undefined }));
    await expect(untyped.stopSharingForAllVehicles({ brand: undefined })).rejects.toMatchObject({
      name: 'ArgumentError',
    });
    expect(service.requests).toEqual([]);
  });
});

describe('the raw style', () => {
  test('stops sharing for one vehicle', async () => {
    const { service, client } = await setUp();
    const { data, error, response } = await client.raw.DELETE('/v1/vehicles/consent', { params: { query: { vin } } });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ data: {} });
    expect(response.status).toBe(200);
    expect(service.requests).toMatchObject([{ method: 'DELETE', url: `/v1/vehicles/consent?vin=${vin}` }]);
  });

  test.each(hostile)('rejects a DELETE with %s as VIN before any request', async (_, value) => {
    const { service, untyped } = await setUp();
    await expect(
      untyped.raw.DELETE('/v1/vehicles/consent', { params: { query: { vin: value } } }),
    ).rejects.toMatchObject({
      name: 'ArgumentError',
    });
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['no options', ['/v1/vehicles/consent']],
    ['no params', ['/v1/vehicles/consent', {}]],
    ['no query', ['/v1/vehicles/consent', { params: {} }]],
    ['an empty query', ['/v1/vehicles/consent', { params: { query: {} } }]],
    ['a list of params', ['/v1/vehicles/consent', { params: [vin] }]],
    ['a query in the path', [`/v1/vehicles/consent?vin=${vin}`]],
    ['a serializer that drops the VIN', ['/v1/vehicles/consent', { params: { query: {} }, querySerializer: () => '' }]],
    ['another address', ['/v1/vehicles/consent', { baseUrl: 'http://127.0.0.1:9' }]],
    ['a path with dots', ['/v1/vehicles/{vin}/../consent', { params: { path: { vin } } }]],
  ])('rejects a DELETE with %s before any request', async (_, args) => {
    const { service, untyped } = await setUp();
    await expect(untyped.raw.DELETE(...args)).rejects.toMatchObject({ name: 'ArgumentError' });
    expect(service.requests).toEqual([]);
  });

  test('user code cannot swap serializer, transport or address of a raw call', async () => {
    const { service, untyped } = await setUp();
    let isSwapped = false;
    const swaps = {
      querySerializer: () => '',
      baseUrl: 'http://127.0.0.1:9',
      fetch: () => {
        isSwapped = true;
      },
      middleware: [{ onRequest: () => new Request(`${service.url}/v1/vehicles/consent`, { method: 'DELETE' }) }],
    };
    for (const [name, swap] of Object.entries(swaps)) {
      const call = untyped.raw.DELETE('/v1/vehicles/consent', { params: { query: { vin } }, [name]: swap });
      await expect(call).rejects.toMatchObject({ name: 'ArgumentError', parameter: name });
    }
    expect(isSwapped).toBe(false);
    expect(service.requests).toEqual([]);
  });

  test.each(hostile)('rejects a GET with %s as VIN before any request', async (_, value) => {
    const { service, untyped } = await setUp();
    await expect(
      untyped.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin: value } } }),
    ).rejects.toMatchObject({ name: 'ArgumentError' });
    expect(service.requests).toEqual([]);
  });
});

test.each<[string, (response: ServerResponse) => void, object]>([
  ['5001', (response) => reply(response, 500, failure('5001')), { code: '5001', isTemporary: true }],
  ['a broken connection', (response) => void response.destroy(), { name: 'ConnectionError' }],
])('a DELETE is not retried after %s, which leaves open whether it took effect', async (_, respond, expected) => {
  const service = await startHttpService((_, response) => respond(response));
  const call = clientOf(service.url, { clock: instantClock() }).stopSharing({ vin });
  await expect(call).rejects.toMatchObject({ ...expected, mayHaveTakenEffect: true });
  expect(service.requests).toHaveLength(1);
});

test('a DELETE is retried after a response that says nothing was done', async () => {
  const service = await startHttpService((_, response, index) =>
    index === 0 ? reply(response, 429, failure('429')) : reply(response, 200, success({})),
  );
  await expect(clientOf(service.url, { clock: instantClock() }).stopSharing({ vin })).resolves.toEqual({});
  expect(service.requests).toHaveLength(2);
});
