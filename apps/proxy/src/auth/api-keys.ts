import type { Warnings } from '../observability/warnings.js';
import { keyHeader } from '../request/head-rules.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import { type Authentication, type Client, type ClientAuth, type VinHash, vehiclesHashed, vinHash } from './client.js';
import type { KeyRecord } from './key-record.js';

/** SHA-256 of a text in hexadecimal digits; at once where the runtime can. */
export type Digest = (text: string) => string | Promise<string>;

/** A key of the file: its client, or `null` for a key that was revoked. */
interface KnownKey {
  readonly client: Client | null;
  readonly expiresMs: number;
}

/** Form of a key: a prefix by which leaked keys are found, its identifier, 256 random bits. */
const keyForm = /^vds_[0-9a-z]{10}_[0-9A-Za-z_-]{43}$/;

export const hashMissing = 'VDS_VIN_HASH_KEY: must be set, because the key file holds keys for single vehicles';

/**
 * Recognises clients by API keys. A key is looked up by its hash, which nobody can steer towards that of another key: how long
 * the look-up takes says nothing about how much of a key was right.
 */
export class ApiKeys implements ClientAuth {
  readonly challenge = 'ApiKey realm="vehicle-data"';
  readonly #digest: Digest;
  readonly #vinHash: VinHash | null;
  #known: ReadonlyMap<string, KnownKey> = new Map();

  /** @param hashKey secret of the hashes of VINs; without it, keys for single vehicles allow none */
  constructor(digest: Digest, hashKey?: string) {
    this.#digest = digest;
    this.#vinHash = hashKey === undefined ? null : vinHash(hashKey);
  }

  /** Whether these hold keys for single vehicles, and there is no hash to find the vehicles by. */
  lacksHash(records: readonly KeyRecord[]): boolean {
    return this.#vinHash === null && records.some(({ revoked, vehicles }) => revoked === null && vehicles !== null);
  }

  /** Takes these keys from now on, and no others. @param warnings receive whether some of them allow nothing */
  use(records: readonly KeyRecord[], warnings?: Warnings): void {
    if (this.lacksHash(records)) warnings?.raise('keys-file', `${hashMissing}; without it they allow nothing`);
    else warnings?.clear('keys-file');
    this.#known = new Map(
      records.map(({ id, hash, expires, revoked, brands, operations, vehicles, rate }) => {
        const client: Client = {
          id,
          brands: brands && new Set(brands),
          operations: operations && new Set(operations),
          vehicles: vehicles && vehiclesHashed(vehicles, this.#vinHash),
          rate,
        };
        const expiresMs = expires === null ? Number.POSITIVE_INFINITY : Date.parse(expires);
        return [hash, { client: revoked === null ? client : null, expiresMs }];
      }),
    );
  }

  authenticate(incoming: IncomingRequest): Authentication | Promise<Authentication> {
    const key = incoming.header(keyHeader);
    if (key === undefined) return { rejected: 'no key' };
    if (!keyForm.test(key)) return { rejected: 'malformed' };
    const hash = this.#digest(key);
    return typeof hash === 'string' ? this.#find(hash) : hash.then((later) => this.#find(later));
  }

  #find(hash: string): Authentication {
    const known = this.#known.get(hash);
    if (known === undefined) return { rejected: 'unknown key' };
    if (known.client === null) return { rejected: 'revoked' };
    return Date.now() < known.expiresMs ? known.client : { rejected: 'expired' };
  }
}
