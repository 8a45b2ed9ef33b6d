import {
  createVehicleDataClient,
  type VehicleDataClient,
  type VehicleDataClientOptions,
  type VehicleDataError,
} from '../src/index.js';
import { token } from './http-service.ts';
import { instantClock } from './test-clock.ts';

/** Where no service listens. */
export const nowhere = 'http://127.0.0.1:1';

/** A client of brand_a with a token; a test sets what it is about. */
export const clientOf = (baseUrl: string, options: Partial<VehicleDataClientOptions> = {}): VehicleDataClient =>
  createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: token, ...options });

/** A client of a transport that responds in one way, with what the transport was called with. */
export function stubbed(body: string | (() => Response), options: Partial<VehicleDataClientOptions> = {}) {
  const sent: { url: string; method: string; headers: Record<string, string> }[] = [];
  const client = clientOf(nowhere, {
    clock: instantClock(),
    fetch: async (url, { method, headers }) => {
      sent.push({ url: url.slice(nowhere.length), method, headers });
      return typeof body === 'string' ? new Response(body) : body();
    },
    ...options,
  });
  return { client, sent, untyped: untypedOf(client) };
}

type UntypedCall = (...args: readonly unknown[]) => Promise<unknown>;
type Method = 'listVehicles' | 'getLocation' | 'getDrivingData' | 'stopSharing' | 'stopSharingForAllVehicles';

/** A client as JavaScript sees it: whatever is passed compiles. */
export interface UntypedClient extends Readonly<Record<Method, UntypedCall>> {
  readonly raw: Readonly<Record<'GET' | 'DELETE', UntypedCall>>;
  readonly trips: { driving(...args: readonly unknown[]): { next(): Promise<unknown> } };
}
export const untypedOf = (client: VehicleDataClient) => client as object as UntypedClient;

/** The error that a call ends with. */
export const errorOf = (call: Promise<unknown>): Promise<VehicleDataError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: VehicleDataError) => error,
  );
