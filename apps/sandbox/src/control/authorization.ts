import type { Hono } from 'hono';
import { html } from 'hono/html';
import { auth } from 'hono/utils/basic-auth';
import * as v from 'valibot';
import { bodyOf, failure, reject, type ServiceContext, type ServiceEnv, success } from '../call.js';
import { demoOwner } from '../fleet/vehicles.js';
import { demoClient } from '../tokens.js';
import type { World } from '../world.js';

const words = { shared: 'shares its data', withdrawn: 'withdrawn', never: 'not shared' } as const;

const codeRequest = v.object({ owner: v.optional(v.string(), demoOwner), redirectUrl: v.optional(v.string()) });
/** The members of a token request that are texts; none where the body is something else. */
function readTokenRequest(body: unknown): Readonly<Record<string, string>> {
  const read = v.safeParse(v.record(v.string(), v.string()), body);
  return read.success ? read.output : {};
}
const isKnown = (id?: string, secret?: string) => id === demoClient.id && secret === demoClient.secret;

/** The page on which an owner agrees and withdraws, without scripts; and token issuance, as a JSON envelope and as RFC 6749 has it. */
export function authorization(app: Hono<ServiceEnv>, { brands, fleet, clock, consents, tokens, save }: World): void {
  const vehiclesOf = (c: ServiceContext, owner: string, otherStatus?: 404) => {
    const vehicles = [...fleet].filter((vehicle) => vehicle.owner === owner);
    return vehicles.length > 0 ? vehicles : reject(c, 'no vehicle of the fleet has this owner', otherStatus);
  };

  app.get('/owners/:owner', (c) => {
    const owner = c.req.param('owner');
    const vehicles = vehiclesOf(c, owner, 404);
    const hidden = ['redirect_uri', 'state'].map((name) => {
      const value = c.req.query(name);
      return value ? html`<input type="hidden" name="${name}" value="${value}" />` : '';
    });
    const rows = vehicles.map(
      ({ vin, nickname, sellname, brand }) => html`
        <tr>
          <td><input type="checkbox" name="vin" value="${vin}" id="${vin}" /></td>
          <td><label for="${vin}">${nickname}</label></td>
          <td>${sellname}</td>
          <td>${brand}</td>
          <td><code>${vin}</code></td>
          <td>${words[consents.of(vin)]}</td>
        </tr>`,
    );
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    return c.html(html`<!doctype html>
      <html lang="en">
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Vehicles of ${owner}</title>
        <style>
          :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
          body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
          th, td { text-align: left; padding: 0.5rem; }
        </style>
        <h1>Vehicles of ${owner}</h1>
        <p>Choose vehicles, then agree to share their data with the application, or withdraw.</p>
        <form method="post" action="/sandbox/owners/${encodeURIComponent(owner)}">
          <table>
            <tr><th></th><th>Name</th><th>Model</th><th>Brand</th><th>VIN</th><th>Data</th></tr>
            ${rows}
          </table>
          ${hidden}
          <button name="decision" value="agree">Agree to share</button>
          <button name="decision" value="withdraw">Withdraw</button>
        </form>
      </html>`);
  });

  app.post('/owners/:owner', async (c) => {
    const owner = c.req.param('owner');
    const form = new URLSearchParams(await c.req.text());
    const decision = form.get('decision');
    if (decision !== 'agree' && decision !== 'withdraw') return reject(c, 'decision must be agree or withdraw');
    const agrees = decision === 'agree';
    const redirectUrl = agrees && form.get('redirect_uri');
    if (redirectUrl && !(/^https?:/.test(redirectUrl) && URL.canParse(redirectUrl))) {
      return reject(c, 'redirect_uri must be an http or https address');
    }
    const checked = vehiclesOf(c, owner, 404).filter(({ vin }) => form.getAll('vin').includes(vin));
    const chosen = checked.filter(({ vin }) => agrees || consents.of(vin) === 'shared');
    await consents.setAll(chosen, agrees ? 'shared' : 'withdrawn');
    if (!redirectUrl) return c.redirect(`/sandbox/owners/${encodeURIComponent(owner)}`, 303);
    const back = new URL(redirectUrl);
    back.searchParams.set('code', tokens.issueCode(owner, redirectUrl, clock.now()));
    const state = form.get('state');
    if (state) back.searchParams.set('state', state);
    await save();
    return c.redirect(back.href, 303);
  });

  app.post('/oauth/code', async (c) => {
    const { owner, redirectUrl } = await bodyOf(c, codeRequest);
    vehiclesOf(c, owner);
    const code = tokens.issueCode(owner, redirectUrl, clock.now());
    await save();
    return c.json({ code });
  });

  // The authorization endpoint of https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1: the owner decides on a page, and is sent back.
  app.get('/oauth/authorize', (c) => {
    const { client_id, redirect_uri, response_type, state = '', owner = demoOwner } = c.req.query();
    if (client_id !== demoClient.id || response_type !== 'code' || !redirect_uri || !URL.canParse(redirect_uri)) {
      return reject(c, 'send response_type=code, the known client_id and a redirect_uri');
    }
    const back = new URLSearchParams({ redirect_uri, state });
    return c.redirect(`/sandbox/owners/${encodeURIComponent(owner)}?${back}`, 303);
  });

  app.post('/oauth/token', async (c, next) => {
    if (c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) return next();
    const request = readTokenRequest(await c.req.json().catch(() => undefined));
    const { clientId, clientSecret, code, refreshToken } = request;
    if (!brands.includes(c.req.header('brand') ?? '')) {
      return failure(c, '4002', [{ in: 'header', name: 'Brand', reason: 'must be one of the brands' }]);
    }
    if (!isKnown(clientId, clientSecret)) return failure(c, '401');
    if ((code === undefined) === (refreshToken === undefined)) {
      return failure(c, '4002', [{ in: 'body', name: 'code', reason: 'send either code or refreshToken' }]);
    }
    const issued = tokens.exchange(request, clock.now());
    await save();
    return issued ? success(c, { tokenType: 'Bearer', ...issued }, 'true') : failure(c, '4011');
  });

  // https://www.rfc-editor.org/rfc/rfc6749#section-5
  app.post('/oauth/token', async (c) => {
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()));
    const { client_id, client_secret, grant_type, code = '', refresh_token: refreshToken, redirect_uri } = form;
    const { username = client_id, password = client_secret } = auth(c.req.raw) ?? {};
    if (!isKnown(username, password)) {
      return c.json({ error: 'invalid_client' }, 401, { 'www-authenticate': 'Basic realm="sandbox"' });
    }
    const grants = { authorization_code: { code, redirectUrl: redirect_uri }, refresh_token: { refreshToken } };
    if (grant_type !== 'authorization_code' && grant_type !== 'refresh_token') {
      return c.json({ error: 'unsupported_grant_type' }, 400);
    }
    const issued = tokens.exchange(grants[grant_type], clock.now());
    await save();
    if (issued === undefined) return c.json({ error: 'invalid_grant' }, 400);
    const { accessToken: access_token, refreshToken: refresh_token, expiresIn: expires_in } = issued;
    return c.json({ access_token, token_type: 'Bearer', expires_in, refresh_token });
  });
}
