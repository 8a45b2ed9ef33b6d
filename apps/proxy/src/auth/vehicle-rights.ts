import { hexOf } from '../sha256.js';

/** The vehicles that a client may use. */
export interface VehicleRights {
  /** Whether a vehicle is among them. @param vin in any case of its letters */
  allows(vin: string): boolean | Promise<boolean>;
}

/** The form in which a VIN is compared: the contract takes its letters in either case, and they name the same vehicle. */
export function foldVin(vin: string): string {
  return vin.toUpperCase();
}

/** The vehicles of a list of VINs. */
export function vehiclesNamed(vins: readonly string[]): VehicleRights {
  const folded = new Set(vins.map(foldVin));
  return { allows: (vin) => folded.has(foldVin(vin)) };
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
