// As Hono's documentation shows it.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';

const app = new Hono();
app.all('/v1/*', ({ req }) => {
  const target = req.url.slice(req.url.indexOf('/', 8));
  return proxy(process.env.UPSTREAM + target, { ...req, headers: { ...req.header(), host: undefined } });
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
