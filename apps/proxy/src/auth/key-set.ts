import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Time for fetching the key set, in milliseconds. */
const timeoutMs = 3000;
/** Pause after a fetch before a token with an unknown key, or another failure, causes the next one, in milliseconds. */
const pauseMs = 10_000;
/** Age at which the key set is fetched again, in milliseconds: ten minutes. */
const refreshMs = 600_000;
/** Age up to which keys are used while the issuer cannot be reached, in milliseconds: one day. */
const maxAgeMs = 86_400_000;
const maxBytes = 262_144;
const maxKeys = 100;

// On Workers a promise of one request cannot be awaited by another.
const sharesFetches = globalThis.navigator?.userAgent !== 'Cloudflare-Workers';

/** There is no key set: it was never fetched, or the issuer has been away for a day. */
export class KeySetUnavailable extends Error {
  override readonly name = 'KeySetUnavailable';
}

/**
 * The public keys of an issuer. They are fetched when they are needed and kept while the issuer is away: an outage of the issuer
 * ends no client's access.
 */
export class KeySet {
  readonly #url: string;
  #keys: JWTVerifyGetKey | null = null;
  #fetchedMs = Number.NEGATIVE_INFINITY;
  #triedMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * The key that a token names.
   *
   * @throws {KeySetUnavailable} when there is no key set
   * @throws {errors.JWKSNoMatchingKey} when the issuer has no such key
   */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    if (this.#ageMs() > refreshMs) await this.#refresh(this.#ageMs() > maxAgeMs);
    if (this.#keys === null || this.#ageMs() > maxAgeMs) throw new KeySetUnavailable();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayTry()) throw error;
      await this.#refresh(true);
      return this.#keys(header, token);
    }
  };

  #ageMs(): number {
    return performance.now() - this.#fetchedMs;
  }

  #mayTry(): boolean {
    return performance.now() - this.#triedMs >= pauseMs;
  }

  /** Fetches the keys, at most once in a while. @param wait whether the token needs the outcome */
  async #refresh(wait: boolean): Promise<void> {
    if (this.#fetching === null) {
      if (!this.#mayTry()) return;
      const fetching = this.#fetch().finally(() => {
        this.#fetching = null;
      });
      if (!sharesFetches) return fetching;
      this.#fetching = fetching;
    }
    if (wait) await this.#fetching;
  }

  async #fetch(): Promise<void> {
    this.#triedMs = performance.now();
    try {
      const response = await fetch(this.#url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const document: unknown = JSON.parse(await readBounded(response));
      if (response.status !== 200 || !isKeySet(document)) return;
      this.#keys = createLocalJWKSet(document);
      this.#fetchedMs = performance.now();
    } catch {
      // The keys known so far stay; without any, the caller of `keyFor` is told.
    }
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxBytes) throw new KeySetUnavailable();
  }
  return text + decoder.decode();
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return false;
  const { keys } = value;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys) return false;
  return keys.every((key) => typeof key === 'object' && key !== null && typeof key.kty === 'string');
}
