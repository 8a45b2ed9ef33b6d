import type { Rate } from '../limits/rate.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import type { VehicleRights } from './vehicle-rights.js';

/** Somebody who may call, and what for. */
export interface Client {
  /** Identifier for limits and logs; never a key, a token or a person's name. */
  readonly id: string;
  /** Brands that the client may name; `null` for all. */
  readonly brands: ReadonlySet<string> | null;
  /** Identifiers of the operations that the client may use; `null` for all. */
  readonly operations: ReadonlySet<string> | null;
  /** Vehicles that the client may name; `null` for all. With a list, operations that name no vehicle are not allowed. */
  readonly vehicles: VehicleRights | null;
  /** The client's own rate; `null` for that of the settings. */
  readonly rate: Rate | null;
}

/** Nobody can be authenticated now: neither good nor bad credentials can be told. */
export const authUnavailable = 'unavailable';
export type AuthUnavailable = typeof authUnavailable;

/** Finds out who calls. */
export interface ClientAuth {
  /** Value of `WWW-Authenticate` on an error response, https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 */
  readonly challenge: string;
  /** The client, or `null` when the credentials are missing or not valid. At once where it can. */
  authenticate(incoming: IncomingRequest): Client | null | Promise<Client | AuthUnavailable | null>;
}

/** The client where clients are not told apart. */
export const anonymous: Client = { id: '', brands: null, operations: null, vehicles: null, rate: null };

// The scheme in any case, one or more spaces, then a b64token.
// https://www.rfc-editor.org/rfc/rfc6750#section-2.1 and https://www.rfc-editor.org/rfc/rfc9110#section-11.1
const bearerForm = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The access token of an `Authorization` value, or `null` when the value is not of the bearer form. */
export function bearerToken(authorization: string): string | null {
  return bearerForm.exec(authorization)?.[1] ?? null;
}
