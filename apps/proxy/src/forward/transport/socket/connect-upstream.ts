import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { tls } from '../../../node/builtin.js';
import { type EgressProxy, Tunnel } from './tunnel.js';

/** Where the upstream is, and how it is reached. */
export interface UpstreamAddress {
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** Certificates, and the lowest version that is spoken. */
  readonly security: UpstreamSecurity;
  /** The proxy through which connections leave the network; `null` for none. */
  readonly egress: EgressProxy | null;
}

/** How the upstream proves who it is, and this proxy to it. Certificates and keys are PEM texts. */
export interface UpstreamSecurity {
  /** Certificate authorities besides those of the runtime; `null` for none. */
  readonly ca: string | null;
  /** Client certificate and its key; `null` for none. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
}

/** Only the runtime's own certificate authorities, no client certificate, TLS 1.2 or newer. */
export const usualSecurity: UpstreamSecurity = { ca: null, certificate: null, minVersion: 'TLSv1.2' };

/** What a connection tells while it is opened and read. */
export interface ConnectionEvents {
  onConnect(): void;
  onSession(session: Buffer): void;
  /** The buffer that the next bytes are read into. */
  nextBuffer(): Uint8Array;
  /** Takes what was read; returns whether to continue reading. */
  onBytes(bytes: Uint8Array, length: number): boolean;
}

/** Opens a connection to the upstream. @param session of an earlier connection, with which TLS begins faster */
export function connectUpstream(
  address: UpstreamAddress,
  session: Buffer | undefined,
  events: ConnectionEvents,
): Duplex {
  const { host, port, egress } = address;
  if (egress === null) {
    const onread = {
      buffer: () => events.nextBuffer(),
      callback: (length: number, bytes: Uint8Array) => events.onBytes(bytes, length),
    };
    const socket = address.tls
      ? connectSecurely(address, session, events, { port, onread })
      : net.connect({ host, port, onread }).on('connect', events.onConnect);
    return socket.setNoDelay(true);
  }
  const tunnel = new Tunnel(egress, host, port);
  const stream = address.tls
    ? connectSecurely(address, session, events, { socket: tunnel })
    : tunnel.on('connect', events.onConnect);
  return stream.on('data', (bytes: Buffer) => {
    if (!events.onBytes(bytes, bytes.length)) stream.pause();
  });
}

function connectSecurely(
  { host, security }: UpstreamAddress,
  session: Buffer | undefined,
  events: ConnectionEvents,
  way: ConnectionOptions & { readonly onread?: net.OnReadOpts },
): TLSSocket {
  const { ca, certificate, minVersion } = security;
  const options: ConnectionOptions = {
    ...way,
    minVersion,
    ALPNProtocols: ['http/1.1'],
    // Not left to NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    host,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === null ? {} : { ca: [...tls().rootCertificates, ca] }),
    ...certificate,
    ...(session === undefined ? {} : { session }),
  };
  return tls().connect(options).on('session', events.onSession).on('secureConnect', events.onConnect);
}
