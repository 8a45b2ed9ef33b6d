import { createApp } from '../../apps/proxy/dist/app.js';
import { ProxyCore } from '../../apps/proxy/dist/core.js';
import { FrontDoor } from '../../apps/proxy/dist/node/front-door.js';
import { SocketTransport } from '../../apps/proxy/dist/node/socket-transport.js';
import { sharedWatch } from '../../apps/proxy/dist/watch.js';
import type { ServedProxy } from '../served-proxy.ts';

const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const core = new ProxyCore(config, { transport: new SocketTransport(config.upstreamUrl), watch: sharedWatch() });
  await new FrontDoor(core, async () => createApp(core, {})).listen(port, '127.0.0.1');
}
