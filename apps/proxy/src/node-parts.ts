import { SocketTransport } from './forward/transport/socket/socket-transport.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';

/**
 * The way to the upstream over sockets, for `createProxy` on Node: HTTP/1.1 with a strict reader, several times faster than `fetch`.
 *
 * @param upstreamUrl the same as `upstreamUrl` of `createProxy`
 * @example
 * ```ts
 * import { serve } from '@hono/node-server';
 * import { createProxy } from '@vehicle-data/proxy';
 * import { socketTransport } from '@vehicle-data/proxy/node';
 *
 * const upstreamUrl = 'https://vehicle-data.invalid';
 * serve(createProxy({ upstreamUrl }, { transport: socketTransport(upstreamUrl) }));
 * ```
 */
export function socketTransport(upstreamUrl: string): UpstreamTransport {
  return new SocketTransport(upstreamUrl);
}
