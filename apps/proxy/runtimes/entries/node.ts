import { createApp } from '../../dist/app.js';
import { ProxyServer } from '../../dist/node/server.js';
import { socketTransport } from '../../dist/node-parts.js';
import { Pipeline } from '../../dist/pipeline.js';
import type { ServedProxy } from '../start-runtime.ts';

const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const pipeline = new Pipeline(config, { transport: socketTransport(config.upstreamUrl) });
  await new ProxyServer(pipeline, () => createApp(pipeline), { headMs: 1000 }).listen(port, '127.0.0.1');
}
