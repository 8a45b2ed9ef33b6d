import type { Context, Hono } from 'hono';
import { demoOwner } from '../fleet/vehicles.js';
import type { JsonObject } from '../json-value.js';
import { failure, success, toResponse } from '../reply.js';
import { demoClient, type IssuedTokens } from '../tokens.js';
import { type Controlled, objectBody, reject } from './control.js';

/** Token issuance, which the contract does not show: as a JSON envelope and as RFC 6749 has it, told apart by content type. */
export function oauth(app: Hono, controlled: Controlled): void {
  const { brands, fleet, clock, tokens, save } = controlled;

  app.post('/oauth/code', async (c) => {
    const { owner = demoOwner, redirectUrl } = await objectBody(c);
    const known = Array.from(fleet).some((vehicle) => vehicle.owner === owner);
    if (typeof owner !== 'string' || !known || (redirectUrl !== undefined && typeof redirectUrl !== 'string')) {
      return reject(c, controlled, 400, 'send owner (of the fleet), and redirectUrl if the code is bound to one');
    }
    const code = tokens.issueCode(owner, redirectUrl ?? null, clock.now());
    await save();
    return c.json({ code });
  });

  // The authorization endpoint of https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1: the owner decides on a page, and is sent back.
  app.get('/oauth/authorize', (c) => {
    const { client_id, redirect_uri, response_type, state, owner = demoOwner } = c.req.query();
    if (client_id !== demoClient.id || response_type !== 'code' || !redirect_uri || !URL.canParse(redirect_uri)) {
      return reject(c, controlled, 400, 'send response_type=code, the known client_id and a redirect_uri');
    }
    const back = new URLSearchParams({ redirect_uri, ...(state !== undefined && { state }) });
    return c.redirect(`/sandbox/owners/${encodeURIComponent(owner)}?${back}`, 303);
  });

  app.post('/oauth/token', async (c) => {
    const type = c.req.header('content-type') ?? '';
    return type.startsWith('application/x-www-form-urlencoded') ? formToken(c) : envelopeToken(c);
  });

  async function envelopeToken(c: Context): Promise<Response> {
    const facts = { requestId: crypto.randomUUID(), nowMs: clock.now() };
    const body: JsonObject = await objectBody(c);
    const { clientId, clientSecret, code, refreshToken, redirectUrl } = body;
    if (!brands.includes(c.req.header('brand') ?? '')) {
      const reason = 'must be one of the brands';
      return toResponse(failure(facts, '4002', [{ in: 'header', name: 'Brand', reason }]));
    }
    if (clientId !== demoClient.id || clientSecret !== demoClient.secret) return toResponse(failure(facts, '401'));
    if ((typeof code === 'string') === (typeof refreshToken === 'string')) {
      const reason = 'send either code or refreshToken';
      return toResponse(failure(facts, '4002', [{ in: 'body', name: 'code', reason }]));
    }
    const issued =
      typeof code === 'string'
        ? tokens.exchangeCode(code, typeof redirectUrl === 'string' ? redirectUrl : null, facts.nowMs)
        : tokens.exchangeRefreshToken(String(refreshToken), facts.nowMs);
    await save();
    if (issued === undefined) return toResponse(failure(facts, '4011'));
    const { accessToken, refreshToken: next, expiresInSeconds } = issued;
    const data = { accessToken, refreshToken: next, tokenType: 'Bearer', expiresIn: expiresInSeconds };
    return noStore(toResponse(success(facts, data, 'true')));
  }

  /** https://www.rfc-editor.org/rfc/rfc6749#section-5 */
  async function formToken(c: Context): Promise<Response> {
    const form = new URLSearchParams(await c.req.text());
    const [id, secret] = basicCredentials(c.req.header('authorization')) ?? [
      form.get('client_id'),
      form.get('client_secret'),
    ];
    if (id !== demoClient.id || secret !== demoClient.secret) {
      return c.json({ error: 'invalid_client' }, 401, { 'www-authenticate': 'Basic realm="sandbox"' });
    }
    let issued: IssuedTokens | undefined;
    switch (form.get('grant_type')) {
      case 'authorization_code':
        issued = tokens.exchangeCode(form.get('code') ?? '', form.get('redirect_uri'), clock.now());
        break;
      case 'refresh_token':
        issued = tokens.exchangeRefreshToken(form.get('refresh_token') ?? '', clock.now());
        break;
      default:
        return c.json({ error: 'unsupported_grant_type' }, 400);
    }
    await save();
    if (issued === undefined) return c.json({ error: 'invalid_grant' }, 400);
    return c.json(
      {
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        refresh_token: issued.refreshToken,
      },
      200,
      { 'cache-control': 'no-store' },
    );
  }
}

function noStore(response: Response): Response {
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** The identifier and password of https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1, which are form-encoded before they are Base64. */
function basicCredentials(authorization: string | undefined): readonly [string, string] | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    const [id = '', secret = ''] = atob(encoded).split(':', 2).map(decodeURIComponent);
    return [id, secret];
  } catch {
    return undefined;
  }
}
