// What the SDK costs: bytes of a page, and processor time of a call over a transport that is a stub.
import ky from 'ky';
import createOpenapiFetch from 'openapi-fetch';
import { createVehicleDataClient } from '../dist/index.js';
import type { paths } from '../src/generated/types.js';
import { allEntry, interleaved, print, sizeOf } from './measure.ts';

const series = "export * from './series/index.js';";
print('Minified and gzipped, openapi-fetch included', 'B', 'openapi-fetch', [
  ['every export of the main entry', await sizeOf(allEntry)],
  ['createVehicleDataClient alone', await sizeOf("export { createVehicleDataClient } from './index.js';")],
  ['main entry, trips, sync and raw in one file', await sizeOf(allEntry, { inOneFile: true })],
  ['series', await sizeOf(series)],
  ['series with the writer of CSV in one file', await sizeOf(series, { inOneFile: true })],
  ['query', await sizeOf("export * from './query/index.js';")],
  ['openapi-fetch', await sizeOf("export { default } from 'openapi-fetch';")],
  ['ky', await sizeOf("export { default } from 'ky';")],
]);

const baseUrl = 'http://127.0.0.1:8787';
const vin = 'SANDB0XA000000001';
const accessToken = 'demo-access-token';
const meta = { code: 200, message: 'Success', success: 'true', timestamp: '2026-03-09T07:00:00.000Z' };
const speed = { value: 63, unit: 'kph' };
const location = { latitude: 52.5, longitude: 13.4, altitude: 36, heading: 271, speed, type: 0 };
const data = { location, timestamp: '2026-03-09T06:59:48Z', vehicles: [], trips: [] };
const body = JSON.stringify({ data, meta });
const init = { headers: { 'content-type': 'application/json', 'content-length': `${body.length}` } };
const headers = { brand: 'brand_a', authorization: `Bearer ${accessToken}` };
const path = '/v1/vehicles/{vin}/locations';
const address = `${baseUrl}/v1/vehicles/${vin}/locations`;
const days = { vin, startDate: '20260302', endDate: '20260309' };

const stub = async () => new Response(body, init);
globalThis.fetch = stub;
const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken });
const openapiFetch = createOpenapiFetch<paths>({ baseUrl, headers });
const calls = {
  'a bare fetch': async () => (await fetch(new Request(address, { headers }))).json(),
  listVehicles: () => client.listVehicles(),
  stopSharing: () => client.stopSharing({ vin }),
  getPowertrainData: () => client.getPowertrainData(days),
  getDrivingData: () => client.getDrivingData(days),
  getLocation: () => client.getLocation({ vin }),
  getCurrentStatus: () => client.getCurrentStatus({ vin }),
  'raw.GET of the location': () => client.raw.GET(path, { params: { path: { vin } } }),
  'openapi-fetch': () => openapiFetch.GET(path, { params: { path: { vin }, header: { Brand: 'brand_a' } } }),
  ky: () => ky(address, { headers }).json(),
};
print('Processor time of a call', 'µs', 'a bare fetch', await interleaved(calls, 15, 2_000));
