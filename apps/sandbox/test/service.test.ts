import { operations } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { brands, outcome, serveSandbox, wholeFleet } from './calls.js';
import { violations } from './contract-check.js';

const vin = 'SANDB0XA000000001';
const range = 'startDate=20260302&endDate=20260303';

describe('the six operations', () => {
  it('list the vehicles of the demo owner without an access token, brand by brand', async () => {
    const { call } = await serveSandbox();
    const lists = await Promise.all(brands.map((brand) => call('/v1/vehicles/consent', { brand, token: null })));
    expect(lists.map(({ json }) => json.data.vehicles.map((vehicle) => vehicle.vin))).toEqual([
      ['SANDB0XA000000001', 'SANDB0XA000000002', 'SANDB0XA000000003', 'SANDB0XA000000006'],
      ['SANDB0XB000000001', 'SANDB0XB000000003'],
      ['SANDB0XC000000001', 'SANDB0XC000000002'],
    ]);
    expect(lists.flatMap(({ status, json }) => violations('listVehicles', status, json))).toEqual([]);
  });

  it.each([
    ['stopDataSharing', `consent?vin=${vin}`, 'true'],
    ['getPowertrainData', `${vin}/powertrains/data?${range}`, 'true'],
    ['getDrivingData', `${vin}/driving/data?${range}`, 'true'],
    ['getLocation', `${vin}/locations`, 'true'],
    ['getCurrentStatus', `${vin}/batteries`, true],
  ] as const)('%s responds as the contract says, success member included', async (id, path, success) => {
    const { call } = await serveSandbox();
    const { status, headers, json } = await call(`/v1/vehicles/${path}`, { method: operations[id].method });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(json.meta.success).toBe(success);
    expect(violations(id, status, json)).toEqual([]);
  });

  it('stop sharing of all vehicles of one brand and no other', async () => {
    const { call } = await serveSandbox();
    await call('/v1/vehicles/consent', { method: 'DELETE', brand: brands[0] });
    const left = await Promise.all(brands.map((brand) => call('/v1/vehicles/consent', { brand })));
    expect(left.map(({ json }) => json.data.vehicles.length)).toEqual([0, 2, 2]);
  });

  it('every vehicle is listed, can be stopped, and is then gone, as the contract says each time', async () => {
    const { vins, consent } = await wholeFleet('2026-06-30T12:00:00Z');
    for (const one of vins) {
      const isListed = async () => {
        const { status, json } = await consent(one, 'GET');
        expect(violations('listVehicles', status, json)).toEqual([]);
        return json.data.vehicles.some((vehicle) => vehicle.vin === one);
      };
      expect(await isListed()).toBe(true);
      expect((await consent(one, 'DELETE', `?vin=${one}`)).json.data).toEqual({});
      expect(await isListed()).toBe(false);
      expect(await outcome(consent(one, 'DELETE', `?vin=${one}`))).toBe('5006');
    }
  });

  it('a client keeps its own request identifier', async () => {
    const { call } = await serveSandbox();
    const { headers, json } = await call('/v1/vehicles/consent', { headers: { 'X-Request-Id': 'my-call-1' } });
    expect([headers.get('x-request-id'), json.meta.requestId]).toEqual(['my-call-1', 'my-call-1']);
  });
});

describe('error responses', () => {
  it.each([
    ['a call that needs a bearer and has none', `/v1/vehicles/${vin}/locations`, { token: null }, 400, '40002'],
    ['an unknown access token', `/v1/vehicles/${vin}/locations`, { token: 'unknown' }, 400, '4011'],
    ['an unknown access token on the list call', '/v1/vehicles/consent', { token: 'unknown' }, 400, '4011'],
    ['no Brand header', `/v1/vehicles/${vin}/locations`, { brand: null }, 400, '4002'],
    ['a range of a year', `/v1/vehicles/${vin}/driving/data?startDate=20260302&endDate=20270302`, {}, 400, '4002'],
    ['a path that is none', '/v1/vehicles', {}, 400, '404'],
    ['a withdrawn vehicle', '/v1/vehicles/SANDB0XB000000005/locations', { brand: brands[1] }, 400, '5006'],
    ['a vehicle that never was shared', '/v1/vehicles/SANDB0XA000000005/locations', {}, 410, '4101'],
    ['a vehicle of another owner', '/v1/vehicles/SANDB0XA000000004/locations', {}, 410, '4101'],
    ['a vehicle of another brand', `/v1/vehicles/${vin}/locations`, { brand: brands[1] }, 410, '4101'],
    ['a vehicle that does not exist', '/v1/vehicles/SANDB0XA999999999/locations', {}, 410, '4101'],
  ] as const)('%s', async (_, path, init, status, code) => {
    const { call } = await serveSandbox();
    const response = await call(path, init);
    expect([response.status, response.json.error?.code]).toEqual([status, code]);
    expect(violations('getLocation', response.status, response.json)).toEqual([]);
  });
});
