import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Consent } from '../fleet/vehicles.js';
import { type Controlled, reject } from './control.js';

const words: Readonly<Record<Consent, string>> = {
  shared: 'shares its data',
  withdrawn: 'withdrawn',
  never: 'not shared',
};

/** The page on which an owner chooses vehicles, agrees and withdraws. It works without scripts. */
export function ownerPage(app: Hono, controlled: Controlled): void {
  const { brands, fleet, clock, consents, tokens, save } = controlled;

  app.get('/owners/:owner', (c) => {
    const owner = c.req.param('owner');
    const vehicles = [...fleet].filter((vehicle) => vehicle.owner === owner);
    if (vehicles.length === 0) return reject(c, controlled, 404, 'no vehicle of the fleet has this owner');
    const { redirect_uri, state } = c.req.query();
    const rows = vehicles.map(
      ({ vin, nickname, sellname, brandPosition }) => html`
        <tr>
          <td><input type="checkbox" name="vin" value="${vin}" id="${vin}" /></td>
          <td><label for="${vin}">${nickname}</label></td>
          <td>${sellname}</td>
          <td>${brands[brandPosition]}</td>
          <td><code>${vin}</code></td>
          <td class="${consents.of(vin)}">${words[consents.of(vin)]}</td>
        </tr>`,
    );
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    c.header('cache-control', 'no-store');
    return c.html(page(owner, rows, redirect_uri, state));
  });

  app.post('/owners/:owner', async (c) => {
    const owner = c.req.param('owner');
    const form = new URLSearchParams(await c.req.text());
    const decision = form.get('decision');
    if (decision !== 'agree' && decision !== 'withdraw') {
      return reject(c, controlled, 400, 'decision must be agree or withdraw');
    }
    const chosen = [...fleet].filter((vehicle) => vehicle.owner === owner && form.getAll('vin').includes(vehicle.vin));
    for (const { vin } of chosen) {
      if (decision === 'agree') consents.set(vin, 'shared');
      else if (consents.of(vin) === 'shared') consents.set(vin, 'withdrawn');
    }
    const redirectUrl = form.get('redirect_uri');
    if (!redirectUrl || decision === 'withdraw') {
      await save();
      return c.redirect(`/sandbox/owners/${encodeURIComponent(owner)}`, 303);
    }
    if (!/^https?:/.test(redirectUrl) || !URL.canParse(redirectUrl)) {
      return reject(c, controlled, 400, 'redirect_uri must be an http or https address');
    }
    const back = new URL(redirectUrl);
    back.searchParams.set('code', tokens.issueCode(owner, redirectUrl, clock.now()));
    const state = form.get('state');
    if (state) back.searchParams.set('state', state);
    await save();
    return c.redirect(back.href, 303);
  });
}

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

function page(owner: string, rows: readonly Html[], redirectUrl: string | undefined, state: string | undefined): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Vehicles of ${owner}</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; margin: 1.5rem 0; }
      th, td { text-align: left; padding: 0.5rem; border-bottom: 1px solid #8886; }
      button { font: inherit; padding: 0.5rem 1rem; margin-right: 0.5rem; }
      .shared { font-weight: 600; }
    </style>
  </head>
  <body>
    <h1>Vehicles of ${owner}</h1>
    <p>Choose vehicles, then agree to share their data with the application, or withdraw.</p>
    <form method="post" action="/sandbox/owners/${encodeURIComponent(owner)}">
      <table>
        <thead>
          <tr><th></th><th>Name</th><th>Model</th><th>Brand</th><th>VIN</th><th>Data</th></tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
      ${redirectUrl ? html`<input type="hidden" name="redirect_uri" value="${redirectUrl}" />` : ''}
      ${state ? html`<input type="hidden" name="state" value="${state}" />` : ''}
      <button name="decision" value="agree">Agree to share</button>
      <button name="decision" value="withdraw">Withdraw</button>
    </form>
  </body>
</html>`;
}
