import type { Digest } from '../auth/api-keys.js';
import { foldVin } from '../auth/client.js';
import { sha256Hex } from '../sha256.js';

// Names of what can be blocked. A brand is no secret and a client has an identifier; VINs and tokens are there as keyed hashes alone.

/** All vehicles that share with a brand under the proxy's own token. */
export const brandName = (brand: string) => `b/${encodeURIComponent(brand)}`;
export const clientName = (id: string) => `c/${encodeURIComponent(id)}`;

const hashDigits = 32;

/** Makes the names of vehicles and owners; at once where the runtime can hash at once. */
export class BlockNames {
  readonly #digest: Digest;
  readonly #secret: string;
  #key = '';

  /**
   * @param secret what replicas have in common; by default, names mean something to this process alone
   * @param digest SHA-256
   */
  constructor(secret: string = crypto.randomUUID() + crypto.randomUUID(), digest: Digest = sha256Hex) {
    this.#digest = digest;
    this.#secret = secret;
  }

  vehicle(brand: string, vin: string): string | Promise<string> {
    return this.#name(`v/${encodeURIComponent(brand)}/`, foldVin(vin));
  }

  /** All vehicles that an owner shares with a brand, who is known by an access token alone. */
  owner(brand: string, token: string): string | Promise<string> {
    return this.#name(`o/${encodeURIComponent(brand)}/`, token);
  }

  #name(start: string, text: string): string | Promise<string> {
    if (this.#key !== '') return this.#hashed(this.#key, start, text);
    // As long as one block of SHA-256. Each request makes it itself until it is known: on Workers none may wait for another.
    return continueWith(this.#digest(`vds-proxy fence ${this.#secret}`), (key) => {
      this.#key = key;
      return this.#hashed(key, start, text);
    });
  }

  /** The hash of a hash, with the key before both, so that nobody without it can make one or continue one. */
  #hashed(key: string, start: string, text: string): string | Promise<string> {
    const finish = (hash: string) => start + hash.slice(0, hashDigits);
    const outer = (inner: string) => this.#digest(key + inner);
    return continueWith(continueWith(this.#digest(`${key}${start}${text}`), outer), finish);
  }
}

/** Continues at once with a value that is here. */
export function continueWith<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
