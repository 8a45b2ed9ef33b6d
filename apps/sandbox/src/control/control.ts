import { Hono } from 'hono';
import type { Clock } from '../clock.js';
import type { Consents } from '../consents.js';
import type { Faults } from '../faults.js';
import { demoOwner } from '../fleet/vehicles.js';
import type { Tokens } from '../tokens.js';
import { clockControl } from './clock-control.js';
import { consentControl } from './consent-control.js';
import { refusal } from './control-body.js';
import { faultControl } from './fault-control.js';
import { oauth } from './oauth.js';
import { ownerPage } from './owner-page.js';
import { stateControl } from './state-control.js';

/** What the controls work on. */
export interface Controlled {
  readonly seed: number;
  readonly brands: readonly string[];
  readonly clock: Clock;
  readonly faults: Faults;
  readonly consents: Consents;
  readonly tokens: Tokens;
  readonly save: () => Promise<void>;
  readonly reset: () => Promise<void>;
}

/** Everything under `/sandbox`: what the contract does not show, and the knobs of the sandbox. */
export function createControl(controlled: Controlled): (request: Request) => Promise<Response> {
  const app = new Hono().basePath('/sandbox');
  app.use(async (c, next) => {
    if (c.req.method !== 'GET' && isCrossSite(c.req.raw)) {
      return refusal(c, controlled, 403, 'pages of other sites cannot use the controls');
    }
    return next();
  });
  app.get('/', (c) => c.redirect(`/sandbox/owners/${demoOwner}`, 303));
  stateControl(app, controlled);
  clockControl(app, controlled);
  faultControl(app, controlled);
  consentControl(app, controlled);
  oauth(app, controlled);
  ownerPage(app, controlled);
  app.notFound((c) => refusal(c, controlled, 404, 'no control of the sandbox has this path and method'));
  app.onError((_, c) => refusal(c, controlled, 500, 'the sandbox failed'));
  return async (request) => app.fetch(request);
}

/** Whether a browser says that a page of another site sent the request: https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header */
function isCrossSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const origin = request.headers.get('origin');
  return origin !== null && origin !== new URL(request.url).origin;
}
