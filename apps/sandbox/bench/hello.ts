// The peer of the small-response benchmark: a bare Hono application that says hello in about 200 bytes.
import process from 'node:process';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
const text = JSON.stringify({ data: { hello: 'x'.repeat(170) } });
app.get('/', (c) => c.body(text, 200, { 'content-type': 'application/json' }));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) }, ({ port }) => {
  process.stdout.write(`hello listening on http://127.0.0.1:${port}\n`);
});
