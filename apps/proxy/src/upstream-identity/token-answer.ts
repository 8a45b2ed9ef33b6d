import type { TokenEndpoint } from './token-endpoint.js';

/** Why no token came: no connection, no answer in time, a refusal, or something that is no answer. */
export type TokenFailureKind = 'unreachable' | 'timeout' | 'refused' | 'invalid-answer' | 'store';

/** A token request that failed. Its text is its kind alone. */
export class TokenFailure extends Error {
  override readonly name = 'TokenFailure';
  readonly kind: TokenFailureKind;

  constructor(kind: TokenFailureKind) {
    super(kind);
    this.kind = kind;
  }
}

/** What a token endpoint gave. */
export interface TokenAnswer {
  readonly accessToken: string;
  /** Lifetime in seconds, or `null` when none was given that can be true. */
  readonly expiresInSeconds: number | null;
  readonly refreshToken: string | null;
  /** Lifetime of the refresh token in seconds, or `null`. */
  readonly refreshExpiresInSeconds: number | null;
}

/** Names under which the fields of an answer can be found elsewhere. */
export const answerFieldNames = ['accessToken', 'refreshToken', 'expiresIn', 'refreshExpiresIn'] as const;

const oauthPaths: Readonly<Record<string, string>> = {
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  expiresIn: 'expires_in',
  refreshExpiresIn: 'refresh_expires_in',
};

// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
const tokenForm = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;
// A refresh token is opaque: https://www.rfc-editor.org/rfc/rfc6749#appendix-A.17
const refreshTokenForm = /^[\x20-\x7e]{1,8192}$/;

/**
 * Reads the answer of a token endpoint.
 *
 * @throws {TokenFailure} `refused` for a status of 400 to 499, `invalid-answer` for everything without a usable token
 */
export function readTokenAnswer(endpoint: TokenEndpoint, status: number, text: string): TokenAnswer {
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new TokenFailure('refused');
  if (status !== 200 && status !== 201) throw new TokenFailure('invalid-answer');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the answer.
    throw new TokenFailure('invalid-answer');
  }
  const field = (name: string) => {
    const usual = endpoint.form === 'oauth' ? oauthPaths[name] : `data.${name}`;
    return valueAt(document, endpoint.answerFields[name] ?? usual ?? '');
  };
  const accessToken = field('accessToken');
  if (typeof accessToken !== 'string' || !tokenForm.test(accessToken)) throw new TokenFailure('invalid-answer');
  const refreshToken = field('refreshToken');
  return {
    accessToken,
    expiresInSeconds: secondsOf(field('expiresIn')),
    refreshToken: typeof refreshToken === 'string' && refreshTokenForm.test(refreshToken) ? refreshToken : null,
    refreshExpiresInSeconds: secondsOf(field('refreshExpiresIn')),
  };
}

function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function secondsOf(value: unknown): number | null {
  const text = typeof value === 'string' ? value : String(value);
  if (!/^\d{1,12}(?:\.\d+)?$/.test(text)) return null;
  const seconds = Number(text);
  return seconds >= 1 ? Math.floor(seconds) : null;
}
