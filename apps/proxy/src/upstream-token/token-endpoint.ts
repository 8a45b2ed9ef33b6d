import { valueAt } from '../value-at.js';
/** What a token is asked for with. */
export type Grant =
  | { readonly kind: 'client-credentials' }
  | { readonly kind: 'authorization-code'; readonly code: string }
  | { readonly kind: 'refresh-token'; readonly refreshToken: string };

/** A token endpoint. Neither its paths nor its field names are part of the contract, so all of them are settings. */
export interface TokenEndpoint {
  readonly url: string;
  /** Where tokens are refreshed. */
  readonly refreshUrl: string;
  /** `oauth`: the form of RFC 6749; `envelope`: JSON, with a response in the envelope of the service. */
  readonly form: 'oauth' | 'envelope';
  readonly clientId: string;
  /** Empty when the client has none. */
  readonly clientSecret: string;
  /** Where the client's identity is sent: with the other fields, or as Basic authentication. */
  readonly clientAuth: 'body' | 'basic';
  readonly redirectUrl: string;
  readonly scope: string;
  /** Field names of the request that differ from the form's own. */
  readonly requestFields: Readonly<Record<string, string>>;
  /** Dotted paths of the response that differ from the form's own. */
  readonly responseFields: Readonly<Record<string, string>>;
  /** Time for one request in all, in milliseconds. */
  readonly timeoutMs: number;
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

/** Names under which the fields of a request can be renamed. */
export const requestFieldNames = [
  'grantType',
  'clientId',
  'clientSecret',
  'code',
  'refreshToken',
  'redirectUrl',
  'scope',
] as const;

/** Names under which the fields of a response can be found elsewhere. */
export const responseFieldNames = ['accessToken', 'refreshToken', 'expiresIn', 'refreshExpiresIn'] as const;

// Names of the OAuth form, where they differ from those of the settings:
// https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3, section-4.4.2, section-5.1 and section-6
const oauthNames: Readonly<Record<string, string>> = {
  grantType: 'grant_type',
  clientId: 'client_id',
  clientSecret: 'client_secret',
  refreshToken: 'refresh_token',
  redirectUrl: 'redirect_uri',
  accessToken: 'access_token',
  expiresIn: 'expires_in',
  refreshExpiresIn: 'refresh_expires_in',
};
const grantTypes = {
  'client-credentials': 'client_credentials',
  'authorization-code': 'authorization_code',
  'refresh-token': 'refresh_token',
} as const;

const maxResponseBytes = 65_536;

/**
 * Asks for a token. `Brand` goes with it, as with every call of the service (interface, section 5).
 *
 * @throws {TokenFailure} when there is no good response; its text holds nothing that was sent or received
 */
export async function requestToken(endpoint: TokenEndpoint, brand: string, grant: Grant): Promise<TokenResponse> {
  const fields = fieldsOf(endpoint, grant);
  const oauth = endpoint.form === 'oauth';
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': oauth ? 'application/x-www-form-urlencoded' : 'application/json',
    brand,
  };
  if (endpoint.clientAuth === 'basic') {
    // Both parts are form-encoded first: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
    const pair = [endpoint.clientId, endpoint.clientSecret].map((part) => encodeURIComponent(part)).join(':');
    headers['authorization'] = `Basic ${btoa(pair)}`;
  }
  const request = {
    method: 'POST',
    headers,
    body: oauth ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
    redirect: 'manual' as const,
    signal: AbortSignal.timeout(endpoint.timeoutMs),
  };
  try {
    const response = await fetch(grant.kind === 'refresh-token' ? endpoint.refreshUrl : endpoint.url, request);
    const text = await readBounded(response);
    return readTokenResponse(endpoint, response, text);
  } catch (error) {
    if (error instanceof TokenFailure) throw error;
    throw new TokenFailure(request.signal.aborted ? 'timeout' : 'unreachable');
  }
}

function fieldsOf(endpoint: TokenEndpoint, grant: Grant): Record<string, string> {
  const { form, requestFields } = endpoint;
  const values: Readonly<Record<(typeof requestFieldNames)[number], string>> = {
    // The JSON form tells the grant by its fields; a grant type is sent only when it has been given a name.
    grantType: form === 'oauth' || requestFields['grantType'] !== undefined ? grantTypes[grant.kind] : '',
    clientId: endpoint.clientAuth === 'body' ? endpoint.clientId : '',
    clientSecret: endpoint.clientAuth === 'body' ? endpoint.clientSecret : '',
    code: grant.kind === 'authorization-code' ? grant.code : '',
    redirectUrl: grant.kind === 'authorization-code' ? endpoint.redirectUrl : '',
    refreshToken: grant.kind === 'refresh-token' ? grant.refreshToken : '',
    scope: endpoint.scope,
  };
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const usual = form === 'oauth' ? (oauthNames[name] ?? name) : name;
    if (value !== '') fields[requestFields[name] ?? usual] = value;
  }
  return fields;
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxResponseBytes) throw new TokenFailure('invalid-response');
  }
  return text + decoder.decode();
}

// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
export const tokenForm = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;
// A refresh token is opaque: https://www.rfc-editor.org/rfc/rfc6749#appendix-A.17
export const refreshTokenForm = /^[\x20-\x7e]{1,8192}$/;

/**
 * Reads the response of a token endpoint.
 *
 * @throws {TokenFailure} `rejected` for a status of 400 to 499, `invalid-response` for everything without a usable token
 */
function readTokenResponse(endpoint: TokenEndpoint, { status, headers }: Response, text: string): TokenResponse {
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
  const field = (name: (typeof responseFieldNames)[number]) => {
    const usual = endpoint.form === 'oauth' ? (oauthNames[name] ?? name) : `data.${name}`;
    return valueAt(document, endpoint.responseFields[name] ?? usual);
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
  const seconds = /^\d{1,12}(?:\.\d+)?$/.test(String(value)) ? Math.floor(Number(value)) : 0;
  return seconds >= 1 ? seconds : null;
}
