import { msPerDay } from '#kit/calendar.js';
import { attempt } from '../attempt.js';
import { afterReading } from '../platform/runtime.js';
import { readAtMost } from '../response/buffered-body.js';
import { valueAt } from '../value-at.js';
import type { ResolvedTokenOptions, requestFieldNames, responseFieldNames } from './token-options.js';

/**
 * Why no token came: no connection, no response in time, an error response, something that is no response, a response whose refresh
 * token cannot be sent, or a store that failed.
 */
export type TokenFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'rejected'
  | 'invalid-response'
  | 'invalid-refresh-token'
  | 'store';

/** A token request that failed. Its text is its kind alone. */
export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
  readonly kind: TokenFailureKind;
  /** Time for which the endpoint wants to be left alone, in milliseconds; 0 when it does not say. */
  readonly retryAfterMs: number;

  constructor(kind: TokenFailureKind, retryAfterMs = 0) {
    super(kind);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface TokenResponse {
  readonly accessToken: string;
  /** Lifetime in milliseconds, at most one day; that of the options when none was given that can be true. */
  readonly lifeMs: number;
  readonly refreshToken: string | null;
  /** Lifetime of the refresh token in milliseconds, or that of the options. */
  readonly refreshLifeMs: number;
}

/**
 * Name of a field in the OAuth form:
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3, section-4.4.2, section-5.1 and section-6
 */
function oauthName(name: string): string {
  return name === 'redirectUrl' ? 'redirect_uri' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const maxResponseBytes = 65_536;

/**
 * Asks for a token. `Brand` goes with it, as with every call of the service (interface, section 5). Neither the paths of a token endpoint nor
 * its field names are part of the contract, so all of them are options.
 *
 * @param refreshToken what the token is requested with; `null` for what the options say
 * @throws {TokenFailure} when there is no good response; its text holds nothing that was sent or received
 */
export async function requestToken(
  options: ResolvedTokenOptions,
  brand: string,
  refreshToken: string | null,
): Promise<TokenResponse> {
  const { url, refreshUrl = url, clientId, clientSecret = '' } = options;
  const fields = fieldsOf(options, refreshToken);
  const oauth = options.form === 'oauth';
  const headers: Record<string, string> = {
    accept: 'application/json',
    // Inflating takes further turns of the event loop, and a response that came just in time would be late.
    'accept-encoding': 'identity',
    'content-type': oauth ? 'application/x-www-form-urlencoded' : 'application/json',
    brand,
  };
  if (options.clientAuth === 'basic') {
    // Both parts are form-encoded first: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
    headers['authorization'] = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
  }
  const deadline = new AbortController();
  const request = {
    method: 'POST',
    headers,
    body: oauth ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
    redirect: 'manual' as const,
    signal: deadline.signal,
  };
  // What has come is read first: a rotated refresh token in it would be lost.
  const timer = setTimeout(() => afterReading(() => deadline.abort()), options.timeoutMs);
  try {
    const response = await fetch(refreshToken === null ? url : refreshUrl, request);
    const body = await readAtMost(response.body, maxResponseBytes);
    if (body === null) throw new TokenFailure('invalid-response');
    return readTokenResponse(options, response, body);
  } catch (error) {
    if (error instanceof TokenFailure) throw error;
    throw new TokenFailure(deadline.signal.aborted ? 'timeout' : 'unreachable');
  } finally {
    clearTimeout(timer);
  }
}

function fieldsOf(options: ResolvedTokenOptions, refreshToken: string | null): Record<string, string> {
  const { form } = options;
  const names: Readonly<Record<string, string>> = options.requestFields ?? {};
  const grant = refreshToken === null ? options.grant : 'refresh-token';
  const inBody = options.clientAuth === 'body';
  const isCode = grant === 'authorization-code';
  const sent: Readonly<Record<(typeof requestFieldNames)[number], string | false | undefined | null>> = {
    // The JSON form tells the grant by its fields; a grant type is sent only when it has been given a name.
    grantType: (form === 'oauth' || names['grantType'] !== undefined) && grant.replaceAll('-', '_'),
    clientId: inBody && options.clientId,
    clientSecret: inBody && options.clientSecret,
    code: isCode && options.authorizationCode,
    redirectUrl: isCode && options.redirectUrl,
    refreshToken,
    scope: options.scope,
  };
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    const usual = form === 'oauth' ? oauthName(name) : name;
    if (value) fields[names[name] ?? usual] = value;
  }
  return fields;
}

// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
export const tokenForm = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;
// A refresh token is opaque: https://www.rfc-editor.org/rfc/rfc6749#appendix-A.17
export const refreshTokenForm = /^[\x20-\x7e]{1,8192}$/;

/**
 * Reads the response of a token endpoint.
 *
 * @throws {TokenFailure} `rejected` for a status of 400 to 499, `invalid-refresh-token` when the next refresh token cannot be used, and
 * `invalid-response` for everything else without a usable token
 */
function readTokenResponse(
  options: ResolvedTokenOptions,
  { status, headers }: Response,
  body: Uint8Array,
): TokenResponse {
  if (status !== 200 && status !== 201) {
    const rejected = status >= 400 && status < 500 && status !== 408 && status !== 429;
    throw new TokenFailure(rejected ? 'rejected' : 'invalid-response', retryAfterMs(headers.get('retry-after') ?? ''));
  }
  // What is no JSON has no access token. The parser's own message quotes the response.
  const document: unknown = attempt(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  const field = (name: (typeof responseFieldNames)[number]) => {
    const usual = options.form === 'oauth' ? oauthName(name) : `data.${name}`;
    return valueAt(document, options.responseFields?.[name] ?? usual);
  };
  const accessToken = field('accessToken');
  if (typeof accessToken !== 'string' || !tokenForm.test(accessToken)) throw new TokenFailure('invalid-response');
  // Some endpoints send an empty one where they mean none.
  const refreshToken = field('refreshToken') || null;
  const isSendable = typeof refreshToken === 'string' && refreshTokenForm.test(refreshToken);
  if (refreshToken !== null && !isSendable && options.grant !== 'client-credentials')
    throw new TokenFailure('invalid-refresh-token');
  return {
    accessToken,
    lifeMs: Math.min(msOf(field('expiresIn')) ?? options.lifetimeSeconds * 1000, msPerDay),
    refreshToken: isSendable ? refreshToken : null,
    refreshLifeMs: msOf(field('refreshExpiresIn')) ?? options.refreshLifetimeDays * msPerDay,
  };
}

/** Longest `Retry-After` that is believed, in milliseconds: one hour. */
const maxRetryAfterMs = 3_600_000;

/** https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(text: string): number {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : 0;
}

/** The milliseconds of a lifetime in seconds, or `null` when it cannot be true. */
function msOf(value: unknown): number | null {
  const seconds = /^\d{1,12}(?:\.\d+)?$/.test(String(value)) ? Math.floor(Number(value)) : 0;
  return seconds >= 1 ? seconds * 1000 : null;
}
