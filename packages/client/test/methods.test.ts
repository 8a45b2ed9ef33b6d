import { type OperationSpec, operations as table } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { createVehicleDataClient } from '../src/index.js';
import { reply, requestId, startHttpService, success, token, vin } from './http-service.ts';
import { clientOf } from './test-client.ts';

const operations: Readonly<Record<string, OperationSpec>> = table;
const range = { vin, startDate: '20260302', endDate: '20260309' };

describe('the methods', () => {
  test('every operation of the contract has a method, under its operationId or the names of its two effects', () => {
    const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:1' });
    for (const { operationId, wideEffect } of Object.values(operations)) {
      const names = wideEffect ? [wideEffect.narrow, wideEffect.wide] : [operationId];
      for (const name of names) expect(client).toHaveProperty(name, expect.any(Function));
    }
  });

  test('a call sends method, path, brand and bearer token, and returns the payload', async () => {
    const vehicles = [{ vin, type: 'EV' }];
    const service = await startHttpService((_, response) => reply(response, 200, success({ vehicles })));
    const client = clientOf(`${service.url}/`);
    await expect(client.listVehicles()).resolves.toEqual({ vehicles });
    expect(service.requests).toMatchObject([
      { method: 'GET', url: '/v1/vehicles/consent', headers: { brand: 'brand_a', authorization: `Bearer ${token}` } },
    ]);
  });

  test('parameters are one flat object and go where the contract has them', async () => {
    const service = await startHttpService((_, response) => reply(response, 200, success({ trips: [] })));
    const client = createVehicleDataClient({ baseUrl: service.url, brand: 'brand_b', accessToken: async () => token });
    await client.getDrivingData({ ...range, zoneId: 'Europe/Berlin' });
    await client.getPowertrainData(range);
    expect(service.requests.map(({ url }) => url)).toEqual([
      `/v1/vehicles/${vin}/driving/data?startDate=20260302&endDate=20260309&zoneId=Europe%2FBerlin`,
      `/v1/vehicles/${vin}/powertrains/data?startDate=20260302&endDate=20260309`,
    ]);
  });

  test('a path in the base address is kept', async () => {
    const service = await startHttpService((_, response) => reply(response, 200, success({ vehicles: [] })));
    await createVehicleDataClient({ baseUrl: `${service.url}/cars/`, brand: 'brand_a' }).listVehicles();
    expect(service.requests[0]?.url).toBe('/cars/v1/vehicles/consent');
  });

  test('options of one call win over those of the client', async () => {
    const service = await startHttpService((_, response) => reply(response, 200, success({ vehicles: [] })));
    const client = createVehicleDataClient({
      baseUrl: service.url,
      brand: 'brand_a',
      headers: { 'x-one': '1', 'x-two': '2' },
    });
    await client.listVehicles({ brand: 'brand_c', headers: { 'x-two': 'two' } });
    expect(service.requests[0]?.headers).toMatchObject({ brand: 'brand_c', 'x-one': '1', 'x-two': 'two' });
  });

  test('the vehicle list works without an access token, and sends none', async () => {
    const service = await startHttpService((_, response) => reply(response, 200, success({ vehicles: [] })));
    await createVehicleDataClient({ baseUrl: service.url, brand: 'brand_a' }).listVehicles();
    expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('withResponse()', () => {
  test.each([['true'], [true]])('gives meta with success as a boolean when the service wrote %o', async (flag) => {
    const service = await startHttpService((_, response) =>
      reply(response, 200, success({ timestamp: '2026-03-09T06:59:48Z' }, flag), { 'x-extra': 'yes' }),
    );
    const client = clientOf(service.url);
    const response = await client.getCurrentStatus({ vin }).withResponse();
    expect(response).toMatchObject({
      data: { timestamp: '2026-03-09T06:59:48Z' },
      meta: { success: true, code: 200, message: 'Success' },
      status: 200,
      requestId,
      dataAgeMs: 12_000,
    });
    expect(response.headers.get('x-extra')).toBe('yes');
  });

  test('is the same call as the awaited method, sent once', async () => {
    const service = await startHttpService((_, response) => reply(response, 200, success({ vehicles: [] })));
    const call = createVehicleDataClient({ baseUrl: service.url, brand: 'brand_a' }).listVehicles();
    const [data, response] = await Promise.all([call, call.withResponse()]);
    expect(response.data).toBe(data);
    expect(service.requests).toHaveLength(1);
  });

  test('says null for the age of a record without a time', async () => {
    const service = await startHttpService((_, response) => reply(response, 200, success({ location: {} })));
    const client = clientOf(service.url);
    expect((await client.getLocation({ vin }).withResponse()).dataAgeMs).toBeNull();
  });
});

describe('arguments are checked before anything is sent', () => {
  const { baseUrl, requests } = { baseUrl: 'http://127.0.0.1:1', requests: [] as string[] };
  const client = clientOf(baseUrl, {
    fetch: async (url) => {
      requests.push(url);
      return new Response(success({ trips: [], location: {} }));
    },
  });

  test.each([
    ['a VIN of 16 characters', { ...range, vin: vin.slice(1) }],
    ['a VIN with a dot', { ...range, vin: `${vin.slice(1)}.` }],
    ['a VIN followed by a newline', { ...range, vin: `${vin}\n` }],
    ['30 February', { ...range, startDate: '20260230' }],
    ['a date with dashes', { ...range, startDate: '2026-03-02' }],
    ['digits of another script', { ...range, startDate: '２０２６０３０２' }],
    ['an end before the start', { ...range, endDate: '20260301' }],
    ['a range of a year', { ...range, endDate: '20270302' }],
    ['an offset as zone', { ...range, zoneId: '+09:00' }],
    ['half a character as zone', { ...range, zoneId: '\ud800' }],
    ['a parameter that does not exist', { ...range, endDat: '20260309' }],
  ])('%s is rejected', async (_, parameters) => {
    await expect(client.getDrivingData(parameters)).rejects.toMatchObject({
      name: 'ArgumentError',
      code: 'invalid-argument',
      resolution: 'fix-request',
      isTemporary: false,
      mayHaveTakenEffect: false,
    });
    expect(requests).toEqual([]);
  });

  test('a range of exactly 7 days passes, also over a clock change and a leap day', async () => {
    for (const [startDate, endDate] of [
      ['20260302', '20260309'],
      ['20230324', '20230331'],
      ['20240226', '20240304'],
    ] as const) {
      await expect(client.getDrivingData({ vin, startDate, endDate })).resolves.toEqual(expect.anything());
    }
    expect(requests.splice(0)).toHaveLength(3);
  });

  test('no brand, an unknown brand and a missing token are rejected', async () => {
    const bare = createVehicleDataClient({ baseUrl, fetch: async () => new Response(success({ vehicles: [] })) });
    await expect(bare.listVehicles()).rejects.toMatchObject({ name: 'ArgumentError' });
    await expect(bare.listVehicles({ brand: 'Brand_A' as 'brand_a' })).rejects.toMatchObject({ name: 'ArgumentError' });
    await expect(bare.getLocation({ vin }, { brand: 'brand_a' })).rejects.toMatchObject({
      name: 'CredentialsError',
      code: 'no-access-token',
      resolution: 'fix-credentials',
    });
  });

  test('a token that no header can carry is rejected without being repeated', async () => {
    const broken = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: 'abc\r\nx-evil: 1' });
    const error = await broken.getLocation({ vin }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'no-access-token' });
    expect(String((error as Error).stack)).not.toContain('evil');
  });

  test.each(['', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', 'http://127.0.0.1/?a=b', 'nonsense'])(
    'the base address %o is rejected when the client is made',
    (address) => {
      expect(() => createVehicleDataClient({ baseUrl: address })).toThrow(
        expect.objectContaining({ name: 'ArgumentError' }),
      );
    },
  );
});
