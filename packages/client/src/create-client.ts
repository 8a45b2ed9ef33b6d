import type { Settings } from './call/call.js';
import { typedError } from './call-error.js';
import { operationMethods, tripMethods } from './generated/methods.js';
import type { ClientOverrides, VehicleDataClientOptions } from './options.js';
import { createRawClient, type RawClient } from './raw/raw-client.js';
import { overrideSettings, readOptions } from './settings.js';
import { startSync } from './trips/start-trips.js';
import type { SyncTrips } from './trips/trip-iterator.js';

/** Iterators over the trips of any range of days, one for each series of the contract. */
export interface TripIterators extends Readonly<ReturnType<typeof tripMethods>> {
  /**
   * The trips that are new since the last sync, of one vehicle or several. It continues at the `checkpoint`, also over
   * windows without data, and reads the last days again for trips that arrive late.
   *
   * @example
   * const onCheckpoint = (text: string) => writeFile('checkpoint.json', text);
   * for await (const { vin, trip } of client.trips.sync({ series: 'driving', vin, since, checkpoint }, { onCheckpoint })) …
   * @throws ArgumentError when the request or an option cannot work, before any request.
   */
  readonly sync: SyncTrips;
}

/** A client of the vehicle data service. */
export interface VehicleDataClient extends Readonly<ReturnType<typeof operationMethods>> {
  /** The result style of openapi-fetch, with the same checks, retries and deadline. */
  readonly raw: RawClient;
  /** Iterators over the trips of any range of days. */
  readonly trips: TripIterators;
  /**
   * The same client for another user or brand. Transport, retries and rate limit stay shared, so make one client for each
   * service and one `with()` for each user or request. Headers and signals add to those of this client.
   *
   * @throws ArgumentError when an option is unknown or cannot work.
   * @example
   * const client = service.with({ brand: 'brand_b', accessToken: user.token, signal: request.signal });
   */
  readonly with: (overrides: ClientOverrides) => VehicleDataClient;
}

/**
 * Makes a client of the vehicle data service.
 *
 * @example
 * const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8787', brand: 'brand_a', accessToken });
 * const { vehicles } = await client.listVehicles();
 * @throws ArgumentError when an option is unknown or cannot work.
 */
export function createVehicleDataClient(options: VehicleDataClientOptions): VehicleDataClient {
  return clientOf(() => readOptions(options));
}

function clientOf(read: () => Settings): VehicleDataClient {
  let settings: Settings;
  try {
    settings = read();
  } catch (error) {
    // What untyped options make the checks themselves throw becomes an error of this package.
    throw typedError(error);
  }
  return {
    ...operationMethods(settings),
    raw: createRawClient(settings),
    trips: { ...tripMethods(settings), sync: (request, options) => startSync(settings, request, options) },
    with: (overrides) => clientOf(() => overrideSettings(settings, overrides)),
  };
}
