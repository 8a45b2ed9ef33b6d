import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { tripPageHtml } from '@vehicle-data/trip-view';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { dirtyKinds, isDirtyKind } from '../dirty-data.js';
import { demoOwner } from '../fleet/vehicles.js';
import { failure, toResponse } from '../reply.js';
import { dirtyVins, reservedVins } from '../reserved-vins.js';
import { demoAccessToken } from '../tokens.js';
import type { World } from '../world.js';
import { oauth } from './oauth.js';
import { ownerPage } from './owner-page.js';

/** Everything under `/sandbox`: what the contract does not show, and the controls of the sandbox. */
export function createControl(world: World): Hono {
  const { seed, brands, fleet, clock, faults, consents, tokens } = world;
  const app = new Hono();
  app.use(async (c, next) => {
    if (isForeign(c.req.raw)) return reject(c, world, 403, 'pages of other origins cannot use the controls');
    await next();
    c.header('cache-control', 'no-store');
    return undefined;
  });

  app.get('/', (c) => c.redirect(`/sandbox/owners/${demoOwner}`, 303));
  oauth(app, world);
  ownerPage(app, world);
  app.get('/trips', (c) => {
    const source = { kind: 'api', accessToken: demoAccessToken, brands, now: clock.now() } as const;
    return c.html(tripPageHtml({ title: 'Trips of the sandbox', source }), 200, { 'x-frame-options': 'DENY' });
  });

  app.get('/vehicles', (c) => {
    const vehicles = Array.from(fleet, (vehicle) => world.shown(vehicle));
    return c.json({ vehicles, reservedVins, dirtyVins });
  });
  app.get('/state', (c) => {
    const state = { seed, brands, clock: clockFace(), consents: consents.all(), faults: faults.list() };
    return c.json({ ...state, tokens: Object.keys(tokens.all()).length });
  });
  app.post('/reset', async (c) => {
    await world.reset();
    return c.json({ reset: true });
  });

  const clockFace = () => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen });
  app.get('/clock', (c) => c.json(clockFace()));
  app.post('/clock', async (c) => {
    const change = await bodyOf(c, world, clockChange);
    if (change instanceof Response) return change;
    const { now, advanceSeconds = 0, frozen } = change;
    if (frozen === true) clock.freeze();
    clock.set((now === undefined ? clock.now() : Date.parse(now)) + advanceSeconds * 1000);
    if (frozen === false) clock.run();
    return c.json(clockFace());
  });
  app.delete('/clock', (c) => {
    clock.reset();
    return c.json(clockFace());
  });

  app.get('/consent', (c) => c.json({ consents: consents.all() }));
  app.post('/consent', async (c) => {
    const change = await bodyOf(c, world, consentChange);
    if (change instanceof Response) return change;
    const { vin, owner, brand, consent } = change;
    const candidates = vin === undefined ? [...fleet] : [fleet.find(vin)].filter((vehicle) => vehicle !== undefined);
    const chosen = candidates.filter(
      (vehicle) => (owner ?? vehicle.owner) === vehicle.owner && (brand ?? vehicle.brand) === vehicle.brand,
    );
    if (chosen.length === 0) return reject(c, world, 404, 'no vehicle of the fleet fits');
    const vins = chosen.map((vehicle) => vehicle.vin);
    await consents.setAll(vins, consent);
    return c.json({ consents: Object.fromEntries(vins.map((one) => [one, consent])) });
  });

  app.get('/faults', (c) => c.json({ faults: faults.list() }));
  app.on(['POST', 'PUT'], '/faults', async (c) => {
    const added = await bodyOf(c, world, faultList);
    if (added instanceof Response) return added;
    if (c.req.method === 'PUT') faults.clear();
    faults.add(...added);
    return c.json({ faults: faults.list() });
  });
  app.delete('/faults', (c) => {
    faults.clear();
    return c.json({ faults: [] });
  });
  app.all('*', (c) => reject(c, world, 404, 'no control of the sandbox has this path and method'));
  return app;
}

/** Greatest distance of a clock's change: about ten thousand years. */
const longestSeconds = 3e11;

const clockChange = z
  .strictObject({
    now: z.iso.datetime({ offset: true }),
    advanceSeconds: z.number().min(-longestSeconds).max(longestSeconds),
    frozen: z.boolean(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'send now (ISO 8601), advanceSeconds or frozen, any of them');

const consentChange = z.strictObject({
  consent: z.enum(['shared', 'withdrawn', 'never']),
  vin: z.string().optional(),
  owner: z.string().optional(),
  brand: z.string().optional(),
});

const scope = {
  vin: z.string().optional(),
  operationId: z.enum(Object.keys(operations)).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().min(0).max(4_294_967_295).optional(),
  times: z.int().min(1).max(1_000_000).optional(),
};
const plainKinds = [
  'expired-token',
  'cut-body',
  'stalled-body',
  'wrong-content-type',
  'malformed-json',
  ...Object.keys(dirtyKinds).filter(isDirtyKind),
] as const;
const retryAfterSeconds = z.number().min(0).max(86_400).optional();
const fault = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('latency'), latencyMs: z.number().min(0).max(600_000), ...scope }),
    z.strictObject({
      kind: z.literal('error'),
      code: z.enum(errorCatalogue.map(({ code }) => code)),
      retryAfterSeconds,
      ...scope,
    }),
    z.strictObject({ kind: z.literal('status'), status: z.int().min(200).max(599), retryAfterSeconds, ...scope }),
    z.strictObject({ kind: z.enum(plainKinds), ...scope }),
  ],
  `kind must be latency, error, status, ${plainKinds.join(', ')}`,
);
const faultList = z.preprocess((body) => (Array.isArray(body) ? body : [body]), z.array(fault));

/**
 * Whether a page of another origin sent the request: https://fetch.spec.whatwg.org/#origin-header and
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header. Following a link to a page, as the authorization step does, is allowed.
 */
function isForeign({ method, url, headers }: Request): boolean {
  if (method === 'GET' && headers.get('sec-fetch-mode') === 'navigate') return false;
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(url).origin) return true;
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/** An error envelope with the code of invalid parameters. The reason never repeats what was sent. */
export function reject(c: Context, world: World, status: number, reason: string): Response {
  const details = [{ in: 'body', name: '', reason }] as const;
  return toResponse({ ...failure(world.factsOf(c.req.raw), '4002', details), status });
}

/** The JSON body of a request if it fits a schema, or the response that says why not. */
export async function bodyOf<Value>(c: Context, world: World, schema: z.ZodType<Value>): Promise<Value | Response> {
  const read = schema.safeParse(await c.req.json().catch(() => undefined));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.filter((step) => typeof step === 'string').join('.') ?? '';
  const what = issue?.code === 'unrecognized_keys' ? 'there is a member that is not known' : issue?.message;
  return reject(c, world, 400, place === '' || place === 'kind' ? `${what}` : `${place}: ${what}`);
}
