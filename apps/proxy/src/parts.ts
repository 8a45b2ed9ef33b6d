// Parts for `createProxy` and the middleware that run on every runtime, each made from typed options.
import { ApiKeys } from './auth/api-keys.js';
import type { ClientAuth } from './auth/client.js';
import { JwtClients } from './auth/jwt.js';
import type { JwtOptions } from './auth/jwt-options.js';
import { parseKeys } from './auth/key-record.js';
import { CountedLimits, type LimitRates, type RateLimits } from './limits/rate-limits.js';
import { sha256Hex } from './sha256.js';
import { MemoryStore, type Store } from './store/memory-store.js';
import { ManagedTokens } from './upstream-token/managed-tokens.js';
import type { TokenOptions } from './upstream-token/token-options.js';
import type { TokenSource } from './upstream-token/token-source.js';

/** How clients are recognized by API keys. */
export interface KeyOptions {
  /** The text of a key file, as `vds-proxy keys` writes it. It holds hashes of keys, and no key. */
  readonly keyFile: string;
  /** Secret under which the file keeps VINs, for keys of single vehicles; at least 32 characters. Default: there are no such keys. */
  readonly vinHashKey?: string;
}

/**
 * Recognizes clients by tokens that an issuer has signed (JSON Web Tokens).
 *
 * @example
 * const clientAuth = jwtAuth({
 *   keySetUrl: 'https://issuer.example.com/.well-known/jwks.json',
 *   issuer: 'https://issuer.example.com',
 *   audience: 'vehicle-data',
 * });
 */
export function jwtAuth(options: JwtOptions): ClientAuth {
  return new JwtClients(options);
}

/**
 * Recognizes clients by API keys in `X-API-Key`.
 *
 * @throws {Error} when the text is no key file, or holds keys for single vehicles without `vinHashKey`
 */
export function keyAuth({ keyFile, vinHashKey }: KeyOptions): ClientAuth {
  const records = parseKeys(keyFile);
  if (records === null) throw new Error('keyFile: is not the text of a key file; `vds-proxy keys create` makes one');
  const keys = new ApiKeys(sha256Hex, vinHashKey);
  if (keys.lacksHash(records))
    throw new Error('vinHashKey: must be set, because the key file holds keys for single vehicles');
  keys.use(records);
  return keys;
}

/** Limits that this process counts alone: requests of each client, for each vehicle, and without good credentials. */
export function rateLimits(rates: LimitRates): RateLimits {
  return new CountedLimits(null, rates);
}

/**
 * Access tokens for the upstream that the proxy requests itself, for `upstreamAuth: { kind: 'token-endpoint' }`.
 *
 * @param byBrand how the tokens of each brand are requested
 * @param store where tokens are kept and processes wait for each other. Default: this process alone, which is good for client credentials
 * @throws {Error} when a grant gives refresh tokens, which must outlive the process, and there is no store
 */
export function tokenEndpoint(byBrand: Readonly<Record<string, TokenOptions>>, store?: Store): TokenSource {
  const grants = Object.entries(byBrand).filter(
    ([, { grant = 'client-credentials' }]) => grant !== 'client-credentials',
  );
  const [first] = grants;
  if (store === undefined && first !== undefined)
    throw new Error(
      `${first[0]}: ${first[1].grant} needs a store that outlives the process; pass one as the second argument`,
    );
  return new ManagedTokens(new Map(Object.entries(byBrand)), store ?? new MemoryStore());
}
