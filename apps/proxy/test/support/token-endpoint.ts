import { type Listening, listen } from './listen.ts';

/** A request as a token endpoint got it. */
export interface TokenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The response of a token endpoint, or `null` for none at all. */
export type TokenBehaviour = (
  request: TokenRequest,
  count: number,
) => {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body: string;
  readonly delayMs?: number;
} | null;

/** A token endpoint that keeps every request. */
export interface TestTokenEndpoint extends Listening {
  readonly requests: TokenRequest[];
  behave: TokenBehaviour;
}

/** A response of RFC 6749, section 5.1. */
export function oauthResponse(accessToken: string, more: object = { expires_in: 3600 }) {
  return { body: JSON.stringify({ access_token: accessToken, token_type: 'Bearer', ...more }) };
}

export async function startTokenEndpoint(behave: TokenBehaviour): Promise<TestTokenEndpoint> {
  const requests: TokenRequest[] = [];
  const server = await listen((request, response, body) => {
    const seen = { path: request.url ?? '', headers: request.headers, body };
    requests.push(seen);
    const given = endpoint.behave(seen, requests.length);
    if (given === null) return;
    const { status = 200, type = 'application/json', headers = {}, delayMs = 0 } = given;
    setTimeout(() => response.writeHead(status, { 'content-type': type, ...headers }).end(given.body), delayMs);
  });
  const endpoint: TestTokenEndpoint = { ...server, requests, behave };
  return endpoint;
}
