// What a method adds to a bare fetch whose transport is a stub: node bench/method-cost.ts
import ky from 'ky';
import { createFetch } from 'ofetch';
import createOpenapiFetch from 'openapi-fetch';
import { createVehicleDataClient } from '../dist/index.js';
import type { paths } from '../src/generated/types.js';
import { interleaved, printMachine } from './interleaved.ts';

const baseUrl = 'http://127.0.0.1:8787';
const vin = 'SANDB0XA000000001';
const meta = {
  code: 200,
  message: 'Success',
  success: 'true',
  timestamp: '2026-03-09T07:00:00.000Z',
  requestId: '0c9a7a5e-4f2c-4c59-8a6e-2f6f1f6a9d10',
};
const location = {
  latitude: 52.5,
  longitude: 13.4,
  altitude: 36,
  heading: 271,
  speed: { value: 63, unit: 'kph' },
  type: 0,
};
const body = JSON.stringify({ data: { location, timestamp: '2026-03-09T06:59:48Z', vehicles: [], trips: [] }, meta });
const init = { headers: { 'content-type': 'application/json', 'content-length': `${body.length}` } };
const headers = { brand: 'brand_a', authorization: 'Bearer demo-access-token' };
const address = `${baseUrl}/v1/vehicles/${vin}/locations`;
const range = { vin, startDate: '20260302', endDate: '20260309' };

const stub = async (_request: unknown, _init?: unknown) => new Response(body, init);
globalThis.fetch = stub as typeof fetch;

const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: 'demo-access-token' });
const openapiFetch = createOpenapiFetch<paths>({ baseUrl, headers });
const ofetch = createFetch({ fetch: stub as typeof fetch });
const path = '/v1/vehicles/{vin}/locations';

const contenders = {
  'bare fetch': async () => (await fetch(new Request(address, { headers }))).json(),
  listVehicles: () => client.listVehicles(),
  stopSharing: () => client.stopSharing({ vin }),
  getPowertrainData: () => client.getPowertrainData(range),
  getDrivingData: () => client.getDrivingData(range),
  getLocation: () => client.getLocation({ vin }),
  getCurrentStatus: () => client.getCurrentStatus({ vin }),
  'raw.GET of the location': () => client.raw.GET(path, { params: { path: { vin } } }),
  'openapi-fetch': () => openapiFetch.GET(path, { params: { path: { vin }, header: { Brand: 'brand_a' } } }),
  ofetch: () => ofetch(address, { headers }),
  ky: () => ky(address, { headers }).json(),
};

const turns = 15;
printMachine('node bench/method-cost.ts');
const medians = await interleaved(contenders, turns, 2_000);
const bare = medians.get('bare fetch') ?? 0;
for (const [name, time] of medians) {
  console.log(
    `${name.padEnd(56)} ${time.toFixed(1).padStart(6)} µs   ${(time / bare).toFixed(2).padStart(5)} × a bare fetch`,
  );
}
