import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import * as v from 'valibot';
import { rateText } from '../rate.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import { readAtMost } from '../response/buffered-body.js';
import { sha256Hex } from '../sha256.js';
import { valueAt } from '../value-at.js';
import { type Authentication, authUnavailable, bearerToken, type Client, type ClientAuth, foldVin } from './client.js';
import { type JwtOptions, jwtDefaults, type RightsClaim } from './jwt-options.js';

/** Longest token that is looked at, in characters. */
const maxTokenLength = 8192;
/** A token that was good is taken for good this long, in milliseconds, but never beyond its own end. */
const rememberMs = 60_000;
const maxRemembered = 10_000;

/** Time for fetching the key set, in milliseconds. */
const fetchTimeoutMs = 3000;
/** Pause after a fetch before a token with an unknown key, or another failure, causes the next one, in milliseconds. */
const pauseMs = 10_000;
/** Age at which the key set is fetched again, in milliseconds: ten minutes. */
const refreshMs = 600_000;
/** Age up to which keys are used while the issuer cannot be reached, in milliseconds: one day. */
const maxAgeMs = 86_400_000;
const maxKeySetBytes = 262_144;
const never = Number.NEGATIVE_INFINITY;
const isKey = (each: unknown) => v.is(v.looseObject({ kty: v.string() }), each);
/** What lacks a type is no key, and says nothing about the others (https://www.rfc-editor.org/rfc/rfc7517#section-5). */
const keys = v.pipe(v.array(v.unknown()), v.filterItems(isKey), v.nonEmpty(), v.maxLength(100));
const keySet = v.pipe(v.string(), v.parseJson(), v.object({ keys }));

/**
 * Authenticates clients by bearer tokens that an issuer has signed: JSON Web Tokens, checked against the issuer's key set with fixed
 * algorithms, type, issuer, audience and times (https://www.rfc-editor.org/rfc/rfc8725).
 */
export class JwtClients implements ClientAuth {
  readonly challenge = 'Bearer realm="vehicle-data"';
  readonly #options: JwtOptions;
  readonly #keyFor: JWTVerifyGetKey;
  /** Clients whose tokens were verified: when, by a clock that is never set, and when the token ends. */
  readonly #remembered = new Map<string, { client: Client; sinceMs: number; expiresMs: number }>();

  /** @param before clients by other options; the issuer's keys stay when its address does */
  constructor(options: JwtOptions, before: JwtClients | null = null) {
    this.#options = options;
    const { keySetUrl, maxWaiting = jwtDefaults.maxWaiting } = options;
    const keepsKeys = before !== null && before.#options.keySetUrl === keySetUrl;
    this.#keyFor = keepsKeys ? before.#keyFor : keySetAt(keySetUrl, maxWaiting);
  }

  async authenticate(incoming: IncomingRequest, onlyKnown = false): Promise<Authentication> {
    const token = bearerToken(incoming.header('authorization') ?? '');
    if (token === null) return { rejected: 'no bearer token' };
    if (token.length > maxTokenLength) return { rejected: 'too long' };
    // Not by the token itself: ten thousand long ones would fill the memory.
    const key = await sha256Hex(token);
    const known = this.#remembered.get(key);
    if (known && performance.now() - known.sinceMs < rememberMs && Date.now() < known.expiresMs) return known.client;
    if (onlyKnown) return { rejected: 'not checked' };
    this.#remembered.delete(key);
    return this.#verify(token, key);
  }

