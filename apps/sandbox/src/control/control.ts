import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Clock } from '../clock.js';
import type { Consents } from '../consents.js';
import type { Faults } from '../faults.js';
import { demoOwner, type Fleet, type FleetVehicle } from '../fleet/vehicles.js';
import { isObject, type JsonObject } from '../json-value.js';
import { errorEntry } from '../reply.js';
import type { SandboxVehicle } from '../sandbox-options.js';
import type { Tokens } from '../tokens.js';
import { faultControl } from './fault-control.js';
import { oauth } from './oauth.js';
import { ownerPage } from './owner-page.js';
import { stateControl } from './state-control.js';
import { tripsPage } from './trips-page.js';

/** What the controls work on. */
export interface Controlled {
  readonly seed: number;
  readonly brands: readonly string[];
  readonly fleet: Fleet;
  readonly vehicleOf: (vehicle: FleetVehicle) => SandboxVehicle;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly consents: Consents;
  readonly tokens: Tokens;
  readonly save: () => Promise<void>;
  readonly reset: () => Promise<void>;
}

/** The parts of `/sandbox`, each of which adds its paths. A further page is a further part. */
const parts: readonly ((app: Hono, controlled: Controlled) => void)[] = [
  stateControl,
  faultControl,
  oauth,
  ownerPage,
  tripsPage,
];

/** Everything under `/sandbox`: what the contract does not show, and the controls of the sandbox. */
export function createControl(controlled: Controlled): Hono {
  const app = new Hono();
  app.use(async (c, next) =>
    isForeign(c.req.raw) ? reject(c, controlled, 403, 'pages of other origins cannot use the controls') : next(),
  );
  app.get('/', (c) => c.redirect(`/sandbox/owners/${demoOwner}`, 303));
  for (const part of parts) part(app, controlled);
  app.all('*', (c) => reject(c, controlled, 404, 'no control of the sandbox has this path and method'));
  return app;
}

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
export function reject(c: Context, { clock }: Controlled, status: ContentfulStatusCode, reason: string): Response {
  const code = '4002';
  const error = {
    code,
    message: errorEntry(code)?.message ?? '',
    details: [{ in: 'request', name: '', reason }],
    timestamp: new Date(clock.now()).toISOString(),
    requestId: crypto.randomUUID(),
  };
  return c.json({ error }, status);
}

/** The JSON value of a request's body, or undefined where it is not JSON. */
export async function jsonBody(c: Context): Promise<unknown> {
  return c.req.json().catch(() => undefined);
}

/** The JSON object of a request's body, empty where it is none. */
export async function objectBody(c: Context): Promise<JsonObject> {
  const body = await jsonBody(c);
  return isObject(body) ? body : {};
}
