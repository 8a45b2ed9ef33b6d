// How the collector calls the service: through the SDK, without retries of its own, since a window that fails stays in the ledger.
import type { ReadWindow } from '@vehicle-data/archive/store';
import { createVehicleDataClient, NoDataError } from '@vehicle-data/client';
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
  const calls = { driving: client.getDrivingData, powertrain: client.getPowertrainData } as const;
  return {
    // Purges follow the list: one with an entry that is no vehicle is rejected.
    listVins: async (signal) => (await client.consents.changes([], { signal })).joined.map(({ vin }) => vin),
    async readWindow({ series, vin, startDate, endDate, zoneId, signal }) {
      try {
        return (await calls[series]({ vin, startDate, endDate, zoneId }, { signal })).trips;
      } catch (error) {
        if (error instanceof NoDataError) return [];
        throw error;
      }
    },
  };
}
