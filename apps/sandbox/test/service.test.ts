import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSandbox, demoAccessToken } from '../src/index.js';
import { brands, listening, locations, send, vin, violations } from './calls.js';

it('the vehicle list is that of the demo owner without an access token, brand by brand', async () => {
  const sandbox = createSandbox();
  const lists = await Promise.all(brands.map((brand) => send(sandbox, '/v1/vehicles/consent', { brand, token: null })));
  expect(lists.flatMap((list) => violations('listVehicles', list))).toEqual([]);
  expect(lists.map(({ json }) => json.data.vehicles.map((vehicle) => vehicle.vin))).toEqual([
    ['SANDB0XA000000001', 'SANDB0XA000000002', 'SANDB0XA000000003', 'SANDB0XA000000006'],
    ['SANDB0XB000000001', 'SANDB0XB000000003'],
    ['SANDB0XC000000001', 'SANDB0XC000000002'],
  ]);
});

it('a stop without a VIN affects all vehicles of the owner and brand, and no others', async () => {
  const sandbox = createSandbox();
  await send(sandbox, '/v1/vehicles/consent', { method: 'DELETE' });
  const left = await Promise.all(brands.map((brand) => send(sandbox, '/v1/vehicles/consent', { brand })));
  expect(left.map(({ json }) => json.data.vehicles.length)).toEqual([0, 2, 2]);
  const token = sandbox.accessTokenOf('car-pool');
  const others = (await send(sandbox, '/v1/vehicles/consent', { token })).json.data.vehicles;
  expect(others.map((vehicle) => vehicle.vin)).toEqual(['SANDB0XA000000004']);
});

it('a stop with a bare ? affects no vehicle, over HTTP too', async () => {
  const sandbox = await listening();
  const headers = { Brand: brands[0], Authorization: `Bearer ${demoAccessToken}` };
  for (const path of ['/v1/vehicles/consent?', '/v1/vehicles/consent?#all']) {
    // Not fetch: it leaves a bare ? out.
    const [response] = await once(request(sandbox.base, { path, method: 'DELETE', headers }).end(), 'response');
    expect(await json(response)).toMatchObject({ error: { code: '4002', details: [{ in: 'query' }] } });
  }
  expect((await send(sandbox, '/v1/vehicles/consent')).json.data.vehicles).toHaveLength(4);
});

it('meta has the success of the contract’s example, and the client’s own request identifier', async () => {
  const headers = { 'X-Request-Id': 'my-call-1' };
  for (const [path, success] of [
    ['consent', 'true'],
    [`${vin}/locations`, 'true'],
    [`${vin}/batteries`, true],
  ]) {
    const { json, ...response } = await send(createSandbox(), `/v1/vehicles/${path}`, { headers });
    expect(json.meta).toMatchObject({ success, requestId: 'my-call-1' });
    expect(response.headers.get('x-request-id')).toBe('my-call-1');
  }
});

it('fetch takes what fetch takes: a Request with other settings too, and an address that is none is rejected', async () => {
  const { fetch } = createSandbox();
  const request = new Request('http://sandbox/v1/vehicles/consent', { headers: { Brand: 'none' } });
  const responses = await Promise.all([fetch(request), fetch(request, { headers: { Brand: brands[0] } })]);
  expect(responses.map(({ status }) => status)).toEqual([400, 200]);
  await expect(fetch('/v1/vehicles/consent')).rejects.toThrow('Failed to parse URL from /v1/vehicles/consent');
});

const withdrawn = '/v1/vehicles/consent?vin=SANDB0XB000000005';
it.each([
  {
    story: 'a call that needs a bearer and has none',
    path: locations,
    init: { token: null },
    status: 400,
    code: '40002',
  },
  { story: 'an unknown access token', path: locations, init: { token: 'unknown' }, status: 400, code: '4011' },
  {
    story: 'an unknown access token on the list call',
    path: '/v1/vehicles/consent',
    init: { token: 'unknown' },
    status: 400,
    code: '4011',
  },
  { story: 'no Brand header', path: locations, init: { brand: null }, status: 400, code: '4002' },
  {
    story: 'a range of a year',
    path: `/v1/vehicles/${vin}/driving/data?startDate=20260302&endDate=20270302`,
    init: {},
    status: 400,
    code: '4002',
  },
  { story: 'a broken percent-encoding', path: locations.replace(vin, '%E0%A4%A'), init: {}, status: 400, code: '4002' },
  { story: 'a path that is none', path: '/v1/vehicles', init: {}, status: 400, code: '404' },
  { story: 'another method', path: locations, init: { method: 'POST' }, status: 400, code: '404' },
  {
    story: 'a withdrawn vehicle',
    path: '/v1/vehicles/SANDB0XB000000005/locations',
    init: { brand: brands[1] },
    status: 400,
    code: '5006',
  },
  {
    story: 'a stop of a withdrawn vehicle',
    path: withdrawn,
    init: { brand: brands[1], method: 'DELETE' },
    status: 400,
    code: '5006',
  },
  {
    story: 'a vehicle that never was shared',
    path: '/v1/vehicles/SANDB0XA000000005/locations',
    init: {},
    status: 410,
    code: '4101',
  },
  {
    story: 'a vehicle of another owner',
    path: '/v1/vehicles/SANDB0XA000000004/locations',
    init: {},
    status: 410,
    code: '4101',
  },
  { story: 'a vehicle of another brand', path: locations, init: { brand: brands[1] }, status: 410, code: '4101' },
  {
    story: 'a vehicle that does not exist',
    path: '/v1/vehicles/SANDB0XA999999999/locations',
    init: {},
    status: 410,
    code: '4101',
  },
])('an error is that of the contract: $story', async ({ path, init, status, code }) => {
  const response = await send(createSandbox(), path, init);
  expect([response.status, response.json.error?.code]).toEqual([status, code]);
  expect(violations('getLocation', response)).toEqual([]);
});

describe('web pages', () => {
  const page = 'http://localhost:5173';
  const sandbox = createSandbox();

  it('of any origin may call the service: preflights get a response, and responses can be read', async () => {
    const url = 'http://127.0.0.1:8788/v1/vehicles/consent';
    const wanted = {
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization,brand',
    };
    const preflight = await sandbox.fetch(url, { method: 'OPTIONS', headers: { Origin: page, ...wanted } });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
      'access-control-allow-headers': 'authorization,brand',
    });
    for (const Brand of [brands[0], 'none']) {
      const response = await sandbox.fetch(url, { headers: { Origin: page, Brand } });
      const found = [response.status, response.headers.get('access-control-allow-origin')];
      expect(found).toEqual([Brand === 'none' ? 400 : 200, '*']);
    }
  });

  it.each([
    { method: 'POST', path: '/sandbox/reset', header: 'Origin', value: page },
    { method: 'GET', path: '/sandbox/state', header: 'Origin', value: page },
    { method: 'GET', path: '/sandbox/state', header: 'Sec-Fetch-Site', value: 'cross-site' },
    { method: 'OPTIONS', path: '/sandbox/faults', header: 'Origin', value: page },
    { method: 'POST', path: '/sandbox/oauth/token', header: 'Origin', value: page },
  ])(
    'of another origin cannot use the controls: $method $path, by $header',
    async ({ method, path, header, value }) => {
      const response = await sandbox.fetch(`http://127.0.0.1:8788${path}`, { method, headers: { [header]: value } });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    },
  );

  it('can send a person to the owner’s page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const response = await sandbox.fetch('http://127.0.0.1:8788/sandbox/owners/demo', { headers });
    expect(response.status).toBe(200);
  });
});
