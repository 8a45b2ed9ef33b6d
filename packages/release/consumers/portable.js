// Uses the published packages with web standards alone, so that it runs on every runtime.
import { createVehicleDataClient } from '@vehicle-data/client';
import { contractVersion, operations } from '@vehicle-data/openapi';
import { validateRequest, validateResponse } from '@vehicle-data/validators';

const vin = 'SANDB0XA000000001';
const headers = { brand: 'brand_a', authorization: 'Bearer demo-access-token' };
const meta = {
  code: 200,
  message: 'Success',
  success: 'true',
  timestamp: '2026-03-09T07:00:00.000Z',
  requestId: '0c9a7a5e-4f2c-4c59-8a6e-2f6f1f6a9d10',
};
const body = { data: { vehicles: [{ vin, type: 'EV' }] }, meta };

/** Tries each package and returns what it found, or throws. */
export async function tryPackages() {
  const seen = [];
  const client = createVehicleDataClient({
    baseUrl: 'https://vehicle-data.invalid',
    brand: 'brand_a',
    accessToken: 'demo-access-token',
    fetch: async (url, { method }) => {
      seen.push(`${method} ${new URL(url).pathname}`);
      return Response.json(body);
    },
  });
  const { vehicles } = await client.listVehicles();
  const range = (endDate) => ({ path: { vin }, query: `startDate=20260302&endDate=${endDate}`, headers });
  const verdicts = [
    validateRequest('getDrivingData', range('20260309')).ok,
    validateRequest('getDrivingData', range('20260310')).ok,
    validateResponse('listVehicles', 200, body).ok,
    validateResponse('listVehicles', 200, { ...body, data: { vehicles: [{ vin: 'short' }] } }).ok,
  ];
  return {
    contractVersion,
    path: operations.listVehicles.path,
    seen,
    vins: vehicles.map((vehicle) => vehicle.vin),
    verdicts,
  };
}
