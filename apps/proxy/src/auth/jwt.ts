import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { IncomingRequest } from '../request/incoming-request.js';
import { sha256Hex } from '../sha256.js';
import { type AuthUnavailable, authUnavailable, bearerToken, type Client, type ClientAuth } from './client.js';
import { type RightsClaims, rightsOf } from './jwt-rights.js';
import { KeySetUnavailable, keySetAt } from './key-set.js';

/** Whose tokens count, and how they are checked. */
export interface JwtRules {
  /** Address of the issuer's key set. */
  readonly jwksUrl: string;
  readonly issuer: string;
  /** Identifier of this proxy, which must be among the audiences of a token. */
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** Difference of clocks that is forgiven, in seconds. */
  readonly toleranceSeconds: number;
  /** Operations that clients may use; `null` for all. */
  readonly operations: ReadonlySet<string> | null;
  /** Claims with the rights of a client. Default: none, and every client has the same rights. */
  readonly claims?: RightsClaims;
}

/** Longest token that is looked at, in characters. */
const maxTokenLength = 8192;
/** A token that was good is taken for good this long, in milliseconds, but never beyond its own end. */
const rememberMs = 60_000;
const maxRemembered = 10_000;

/**
 * Authenticates clients by bearer tokens that an issuer has signed: JSON Web Tokens, checked against the issuer's key set with fixed
 * algorithms, type, issuer, audience and times (https://www.rfc-editor.org/rfc/rfc8725).
 */
export class JwtClients implements ClientAuth {
  readonly challenge = 'Bearer realm="vehicle-data"';
  readonly #rules: JwtRules;
  readonly #keyFor: JWTVerifyGetKey;
  readonly #remembered = new Map<string, { readonly client: Client; readonly untilMs: number }>();

  /** @param before clients by other rules; the issuer's keys stay when its address does */
  constructor(rules: JwtRules, before: JwtClients | null = null) {
    this.#rules = rules;
    const keepsKeys = before !== null && before.#rules.jwksUrl === rules.jwksUrl;
    this.#keyFor = keepsKeys ? before.#keyFor : keySetAt(rules.jwksUrl);
  }

  async authenticate(incoming: IncomingRequest): Promise<Client | AuthUnavailable | null> {
    const token = bearerToken(incoming.header('authorization') ?? '');
    if (token === null || token.length > maxTokenLength) return null;
    // Not by the token itself: ten thousand long ones would fill the memory.
    const key = await sha256Hex(token);
    const known = this.#remembered.get(key);
    if (known !== undefined && Date.now() < known.untilMs) return known.client;
    this.#remembered.delete(key);
    return this.#verify(token, key);
  }

  async #verify(token: string, key: string): Promise<Client | AuthUnavailable | null> {
    const { issuer, audience, algorithms, toleranceSeconds, operations, claims = {} } = this.#rules;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keyFor, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: toleranceSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      if (!isAccessToken(protectedHeader.typ, payload)) return null;
      // A token from the future was made by a wrong clock, or to outlive its issuer's rules.
      const nowSeconds = Date.now() / 1000;
      if (payload.iat !== undefined && payload.iat > nowSeconds + toleranceSeconds) return null;
      // An identifier for limits and logs, of 128 bits: a subject can be a person's name or address, its hash is neither.
      const id = (await sha256Hex(`${issuer} ${payload.sub}`)).slice(0, 32);
      const client: Client = { id, ...rightsOf(payload, claims, operations) };
      this.#remember(key, client, (payload.exp ?? 0) * 1000);
      return client;
    } catch (error) {
      // The library's own message can quote the token.
      return error instanceof KeySetUnavailable ? authUnavailable : null;
    }
  }

  #remember(key: string, client: Client, expiresMs: number): void {
    if (this.#remembered.size >= maxRemembered) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(key, { client, untilMs: Math.min(Date.now() + rememberMs, expiresMs) });
  }
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
