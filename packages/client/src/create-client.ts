import type { Settings } from './call/call.js';
import { overrideSettings, readOptions } from './call/settings.js';
import { typedError } from './call-error.js';
import { type Consents, createConsents } from './consents/consents.js';
import type { OperationMethods, TripMethods } from './generated/methods.js';
import type { Brand } from './generated/schemas.js';
import { operationMethods, tripMethods } from './generated/start-methods.js';
import type { ClientOverrides, VehicleDataClientOptions } from './options.js';
import { createRawClient, type RawClient } from './raw/raw-client.js';
import { startSync } from './trips/start-trips.js';
import type { SyncTrips } from './trips/trip-iterator.js';

/** Iterators over the trips of any range of days, one for each series of the contract. */
export interface TripIterators<BrandName extends string = Brand> extends TripMethods<BrandName> {
  /**
   * The trips that are new since the last sync, of one vehicle or several. It continues at the `checkpoint`, also over
   * windows without data, and reads the last days again for trips that arrive late.
   *
   * @example
   * const onCheckpoint = (text: string) => writeFile('checkpoint.json', text);
   * for await (const { vin, trip } of client.trips.sync({ series: 'driving', vin, since, checkpoint }, { onCheckpoint })) …
   * @throws ArgumentError when the request or an option cannot work, before any request.
   */
  readonly sync: SyncTrips<BrandName>;
}

/** A client of the vehicle data service. A function that takes any client takes `VehicleDataClient<never>`. */
export interface VehicleDataClient<BrandName extends string = Brand> extends OperationMethods<BrandName> {
  /** The result style of openapi-fetch, with the same checks, retries and deadline. */
  readonly raw: RawClient<BrandName>;
  /** Iterators over the trips of any range of days. */
  readonly trips: TripIterators<BrandName>;
  /** Which vehicles have joined or left since you looked last. */
  readonly consents: Consents<BrandName>;
  /**
   * The same client for another user or brand. Transport and `maxConcurrency` stay shared; a rate limit holds for the
   * credentials that have met it (`rateLimitScope`). It costs nothing: make one client for each service, and `with()` for
   * each user or request, where all requests of a user have the same `accessToken` function. Headers and signals add to those of this client.
   *
   * @throws ArgumentError when an option is unknown, cannot work, or is there and `undefined`.
   * @example
   * const client = service.with({ brand: 'brand_b', accessToken: user.token, signal: request.signal, tag: 'tenant-7' });
   */
  readonly with: (overrides: ClientOverrides<BrandName>) => VehicleDataClient<BrandName>;
}

/**
 * Makes a client of the vehicle data service.
 *
 * @example
 * const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8787', brand: 'brand_a', accessToken });
 * const { vehicles } = await client.listVehicles();
 * @example
 * const own = createVehicleDataClient({ baseUrl, brands: ['acme', 'zenith'], brand: 'acme', accessToken });
 * @throws ArgumentError when an option is unknown or cannot work.
 */
export function createVehicleDataClient<const BrandName extends string = Brand>(
  options: VehicleDataClientOptions<BrandName>,
): VehicleDataClient<BrandName> {
  return clientOf<BrandName>(() => readOptions(options));
}

function clientOf<BrandName extends string>(read: () => Settings): VehicleDataClient<BrandName> {
  let settings: Settings;
  try {
    settings = read();
  } catch (error) {
    // What untyped options make the checks themselves throw becomes an error of this package.
    throw typedError(error);
  }
  return {
    ...operationMethods<BrandName>(settings),
    raw: createRawClient<BrandName>(settings),
    trips: {
      ...tripMethods<BrandName>(settings),
      sync: (request, options) => startSync(settings, request, options),
    },
    consents: createConsents<BrandName>(settings),
    with: (overrides) => clientOf<BrandName>(() => overrideSettings(settings, overrides)),
  };
}
