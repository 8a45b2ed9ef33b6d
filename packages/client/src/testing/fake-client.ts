import type { VehicleDataClientOptions } from '../client-options.js';
import { createVehicleDataClient, type VehicleDataClient } from '../create-client.js';
import { brands, type Fakes } from '../generated/fakes.js';
import { respond } from './respond.js';

/**
 * A client whose service is functions of your own: arguments are checked, errors are typed and `trips` iterates as it does
 * with the service. A method without a fake fails with the code `not-faked`. Nothing is retried unless you set `maxRetries`.
 *
 * @example
 * const client = fakeClient({ getLocation: ({ vin }) => createLocationRecord() });
 */
export function fakeClient(fakes: Fakes, options: Partial<VehicleDataClientOptions> = {}): VehicleDataClient {
  return createVehicleDataClient({
    baseUrl: 'http://fake.invalid',
    brand: brands[0],
    accessToken: null,
    maxRetries: 0,
    fetch: (url, { method, headers }) => respond(fakes, { method, url, headers }),
    ...options,
  });
}
