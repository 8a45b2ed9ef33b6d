// The program's server with its fast path, in JavaScript: older versions of Node do not run TypeScript.
import { createApp } from '../../dist/app.js';
import { SocketTransport } from '../../dist/forward/transport/socket/socket-transport.js';
import { ProxyServer } from '../../dist/node/server.js';
import { Pipeline } from '../../dist/pipeline.js';

for (const { port, config } of JSON.parse(process.env.PROXIES)) {
  const pipeline = new Pipeline(config, { transport: new SocketTransport(config.upstreamUrl) });
  await new ProxyServer(pipeline, () => createApp(pipeline), { headMs: 1000 }).listen({ port, host: '127.0.0.1' });
}
