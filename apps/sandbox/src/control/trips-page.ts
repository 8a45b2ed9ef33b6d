import { tripPageHtml } from '@vehicle-data/trip-view';
import type { Hono } from 'hono';
import { demoAccessToken } from '../tokens.js';
import type { Controlled } from './control.js';

/** The trip explorer over the trips of the sandbox, with the demo token. */
export function tripsPage(app: Hono, { brands, clock }: Controlled): void {
  app.get('/trips', (c) => {
    c.header('cache-control', 'no-store');
    c.header('x-frame-options', 'DENY');
    const source = { kind: 'api', accessToken: demoAccessToken, brands, now: clock.now() } as const;
    return c.html(tripPageHtml({ title: 'Trips of the sandbox', source }));
  });
}
