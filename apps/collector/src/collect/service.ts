// How the collector calls the service: through the SDK, without retries of its own, since a window that fails stays in the ledger.
import type { ReadWindow } from '@vehicle-data/archive/store';
import { createVehicleDataClient } from '@vehicle-data/client';
import type { Settings } from '../command/settings.js';

/** The two calls that a collector makes. */
export interface Service {
  /** VINs of the vehicles that share data. */
  readonly listVins: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly readWindow: ReadWindow;
}

export function createService({ baseUrl, brand, brands, accessToken, apiKey }: Settings): Service {
  const client = createVehicleDataClient({
    baseUrl,
    brand,
    ...(brands && { brands }),
    // Without a token, the proxy adds its own.
    accessToken: accessToken ?? null,
    ...(apiKey && { apiKey }),
    maxRetries: 0,
    headers: { 'User-Agent': 'vds-collector' },
  });
  return {
    // Purges follow the list: one with an entry that is no vehicle is rejected.
    listVins: async (signal) => (await client.consents.changes([], { signal })).joined.map(({ vin }) => vin),
    // A window is one request, as long as the contract allows. One without data has no trips.
    readWindow: ({ series, vin, startDate: from, endDate: to, zoneId, signal }) =>
      client.trips[series]({ vin, from, to, zoneId }, { signal }).toArray({ limit: Number.MAX_SAFE_INTEGER }),
  };
}
