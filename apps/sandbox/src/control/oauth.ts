import type { ErrorDetail } from '@vehicle-data/openapi';
import type { Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { auth } from 'hono/utils/basic-auth';
import { z } from 'zod';
import { demoOwner } from '../fleet/vehicles.js';
import { failure, type ServiceEnv, success, toResponse } from '../reply.js';
import { demoClient } from '../tokens.js';
import type { World } from '../world.js';
import { bodyOf } from './control.js';

/** Token issuance, which the contract does not show: as a JSON envelope and as RFC 6749 has it, told apart by content type. */
export function oauth(app: Hono<ServiceEnv>, world: World): void {
  const { fleet, clock, tokens } = world;

  app.post('/oauth/code', async (c) => {
    const { owner, redirectUrl } = await bodyOf(c, codeRequest);
    if (![...fleet].some((vehicle) => vehicle.owner === owner))
      throw new HTTPException(400, { message: 'owner must be one of the fleet' });
    const code = tokens.issueCode(owner, redirectUrl ?? null, clock.now());
    await world.save();
    return c.json({ code });
  });

  // The authorization endpoint of https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1: the owner decides on a page, and is sent back.
  app.get('/oauth/authorize', (c) => {
    const { client_id, redirect_uri, response_type, state, owner = demoOwner } = c.req.query();
    if (client_id !== demoClient.id || response_type !== 'code' || !redirect_uri || !URL.canParse(redirect_uri)) {
      throw new HTTPException(400, { message: 'send response_type=code, the known client_id and a redirect_uri' });
    }
    const back = new URLSearchParams({ redirect_uri, ...(state !== undefined && { state }) });
    return c.redirect(`/sandbox/owners/${encodeURIComponent(owner)}?${back}`, 303);
  });

  app.post('/oauth/token', async (c) => {
    const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded');
    return isForm ? formToken(world, c) : envelopeToken(world, c);
  });
}

const codeRequest = z.object({ owner: z.string().default(demoOwner), redirectUrl: z.string().optional() });

const tokenRequest = z.record(z.string(), z.string());

async function envelopeToken(world: World, c: Context<ServiceEnv>): Promise<Response> {
  const { brands, clock, tokens } = world;
  const { facts } = c.env;
  const request = tokenRequest.safeParse(await c.req.json().catch(() => undefined)).data ?? {};
  const { clientId, clientSecret, code, refreshToken, redirectUrl = null } = request;
  const invalid = (detail: ErrorDetail) => toResponse(failure(facts, '4002', [detail]));
  if (!brands.includes(c.req.header('brand') ?? '')) {
    return invalid({ in: 'header', name: 'Brand', reason: 'must be one of the brands' });
  }
  if (clientId !== demoClient.id || clientSecret !== demoClient.secret) return toResponse(failure(facts, '401'));
  if ((code === undefined) === (refreshToken === undefined)) {
    return invalid({ in: 'body', name: 'code', reason: 'send either code or refreshToken' });
  }
  const kind = code === undefined ? 'refresh' : 'code';
  const issued = tokens.exchange(kind, code ?? refreshToken ?? '', redirectUrl, clock.now());
  await world.save();
  if (issued === undefined) return toResponse(failure(facts, '4011'));
  const { expiresInSeconds: expiresIn, ...pair } = issued;
  return toResponse(success(facts, { ...pair, tokenType: 'Bearer', expiresIn }, 'true'));
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5 */
async function formToken(world: World, c: Context<ServiceEnv>): Promise<Response> {
  const form = new URLSearchParams(await c.req.text());
  const { username = form.get('client_id'), password = form.get('client_secret') } = auth(c.req.raw) ?? {};
  if (username !== demoClient.id || password !== demoClient.secret) {
    return c.json({ error: 'invalid_client' }, 401, { 'www-authenticate': 'Basic realm="sandbox"' });
  }
  const grantType = form.get('grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    return c.json({ error: 'unsupported_grant_type' }, 400);
  }
  const [kind, member] =
    grantType === 'refresh_token' ? (['refresh', grantType] as const) : (['code', 'code'] as const);
  const issued = world.tokens.exchange(kind, form.get(member) ?? '', form.get('redirect_uri'), world.clock.now());
  await world.save();
  if (issued === undefined) return c.json({ error: 'invalid_grant' }, 400);
  const { accessToken: access_token, refreshToken: refresh_token, expiresInSeconds: expires_in } = issued;
  return c.json({ access_token, token_type: 'Bearer', expires_in, refresh_token });
}
