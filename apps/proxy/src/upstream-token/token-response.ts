import { valueAt } from '../value-at.js';

/** How a token endpoint responds. */
interface ResponseForm {
  readonly form: 'oauth' | 'envelope';
  /** Dotted paths of the response that differ from the form's own. */
  readonly responseFields: Readonly<Record<string, string>>;
}

/** Why no token came: no connection, no response in time, an error response, or something that is no response. */
export type TokenFailureKind = 'unreachable' | 'timeout' | 'rejected' | 'invalid-response' | 'store';

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

/** What a token endpoint gave. */
export interface TokenResponse {
  readonly accessToken: string;
  /** Lifetime in seconds, or `null` when none was given that can be true. */
  readonly expiresInSeconds: number | null;
  readonly refreshToken: string | null;
  /** Lifetime of the refresh token in seconds, or `null`. */
  readonly refreshExpiresInSeconds: number | null;
}

/** Names under which the fields of a response can be found elsewhere. */
export const responseFieldNames = ['accessToken', 'refreshToken', 'expiresIn', 'refreshExpiresIn'] as const;

const oauthPaths: Readonly<Record<string, string>> = {
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  expiresIn: 'expires_in',
  refreshExpiresIn: 'refresh_expires_in',
};

// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
export const tokenForm = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;
// A refresh token is opaque: https://www.rfc-editor.org/rfc/rfc6749#appendix-A.17
export const refreshTokenForm = /^[\x20-\x7e]{1,8192}$/;

/**
 * Reads the response of a token endpoint.
 *
 * @throws {TokenFailure} `rejected` for a status of 400 to 499, `invalid-response` for everything without a usable token
 */
export function readTokenResponse(endpoint: ResponseForm, { status, headers }: Response, text: string): TokenResponse {
  if (status !== 200 && status !== 201) {
    const rejected = status >= 400 && status < 500 && status !== 408 && status !== 429;
    throw new TokenFailure(rejected ? 'rejected' : 'invalid-response', retryAfterMs(headers.get('retry-after') ?? ''));
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the response.
    throw new TokenFailure('invalid-response');
  }
  const field = (name: string) => {
    const usual = endpoint.form === 'oauth' ? oauthPaths[name] : `data.${name}`;
    return valueAt(document, endpoint.responseFields[name] ?? usual ?? '');
  };
  const accessToken = field('accessToken');
  if (typeof accessToken !== 'string' || !tokenForm.test(accessToken)) throw new TokenFailure('invalid-response');
  const refreshToken = field('refreshToken');
  return {
    accessToken,
    expiresInSeconds: secondsOf(field('expiresIn')),
    refreshToken: typeof refreshToken === 'string' && refreshTokenForm.test(refreshToken) ? refreshToken : null,
    refreshExpiresInSeconds: secondsOf(field('refreshExpiresIn')),
  };
}

/** Longest `Retry-After` that is believed, in milliseconds: one hour. */
const maxRetryAfterMs = 3_600_000;

/** https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(text: string): number {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : 0;
}

function secondsOf(value: unknown): number | null {
  const text = typeof value === 'string' ? value : String(value);
  if (!/^\d{1,12}(?:\.\d+)?$/.test(text)) return null;
  const seconds = Number(text);
  return seconds >= 1 ? Math.floor(seconds) : null;
}
