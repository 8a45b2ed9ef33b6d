import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions, SecureContextOptions, TLSSocket } from 'node:tls';
import { http, tls } from '../../../platform/builtin.js';

/** Where the upstream is, and how it is reached. */
export interface UpstreamAddress {
  readonly host: string;
  readonly port: number;
  /** Certificates and version of TLS, where they are not those of the runtime; `null` for connections without TLS. */
  readonly tls: SecureContextOptions | null;
  /** The proxy through which connections leave the network, which takes `CONNECT`; `null` for none. */
  readonly egress: URL | null;
  /** Of an earlier connection, with which TLS begins faster. */
  session: Buffer | undefined;
}

/** What a connection receives while it is opened and read. */
export interface ConnectionEvents {
  /** What can be written to; it waits until the connection is made. */
  onStream(stream: Duplex): void;
  onConnect(): void;
  onError(error: Error): void;
  /** The buffer that the next bytes are read into. */
  nextBuffer(): Uint8Array;
  /** Takes what was read; returns whether to continue reading. */
  onBytes(bytes: Uint8Array, length: number): boolean;
}

/** Opens a connection to the upstream. Returns what can be destroyed until there is a stream. */
export function connectUpstream(address: UpstreamAddress, events: ConnectionEvents): { destroy(): unknown } {
  const { host, port, egress } = address;
  if (egress !== null) return connectThrough(egress, address, events);
  const onread = {
    buffer: () => events.nextBuffer(),
    callback: (length: number, bytes: Uint8Array) => events.onBytes(bytes, length),
  };
  const socket = address.tls
    ? connectSecurely(address, events, { port, onread })
    : net.connect({ host, port, onread }).on('connect', () => events.onConnect());
  events.onStream(socket.setNoDelay(true));
  return socket;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6 */
function connectThrough(egress: URL, address: UpstreamAddress, events: ConnectionEvents) {
  const { host, port } = address;
  const { hostname, username, password } = egress;
  const target = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const request = http.request({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: egress.port === '' ? 80 : Number(egress.port),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(username !== '' && { 'proxy-authorization': `Basic ${pair}` }) },
    agent: false,
    setHost: false,
  });
  // Node would ask the egress proxy to close the tunnel.
  request.removeHeader('connection');
  request.on('connect', ({ statusCode = 0 }, tunnel: net.Socket, first) => {
    if (statusCode < 200 || statusCode > 299) {
      tunnel.destroy();
      events.onError(Object.assign(new Error('the egress proxy'), { code: 'EGRESS_REJECTED' }));
      return;
    }
    tunnel.setNoDelay(true);
    if (first.length > 0) tunnel.unshift(first);
    const stream = address.tls ? connectSecurely(address, events, { socket: tunnel }) : tunnel;
    if (stream === tunnel) events.onConnect();
    else tunnel.on('error', (error) => stream.destroy(error));
    events.onStream(stream);
    stream.on('data', (bytes: Buffer) => {
      if (!events.onBytes(bytes, bytes.length)) stream.pause();
    });
  });
  return request.on('error', (error) => events.onError(error)).end();
}

function connectSecurely(
  address: UpstreamAddress,
  events: ConnectionEvents,
  way: ConnectionOptions & { readonly onread?: net.OnReadOpts },
): TLSSocket {
  const { host, session } = address;
  const options: ConnectionOptions = {
    ...address.tls,
    ...way,
    ALPNProtocols: ['http/1.1'],
    // Not left to NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    host,
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(session && { session }),
  };
  return tls()
    .connect(options)
    .on('session', (later) => {
      address.session = later;
    })
    .on('secureConnect', () => events.onConnect());
}
