import { createVehicleDataClient, isVehicleDataError } from '@vehicle-data/client';
import type { ReadWindow } from '../src/index.js';
import { createSandbox, demoAccessToken } from './sandbox.ts';
import { now } from './synthetic-source.ts';

const sandbox = createSandbox({ now: new Date(now), frozen: true });

/** A client of the sandbox, at the time of the tests. */
export const client = createVehicleDataClient({
  baseUrl: 'http://sandbox',
  brand: 'brand_a',
  accessToken: demoAccessToken,
  fetch: sandbox.fetch,
});

/** What a program passes: the client, with "no data" as an empty window. */
export const sandboxWindow: ReadWindow = async ({ series, zoneId, signal, vin, startDate, endDate }) => {
  const call = series === 'driving' ? client.getDrivingData : client.getPowertrainData;
  try {
    return (await call({ vin, startDate, endDate, zoneId }, { signal })).trips;
  } catch (error) {
    if (isVehicleDataError(error) && error.resolution === 'no-data') return [];
    throw error;
  }
};
