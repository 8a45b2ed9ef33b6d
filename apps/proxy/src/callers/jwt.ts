import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { bearerToken } from '../bearer.js';
import type { IncomingCall } from '../decide.js';
import type { Caller, CallerCheck } from './caller.js';

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
  /** Operations that callers may use; `null` for all. */
  readonly operations: ReadonlySet<string> | null;
}

/** Time for fetching the key set, in milliseconds. */
const keySetTimeoutMs = 3000;
/** Pause before the key set is fetched again for a key that is not in it, in milliseconds. */
const keySetPauseMs = 10_000;
/** Age at which the key set is fetched again, in milliseconds: ten minutes. */
const keySetMaxAgeMs = 600_000;
/** Longest token that is looked at, in characters. */
const maxTokenLength = 8192;
/** A token that was good is taken for good this long, in milliseconds, but never beyond its own end. */
const rememberMs = 60_000;
const maxRemembered = 10_000;

interface Remembered {
  readonly caller: Caller;
  readonly untilMs: number;
}

/**
 * Recognises callers by bearer tokens that an issuer has signed: JSON Web Tokens, checked against the issuer's key set with fixed
 * algorithms, issuer, audience and times (https://www.rfc-editor.org/rfc/rfc8725). Keys are fetched when they are needed, kept,
 * and fetched again for a key that is new.
 */
export class JwtCallers implements CallerCheck {
  readonly challenge = 'Bearer realm="vehicle-data"';
  readonly #rules: JwtRules;
  readonly #keys: JWTVerifyGetKey;
  readonly #remembered = new Map<string, Remembered>();

  constructor(rules: JwtRules) {
    this.#rules = rules;
    this.#keys = createRemoteJWKSet(new URL(rules.jwksUrl), {
      timeoutDuration: keySetTimeoutMs,
      cooldownDuration: keySetPauseMs,
      cacheMaxAge: keySetMaxAgeMs,
    });
  }

  recognise(incoming: IncomingCall): Caller | null | Promise<Caller | null> {
    const token = bearerToken(incoming.header('authorization') ?? '');
    if (token === null || token.length > maxTokenLength) return null;
    const known = this.#remembered.get(token);
    if (known !== undefined && Date.now() < known.untilMs) return known.caller;
    return this.#verify(token);
  }

  async #verify(token: string): Promise<Caller | null> {
    this.#remembered.delete(token);
    const { issuer, audience, algorithms, toleranceSeconds, operations } = this.#rules;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: toleranceSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      // A token from the future was made by a wrong clock, or to outlive its issuer's rules.
      const nowSeconds = Date.now() / 1000;
      if (payload.iat !== undefined && payload.iat > nowSeconds + toleranceSeconds) return null;
      const caller: Caller = { id: await callerId(issuer, payload.sub ?? ''), brands: null, operations, rate: null };
      this.#remember(token, caller, (payload.exp ?? 0) * 1000);
      return caller;
    } catch {
      // The library's own message can quote the token.
      return null;
    }
  }

  #remember(token: string, caller: Caller, expiresMs: number): void {
    if (this.#remembered.size >= maxRemembered) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(token, { caller, untilMs: Math.min(Date.now() + rememberMs, expiresMs) });
  }
}

/** An identifier for limits and logs: a subject can be a person's name or address, its hash is neither. */
async function callerId(issuer: string, subject: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${issuer} ${subject}`));
  return [...new Uint8Array(digest, 0, 5)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
