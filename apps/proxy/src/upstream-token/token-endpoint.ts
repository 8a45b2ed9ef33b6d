import { readTokenResponse, TokenFailure, type TokenResponse } from './token-response.js';

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

// https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3, section-4.4.2 and section-6
const oauthFields: Readonly<Record<string, string>> = {
  grantType: 'grant_type',
  clientId: 'client_id',
  clientSecret: 'client_secret',
  refreshToken: 'refresh_token',
  redirectUrl: 'redirect_uri',
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
  const { form, clientAuth, requestFields } = endpoint;
  const values: Record<string, string> = {};
  // The JSON form tells the grant by its fields; a grant type is sent only when it has been given a name.
  if (form === 'oauth' || requestFields['grantType'] !== undefined) values['grantType'] = grantTypes[grant.kind];
  if (clientAuth === 'body') {
    values['clientId'] = endpoint.clientId;
    values['clientSecret'] = endpoint.clientSecret;
  }
  if (grant.kind === 'authorization-code') {
    values['code'] = grant.code;
    values['redirectUrl'] = endpoint.redirectUrl;
  } else if (grant.kind === 'refresh-token') {
    values['refreshToken'] = grant.refreshToken;
  }
  values['scope'] = endpoint.scope;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const ownName = form === 'oauth' ? (oauthFields[name] ?? name) : name;
    if (value !== '') fields[requestFields[name] ?? ownName] = value;
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
