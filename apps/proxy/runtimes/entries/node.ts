import { createRequire } from 'node:module';
import { createProxy } from '../../dist/index.js';
import { socketTransport } from '../../dist/node-parts.js';
import type { ServedProxy } from '../start-runtime.ts';

interface NodeServer {
  serve(options: { fetch: ReturnType<typeof createProxy>['fetch']; port: number; hostname: string }): unknown;
}

// As an application embeds the proxy: nothing but `createProxy` and the adapter of Hono, which is a dependency of the proxy.
const { serve } = createRequire(new URL('../../package.json', import.meta.url))('@hono/node-server') as NodeServer;
const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const parts = process.env['RUNTIME'] === 'hono-fetch' ? {} : { transport: socketTransport(config.upstreamUrl) };
  serve({ fetch: createProxy(config, parts).fetch, port, hostname: '127.0.0.1' });
}
