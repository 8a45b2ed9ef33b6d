import { type OperationSpec, operations as table } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { createVehicleDataClient } from '../src/index.js';
import { requestId, success, token, vin } from './http-service.ts';
import { clientOf, errorOf, nowhere, stubbed } from './test-client.ts';

const operations: Readonly<Record<string, OperationSpec>> = table;
const range = { vin, startDate: '20260302', endDate: '20260309' };
const listed = success({ vehicles: [{ vin, type: 'EV' }] });

describe('the methods', () => {
  test('every operation of the contract has a method, under its operationId or the names of its two effects', () => {
    for (const { operationId, wideEffect } of Object.values(operations)) {
      const names = wideEffect ? [wideEffect.narrow, wideEffect.wide] : [operationId];
      for (const name of names) expect(clientOf(nowhere)).toHaveProperty(name, expect.any(Function));
    }
  });

  test('a call sends method, path, brand and bearer token, and returns the payload', async () => {
    const { client, sent } = stubbed(listed, { baseUrl: `${nowhere}/cars/` });
    await expect(client.listVehicles()).resolves.toEqual({ vehicles: [{ vin, type: 'EV' }] });
    const headers = { brand: 'brand_a', authorization: `Bearer ${token}` };
    expect(sent).toEqual([{ method: 'GET', url: '/cars/v1/vehicles/consent', headers }]);
  });

  test('parameters are one flat object and go where the contract has them', async () => {
    const { client, sent } = stubbed(success({ trips: [] }), { accessToken: async () => token });
    await client.getDrivingData({ ...range, zoneId: 'Europe/Berlin' });
    await client.getPowertrainData(range);
    expect(sent.map(({ url }) => url)).toEqual([
      `/v1/vehicles/${vin}/driving/data?startDate=20260302&endDate=20260309&zoneId=Europe%2FBerlin`,
      `/v1/vehicles/${vin}/powertrains/data?startDate=20260302&endDate=20260309`,
    ]);
  });

  test('options of one call win over those of the client', async () => {
    const { client, sent } = stubbed(listed, { headers: { 'x-one': '1', 'x-two': '2' } });
    await client.listVehicles({ brand: 'brand_c', headers: { 'x-two': 'two' } });
    expect(sent[0]?.headers).toMatchObject({ brand: 'brand_c', 'x-one': '1', 'x-two': 'two' });
  });

  test('the vehicle list works without an access token, and sends none', async () => {
    const { client, sent } = stubbed(listed, { accessToken: undefined });
    await client.listVehicles();
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('withResponse()', () => {
  test.each([['true'], [true]])('gives meta with success as a boolean when the service wrote %o', async (flag) => {
    const data = { timestamp: '2026-03-09T06:59:48Z' };
    const { client } = stubbed(() => new Response(success(data, flag), { headers: { 'x-extra': 'yes' } }));
    const response = await client.getCurrentStatus({ vin }).withResponse();
    const meta = { success: true, code: 200, message: 'Success' };
    expect(response).toMatchObject({ data, meta, status: 200, requestId, dataAgeMs: 12_000 });
    expect(response.headers.get('x-extra')).toBe('yes');
  });

  test('is the same call as the awaited method, sent once', async () => {
    const { client, sent } = stubbed(listed);
    const call = client.listVehicles();
    const [data, response] = await Promise.all([call, call.withResponse()]);
    expect(response.data).toBe(data);
    expect(sent).toHaveLength(1);
  });

  test('says null for the age of a record without a time', async () => {
    const { client } = stubbed(success({ location: {} }));
    expect((await client.getLocation({ vin }).withResponse()).dataAgeMs).toBeNull();
  });
});

describe('arguments are checked before anything is sent', () => {
  test.each([
    ['a VIN with a dot', { ...range, vin: `${vin.slice(1)}.` }],
    ['a VIN followed by a newline', { ...range, vin: `${vin}\n` }],
    ['30 February', { ...range, startDate: '20260230' }],
    ['digits of another script', { ...range, startDate: '２０２６０３０２' }],
    ['an end before the start', { ...range, endDate: '20260301' }],
    ['a range of a year', { ...range, endDate: '20270302' }],
    ['half a character as zone', { ...range, zoneId: '\ud800' }],
    ['a parameter that does not exist', { ...range, endDat: '20260309' }],
  ])('%s is rejected', async (_, parameters) => {
    const { client, sent } = stubbed(success({ trips: [] }));
    await expect(client.getDrivingData(parameters)).rejects.toMatchObject({
      name: 'ArgumentError',
      code: 'invalid-argument',
      resolution: 'fix-request',
      isTemporary: false,
      mayHaveTakenEffect: false,
    });
    expect(sent).toEqual([]);
  });

  test.each([
    ['20260302', '20260309'],
    ['20230324', '20230331'],
    ['20240226', '20240304'],
  ])('a range of exactly 7 days passes, also over a clock change and a leap day: %s', async (startDate, endDate) => {
    const { client, sent } = stubbed(success({ trips: [] }));
    await client.getDrivingData({ vin, startDate, endDate });
    expect(sent).toHaveLength(1);
  });

  test('no brand, an unknown brand and a missing token are rejected', async () => {
    const { client } = stubbed(listed, { brand: undefined, accessToken: undefined });
    expect(await errorOf(client.listVehicles())).toMatchObject({ name: 'ArgumentError' });
    const unknown = client.listVehicles({ brand: 'Brand_A' as 'brand_a' });
    expect(await errorOf(unknown)).toMatchObject({ name: 'ArgumentError' });
    const tokenless = { name: 'CredentialsError', code: 'no-access-token', resolution: 'fix-credentials' };
    expect(await errorOf(client.getLocation({ vin }, { brand: 'brand_a' }))).toMatchObject(tokenless);
  });

  test.each(['', 'abc\r\nx-evil: 1'])(
    'the token %j, which no header can carry, is rejected without being repeated',
    async (accessToken) => {
      const { client, sent } = stubbed(listed, { accessToken });
      const error = await errorOf(client.getLocation({ vin }));
      expect(error).toMatchObject({ code: 'no-access-token' });
      expect(error.stack).not.toContain('evil');
      expect(sent).toEqual([]);
    },
  );

  test.each(['', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', 'http://127.0.0.1/?a=b', 'nonsense'])(
    'the base address %o is rejected when the client is made',
    (baseUrl) => {
      expect(() => createVehicleDataClient({ baseUrl })).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
    },
  );
});
