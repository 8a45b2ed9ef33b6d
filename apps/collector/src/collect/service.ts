// How the collector calls the service: through the SDK, without retries of its own, since a window that fails stays in the ledger.
import type { ReadWindow } from '@vehicle-data/archive/store';
import { createVehicleDataClient, NoDataError } from '@vehicle-data/client';
import { operations } from '@vehicle-data/openapi';
import type { Settings } from '../config/settings.js';
import type { Account } from '../ledger/accounts.js';
import { tokensOf } from './tokens.js';

/** The two calls that a collector makes. */
export interface Service {
  /** VINs of the vehicles that share data. */
  readonly listVins: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly readWindow: ReadWindow;
}

type AnyOperation = (typeof operations)[keyof typeof operations];
/** An operation whose response is a list of trips. */
type SeriesOperation = Extract<AnyOperation, { readonly series: object }>;
const isOfSeries = (operation: AnyOperation): operation is SeriesOperation => operation.series !== null;

/** The method of the SDK that reads a series: the contract says which. */
function operationOf(series: string): SeriesOperation['operationId'] {
  const found = Object.values(operations)
    .filter(isOfSeries)
    .find((one) => one.series.name === series);
  if (!found) throw new Error('a window is of no series of the contract');
  return found.operationId;
}

/** Most accounts whose clients are kept; with one that is made anew, a token may be fetched once more. */
const mostServices = 10_000;

/** The service for each account. */
export function createServices(settings: Settings): (account: Account) => Service {
  const services = new Map<string, Service>();
  return (account) => {
    const key = `${account.name} ${account.brand} ${account.tokenFile}`;
    const service = services.get(key) ?? createService(settings, account);
    services.delete(key);
    services.set(key, service);
    for (const oldest of services.keys()) {
      if (services.size <= mostServices) break;
      services.delete(oldest);
    }
    return service;
  };
}

export function createService(settings: Settings, account: Account): Service {
  const { baseUrl, brands, apiKey } = settings;
  const client = createVehicleDataClient({
    baseUrl,
    brand: account.brand,
    ...(brands && { brands }),
    accessToken: tokensOf(settings, account),
    ...(apiKey && { apiKey }),
    maxRetries: 0,
    headers: { 'User-Agent': 'vds-collector' },
  });
  return {
    // Purges follow the list: one with an entry that is no vehicle is rejected.
    listVins: async (signal) => (await client.consents.changes([], { signal })).joined.map(({ vin }) => vin),
    // By the operation and not by the iterators of the SDK, which leave out what has no start and trips of one start.
    async readWindow({ series, vin, startDate, endDate, zoneId, signal }) {
      try {
        return (await client[operationOf(series)]({ vin, startDate, endDate, zoneId }, { signal })).trips;
      } catch (error) {
        if (error instanceof NoDataError) return [];
        throw error;
      }
    },
  };
}
