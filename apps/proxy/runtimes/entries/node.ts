import { createRequire } from 'node:module';
import { createApp } from '../../dist/app.js';
import { createProxy } from '../../dist/index.js';
import { ProxyServer } from '../../dist/node/server.js';
import { socketTransport } from '../../dist/node-parts.js';
import { Pipeline } from '../../dist/pipeline.js';
import type { ServedProxy } from '../start-runtime.ts';

interface NodeServer {
  serve(options: { fetch: ReturnType<typeof createProxy>['fetch']; port: number; hostname: string }): unknown;
}

const { serve } = createRequire(new URL('../../package.json', import.meta.url))('@hono/node-server') as NodeServer;
const runtime = process.env['RUNTIME'];
const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const parts = runtime === 'hono-fetch' ? {} : { transport: socketTransport(config.upstreamUrl) };
  if (runtime === 'node') {
    const pipeline = new Pipeline(config, { transport: socketTransport(config.upstreamUrl) });
    await new ProxyServer(pipeline, () => createApp(pipeline), { headMs: 1000 }).listen(port, '127.0.0.1');
  }
  // As an application embeds the proxy: nothing but `createProxy` and the adapter of Hono, which is a dependency of the proxy.
  else serve({ fetch: createProxy(config, parts).fetch, port, hostname: '127.0.0.1' });
}
