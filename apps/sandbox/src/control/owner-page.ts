import type { Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { ServiceEnv } from '../reply.js';
import type { World } from '../world.js';

const words = { shared: 'shares its data', withdrawn: 'withdrawn', never: 'not shared' } as const;

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; margin: 1.5rem 0; }
  th, td { text-align: left; padding: 0.5rem; border-bottom: 1px solid #8886; }
  button { font: inherit; padding: 0.5rem 1rem; margin-right: 0.5rem; }`;

/** The page on which an owner chooses vehicles, agrees and withdraws. It works without scripts. */
export function ownerPage(app: Hono<ServiceEnv>, world: World): void {
  const { fleet, clock, consents, tokens } = world;
  const vehiclesOf = (owner: string) => [...fleet].filter((vehicle) => vehicle.owner === owner);

  app.get('/owners/:owner', (c) => {
    const owner = c.req.param('owner');
    const vehicles = vehiclesOf(owner);
    if (vehicles.length === 0) throw new HTTPException(404, { message: 'no vehicle of the fleet has this owner' });
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
        <style>${style}</style>
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
    if (decision !== 'agree' && decision !== 'withdraw')
      throw new HTTPException(400, { message: 'decision must be agree or withdraw' });
    const redirectUrl = decision === 'agree' && form.get('redirect_uri');
    if (redirectUrl && !(/^https?:/.test(redirectUrl) && URL.canParse(redirectUrl))) {
      throw new HTTPException(400, { message: 'redirect_uri must be an http or https address' });
    }
    const chosen = vehiclesOf(owner).filter(
      ({ vin }) => form.getAll('vin').includes(vin) && (decision === 'agree' || consents.of(vin) === 'shared'),
    );
    await consents.setAll(chosen, decision === 'agree' ? 'shared' : 'withdrawn');
    if (!redirectUrl) return c.redirect(`/sandbox/owners/${encodeURIComponent(owner)}`, 303);
    const back = new URL(redirectUrl);
    back.searchParams.set('code', tokens.issueCode(owner, redirectUrl, clock.now()));
    const state = form.get('state');
    if (state) back.searchParams.set('state', state);
    await world.save();
    return c.redirect(back.href, 303);
  });
}
