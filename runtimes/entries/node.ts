import { createApp } from '../../apps/proxy/dist/app.js';
import { sharedTicker } from '../../apps/proxy/dist/forward/ticker.js';
import { ProxyServer } from '../../apps/proxy/dist/node/server.js';
import { socketTransport } from '../../apps/proxy/dist/node-parts.js';
import { Pipeline } from '../../apps/proxy/dist/pipeline.js';
import type { ServedProxy } from '../served-proxy.ts';

const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const pipeline = new Pipeline(config, { transport: socketTransport(config.upstreamUrl), ticker: sharedTicker() });
  await new ProxyServer(pipeline, createApp(pipeline), { headMs: 1000 }).listen(port, '127.0.0.1');
}
