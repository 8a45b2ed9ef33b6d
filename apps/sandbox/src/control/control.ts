import { tripPageHtml } from '@vehicle-data/trip-view';
import { Hono } from 'hono';
import * as v from 'valibot';
import { bodyOf, reject, type ServiceEnv } from '../call.js';
import { isTime } from '../clock.js';
import { fault } from '../faults.js';
import { consent, demoOwner } from '../fleet/vehicles.js';
import { dirtyVins, reservedVins } from '../reserved-vins.js';
import { demoAccessToken } from '../tokens.js';
import type { World } from '../world.js';
import { authorization } from './authorization.js';

/** Everything under `/sandbox`: what the contract does not show, and the controls of the sandbox. */
export function createControl(world: World): Hono<ServiceEnv> {
  const { seed, brands, fleet, clock, faults, consents, tokens } = world;
  const app = new Hono<ServiceEnv>();
  app.use(async (c, next) => {
    if (isForeign(c.req.raw)) reject(c, 'pages of other origins cannot use the controls', 403);
    await next();
    c.header('cache-control', 'no-store');
  });

  app.get('/', (c) => c.redirect(`/sandbox/owners/${demoOwner}`, 303));
  authorization(app, world);
  app.get('/trips', (c) => {
    const furtherVehicles = dirtyVins.map(({ vin, kind }) => {
      return { brand: brands[0] ?? '', vin, name: `Dirty data: ${kind.replaceAll('-', ' ')}` };
    });
    const source = { kind: 'api', accessToken: demoAccessToken, brands, now: clock.now(), furtherVehicles } as const;
    return c.html(tripPageHtml({ title: 'Trips of the sandbox', source }), 200, { 'x-frame-options': 'DENY' });
  });

  app.get('/vehicles', (c) => c.json({ vehicles: Array.from(fleet, world.shown), reservedVins, dirtyVins }));

  const clockNow = () => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen });
  const faultsNow = () => ({ faults: faults.list() });
  const consentsNow = () => ({ consents: consents.all() });
  app.get('/state', (c) => {
    const tokenCount = Object.keys(tokens.all()).length;
    return c.json({ seed, brands, clock: clockNow(), ...consentsNow(), ...faultsNow(), tokens: tokenCount });
  });
  app.post('/reset', async (c) => {
    await world.reset();
    return c.json({ reset: true });
  });

  app.get('/clock', (c) => c.json(clockNow()));
  app.post('/clock', async (c) => {
    const { now, advanceSeconds = 0, frozen } = await bodyOf(c, clockChange);
    const timeMs = (now === undefined ? clock.now() : Date.parse(now)) + advanceSeconds * 1000;
    if (!isTime(timeMs)) reject(c, 'the time must be in the years 0 to 9999');
    if (frozen === true) clock.freeze();
    clock.set(timeMs);
    if (frozen === false) clock.run();
    return c.json(clockNow());
  });
  app.delete('/clock', (c) => {
    clock.reset();
    return c.json(clockNow());
  });

  app.get('/consent', (c) => c.json(consentsNow()));
  app.post('/consent', async (c) => {
    const { consent: decision, vin, owner, brand } = await bodyOf(c, consentChange);
    const candidates = vin === undefined ? [...fleet] : [fleet.find(vin)];
    const chosen = candidates
      .filter((vehicle) => vehicle !== undefined)
      .filter((one) => (owner ?? one.owner) === one.owner && (brand ?? one.brand) === one.brand);
    if (chosen.length === 0) reject(c, 'no vehicle of the fleet fits', 404);
    await consents.setAll(chosen, decision);
    return c.json({ consents: Object.fromEntries(chosen.map((vehicle) => [vehicle.vin, decision])) });
  });

  app.get('/faults', (c) => c.json(faultsNow()));
  app.on(['POST', 'PUT', 'DELETE'], '/faults', async (c) => {
    const added = c.req.method === 'DELETE' ? [] : await bodyOf(c, faultList);
    if (c.req.method !== 'POST') faults.clear();
    faults.add(...added);
    return c.json(faultsNow());
  });
  app.all('*', (c) => reject(c, 'no control of the sandbox has this path and method', 404));
  return app;
}

const time = v.pipe(
  v.string(),
  v.check(
    (text) => /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
    'must be a time in ISO 8601 with its zone, for example 2026-03-02T08:00:00Z',
  ),
);
const clockChange = v.pipe(
  v.partial(v.strictObject({ now: time, advanceSeconds: v.number(), frozen: v.boolean() })),
  v.check((change) => Object.keys(change).length > 0, 'send now (ISO 8601), advanceSeconds or frozen, any of them'),
);

const text = v.optional(v.string());
const consentChange = v.strictObject({ consent, vin: text, owner: text, brand: text });

const faultList = v.pipe(
  v.unknown(),
  v.transform((body) => (Array.isArray(body) ? body : [body])),
  v.array(fault),
);

/** Whether a page of another origin sent the request. Following a link to a page, as the authorization step does, is allowed. */
/** Whether a page of another origin sends this request. */
export function isForeign({ method, url, headers }: Request): boolean {
  // https://fetch.spec.whatwg.org/#origin-header, https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
  if (method === 'GET' && headers.get('sec-fetch-mode') === 'navigate') return false;
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(url).origin) return true;
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}
