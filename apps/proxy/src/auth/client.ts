import type { Rate } from '../rate.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import { hexOf } from '../sha256.js';

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

/** The client; or why the credentials are not valid, in fixed words for the log alone; or `null` without a reason. */
export type Authentication = Client | { readonly rejected: string } | typeof authUnavailable | null;

/** Finds out who calls. */
export interface ClientAuth {
  /** Value of `WWW-Authenticate` on an error response, https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 */
  readonly challenge: string;
  /**
   * At once where it can.
   *
   * @param onlyKnown whether credentials that were never found to be good, and would take work to check, are rejected unchecked
   */
  authenticate(incoming: IncomingRequest, onlyKnown?: boolean): Authentication | Promise<Authentication>;
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

/** The vehicles that a client may use. */
export interface VehicleRights {
  /** Whether a vehicle is among them. @param vin in any case of its letters */
  allows(vin: string): boolean | Promise<boolean>;
}

/** The form in which a VIN is compared: the contract takes its letters in either case, and they name the same vehicle. */
export function foldVin(vin: string): string {
  return vin.toUpperCase();
}

/** Hash of a VIN, in any case of its letters, under a key that only the operator has. */
export type VinHash = (vin: string) => Promise<string>;

/** The vehicles of a list of hashes, as `hash` makes them; none without it. */
export function vehiclesHashed(hashes: readonly string[], hash: VinHash | null): VehicleRights {
  const known = new Set(hashes);
  return { allows: async (vin) => hash !== null && known.has(await hash(vin)) };
}

/**
 * Makes the hash under which VINs are kept in key files and in the audit log: HMAC-SHA-256, so that nobody without the key can try
 * out VINs.
 */
export function vinHash(key: string): VinHash {
  const encoder = new TextEncoder();
  const usage = { name: 'HMAC', hash: 'SHA-256' } as const;
  const imported = crypto.subtle.importKey('raw', encoder.encode(key), usage, false, ['sign']);
  return async (vin) => {
    const mac = await crypto.subtle.sign(usage.name, await imported, encoder.encode(foldVin(vin)));
    return hexOf(mac).slice(0, 32);
  };
}
