import type { IncomingCall } from '../decide.js';
import type { Caller, CallerCheck } from './caller.js';
import type { KeyRecord } from './key-record.js';

/** SHA-256 of a text in hexadecimal digits; at once where the runtime can. */
export type Digest = (text: string) => string | Promise<string>;

interface KnownKey {
  readonly caller: Caller;
  readonly expiresMs: number;
}

/** Form of a key: a prefix by which leaked keys are found, its identifier, 256 random bits. */
const keyForm = /^vds_[0-9a-z]{10}_[0-9A-Za-z_-]{43}$/;
const bearerForm = /^bearer +(vds_\S+)$/i;

/** Header in which a key is sent. */
export const keyHeader = 'x-api-key';

/**
 * Recognises callers by API keys. A key is looked up by its hash, which nobody can steer towards that of another key: how long
 * the look-up takes says nothing about how much of a key was right.
 */
export class ApiKeys implements CallerCheck {
  readonly challenge: string;
  readonly #digest: Digest;
  readonly #alsoBearer: boolean;
  #known: ReadonlyMap<string, KnownKey> = new Map();

  /** @param alsoBearer whether a key may also come as bearer token; only where no bearer token is forwarded to the service */
  constructor(digest: Digest, alsoBearer: boolean) {
    this.#digest = digest;
    this.#alsoBearer = alsoBearer;
    this.challenge = alsoBearer ? 'Bearer realm="vehicle-data"' : 'ApiKey realm="vehicle-data"';
  }

  /** Takes these keys from now on, and no others. */
  use(records: readonly KeyRecord[]): void {
    this.#known = new Map(
      records.map(({ id, hash, expires, brands, operations, rate }) => {
        const caller: Caller = {
          id,
          brands: brands === null ? null : new Set(brands),
          operations: operations === null ? null : new Set(operations),
          rate,
        };
        return [hash, { caller, expiresMs: expires === null ? Number.POSITIVE_INFINITY : Date.parse(expires) }];
      }),
    );
  }

  recognise(incoming: IncomingCall): Caller | null | Promise<Caller | null> {
    const key = this.#keyOf(incoming);
    if (key === undefined || !keyForm.test(key)) return null;
    const hash = this.#digest(key);
    return typeof hash === 'string' ? this.#find(hash) : hash.then((later) => this.#find(later));
  }

  #keyOf(incoming: IncomingCall): string | undefined {
    const own = incoming.header(keyHeader);
    if (own !== undefined || !this.#alsoBearer) return own;
    return bearerForm.exec(incoming.header('authorization') ?? '')?.[1];
  }

  #find(hash: string): Caller | null {
    const known = this.#known.get(hash);
    return known !== undefined && Date.now() < known.expiresMs ? known.caller : null;
  }
}