  async #verify(token: string, key: string): Promise<Authentication> {
    const { issuer, audience, toleranceSeconds: clockTolerance = jwtDefaults.toleranceSeconds } = this.#options;
    const algorithms = [...(this.#options.algorithms ?? jwtDefaults.algorithms)];
    try {
      const requiredClaims = ['exp', 'sub'];
      const rules = { issuer, audience, algorithms, clockTolerance, requiredClaims };
      const { payload, protectedHeader } = await verifyByAnyKey(token, this.#keyFor, rules);
      if (!isAccessToken(protectedHeader.typ, payload)) return { rejected: 'not an access token' };
      // A token from the future was made by a wrong clock, or to outlive its issuer's rules.
      const nowSeconds = Date.now() / 1000;
      if (payload.iat !== undefined && payload.iat > nowSeconds + clockTolerance) return { rejected: 'claim iat' };
      // An identifier for limits and logs, of 128 bits: a subject can be a person's name or address, its hash is neither.
      const id = (await sha256Hex(`${issuer} ${payload.sub}`)).slice(0, 32);
      const client: Client = { id, ...rightsOf(payload, this.#options) };
      const [oldest = ''] = this.#remembered.keys();
      if (this.#remembered.size >= maxRemembered) this.#remembered.delete(oldest);
      this.#remembered.set(key, { client, sinceMs: performance.now(), expiresMs: (payload.exp ?? 0) * 1000 });
      return client;
    } catch (error) {
      return error instanceof KeySetUnavailable || error instanceof TooManyWaiting
        ? authUnavailable
        : { rejected: reasonOf(error) };
    }
  }
}

/**
 * Verifies a token also where several keys fit its header: an issuer that names no keys publishes the old beside the new one.
 *
 * @throws {Error} as `jwtVerify` does
 */
async function verifyByAnyKey(token: string, keyFor: JWTVerifyGetKey, rules: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keyFor, rules);
  } catch (several) {
    if (!(several instanceof errors.JWKSMultipleMatchingKeys)) throw several;
    for await (const key of several) {
      try {
        return await jwtVerify(token, key, rules);
      } catch (error) {
        // A key that cannot be used, such as one that is too short, is no error of the library.
        if (error instanceof errors.JOSEError && !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  [errors.JOSEAlgNotAllowed.code, 'algorithm not allowed'],
  [errors.JWKSNoMatchingKey.code, 'unknown key'],
  [errors.JWSSignatureVerificationFailed.code, 'wrong signature'],
  [errors.JWTExpired.code, 'expired'],
]);

/** Why a token is rejected, in fixed words. The library's own message can quote it. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim}`;
  return (error instanceof errors.JOSEError && reasons.get(error.code)) || 'malformed';
}

/**
 * Whether a token is an access token that anyone who bears it may use: no ID or logout token, and none that is bound to a key of
 * its holder, which nobody has proven here.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.1}, {@link https://www.rfc-editor.org/rfc/rfc7800#section-3.1}
 */
function isAccessToken(type: string | undefined, payload: JWTPayload): boolean {
  const typeFits = type === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(type);
  return typeFits && payload.sub !== '' && payload['cnf'] === undefined && payload['at_hash'] === undefined;
}

const words = v.pipe(
  v.string(),
  v.transform((text) => text.split(' ').filter((name) => name !== '')),
);
/** A list, or words as in `scope`; without the claim, no name. */
const namesForm = v.optional(v.union([v.array(v.string()), words]), []);

/**
 * The rights that a token carries. A claim that the options name and the token lacks allows nothing; names that the contract
 * does not know allow nothing either, so that one token can serve several audiences.
 *
 * @throws {Error} when a claim is malformed
 */
function rightsOf(payload: JWTPayload, { claims = {}, operations: allowed }: JwtOptions): Omit<Client, 'id'> {
  const claim = (name: RightsClaim) => (claims[name] === undefined ? undefined : valueAt(payload, claims[name]));
  const namesIn = (name: RightsClaim) => (claims[name] === undefined ? null : v.parse(namesForm, claim(name)));
  const [named, brands] = [namesIn('operations'), namesIn('brands')];
  const vehicles = namesIn('vehicles');
  const vins = new Set(vehicles?.map(foldVin));
  const operations = named === null ? allowed : (allowed?.filter((name) => named.includes(name)) ?? named);
  return {
    operations: operations ? new Set(operations) : null,
    brands: brands && new Set(brands),
    vehicles: vehicles && { allows: (vin) => vins.has(foldVin(vin)) },
    rate: v.parse(v.optional(rateText), claim('rate')) ?? null,
  };
}

/** There is no key set: it was never fetched, or the issuer has been away for a day. */
class KeySetUnavailable extends Error {}

/** The key set is on its way, and as many wait for it as may. */
class TooManyWaiting extends Error {}

/**
 * The public keys of an issuer. They are fetched when they are needed and kept while the issuer is away: an outage of the issuer
 * ends no client's access.
 *
 * @param maxWaiting tokens that may wait for a slow issuer at once: a flood of unknown ones takes no more of the requests in flight
 * @returns finds the key that a token names; fails with {@link KeySetUnavailable} when there is no key set
 */
function keySetAt(url: string, maxWaiting: number): JWTVerifyGetKey {
  let [fetchedMs, failedMs, repeatedMs] = [never, never, never];
  const fetchUnlessFailed: FetchImplementation = async (...request) => {
    if (performance.now() - failedMs < pauseMs) throw new KeySetUnavailable();
    try {
      const response = await fetchKeySet(...request);
      fetchedMs = performance.now();
      return response;
    } catch {
      failedMs = performance.now();
      throw new KeySetUnavailable();
    }
  };
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: pauseMs,
    // Its clock can be set.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: fetchUnlessFailed,
  });
  const find: JWTVerifyGetKey = async (header, token) => {
    const nowMs = performance.now();
    const triedMs = Math.max(fetchedMs, failedMs);
    if (nowMs - fetchedMs > maxAgeMs) await remote.reload();
    // Whatever was withdrawn since then is good no longer.
    else if (nowMs - triedMs >= refreshMs) await remote.reload().catch(() => {});
    // While the issuer is away, no request waits for it.
    else if (failedMs > fetchedMs && nowMs - Math.max(repeatedMs, failedMs) >= pauseMs) {
      repeatedMs = nowMs;
      remote.reload().catch(() => {});
    }
    return remote(header, token).catch((error: unknown) => {
      // The keys are known, and none is the one that the token names.
      throw error instanceof KeySetUnavailable ? new errors.JWKSNoMatchingKey() : error;
    });
  };
  let waiting = 0;
  let here: { readonly fetchedMs: number; readonly find: JWTVerifyGetKey } | null = null;
  /** The key when it is one of those that were fetched last. */
  const findHere: JWTVerifyGetKey = async (header, token) => {
    const set = performance.now() - fetchedMs > maxAgeMs ? undefined : remote.jwks();
    if (set === undefined) throw new TooManyWaiting();
    if (here?.fetchedMs !== fetchedMs) here = { fetchedMs, find: createLocalJWKSet(set) };
    try {
      return await here.find(header, token);
    } catch (error) {
      throw error instanceof errors.JWKSNoMatchingKey ? new TooManyWaiting() : error;
    }
  };
  return async (header, token) => {
    if (waiting >= maxWaiting) return findHere(header, token);
    waiting++;
    try {
      return await find(header, token);
    } finally {
      waiting--;
    }
  };
}

async function fetchKeySet(...request: Parameters<FetchImplementation>): Promise<Response> {
  const { status, body } = await fetch(...request);
  const text = new TextDecoder().decode((await readAtMost(body, maxKeySetBytes)) ?? undefined);
  if (status !== 200) throw new KeySetUnavailable();
  return Response.json(v.parse(keySet, text));
}
