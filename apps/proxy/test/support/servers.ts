import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { readMessages, type WireMessage, type WireReading } from './wire.ts';

// Servers that stand in for an upstream, a token endpoint and others.

/** A success response. */
export function successBody(data: object = { vehicles: [] }): string {
  const [timestamp, requestId] = ['2026-03-09T07:00:00.000Z', 'r-1'];
  return JSON.stringify({ data, meta: { code: 200, message: 'Success', success: 'true', timestamp, requestId } });
}

/** An error response of the upstream in its envelope. */
export function errorBody(code: string, message: unknown = 'from the service'): string {
  const [timestamp, requestId] = ['2026-03-09T07:00:00.000Z', 'upstream-error-7'];
  return JSON.stringify({ error: { code, message, details: [], timestamp, requestId } });
}

/** Listens on a free port and gives it. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Starts an HTTP server with this handler, over TLS as `localhost` where there is a certificate; gives its address. It ends with the test. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  certificate: Certificate | null = null,
) {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces = await request.toArray().catch(() => []);
    handler(request, response, Buffer.concat(pieces).toString());
  };
  const server = certificate === null ? createServer(respond) : createSecureServer(certificate, respond);
  // Else it closes a connection after five idle seconds, which a busy machine may need for what is between two requests.
  server.keepAliveTimeout = 0;
  const origin = certificate === null ? 'http://127.0.0.1' : 'https://localhost';
  onTestFinished(() => void server.close().closeAllConnections());
  return `${origin}:${await portOf(server)}`;
}

/** Sends a request on a connection of its own; follows no redirect, and does not decode the body. */
export async function requestTo(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const sent = request(url, { method, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

/** A request as a server has received it. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The bearer token. */
  readonly token: string;
  /** Port of the client's end of the connection. */
  readonly clientPort: number;
}

/** A response; what is left out is that of a success. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
  /** Sent when this has resolved. */
  readonly after?: Promise<unknown>;
}

/** What a server responds with to its n-th request. `null` breaks the connection off. */
export type Respond = (request: SeenRequest, count: number) => Reply | null;

/** Starts an upstream, a token endpoint or another server that keeps its requests. */
export async function startUpstream(respond: Respond = () => ({})) {
  const seen: SeenRequest[] = [];
  const url = await listen(({ method = '', url = '', headers, socket }, response, body) => {
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const request = { method, url, headers, body, token, clientPort: socket.remotePort ?? 0 };
    const reply = respond(request, seen.push(request));
    if (reply === null) return void response.destroy();
    const own = { 'content-type': 'application/json', ...reply.headers };
    const send = () =>
      response.writeHead(reply.status ?? 200, own).end(reply.body ?? successBody({ trips: [], vehicles: [] }));
    if (reply.after !== undefined) void reply.after.then(send);
    else if (reply.delayMs === undefined) send();
    else setTimeout(send, reply.delayMs);
  });
  return { url, seen, tokens: () => seen.map(({ token }) => token) };
}

/** An error response of an upstream. */
export function rejection(code = '4011', status = 400): Reply {
  return { status, body: errorBody(code) };
}

/** A response of a token endpoint: RFC 6749, section 5.1. */
export function oauthResponse(accessToken: string, more: object = { expires_in: 3600 }) {
  return { body: JSON.stringify({ access_token: accessToken, token_type: 'Bearer', ...more }) };
}

/**
 * Starts a token endpoint with refresh tokens for one use: an old one is good until its successor, or the access token that came with it,
 * is used, at `/use` or elsewhere. It responds after a random time.
 */
export async function startRotatingIssuer() {
  const seen = { used: 0, issued: 0, lost: 0 };
  const use = (token: string) => {
    seen.used = Math.max(seen.used, Number(/^a(\d+)$/.exec(token)?.[1] ?? 0));
  };
  const { url } = await startUpstream((request) => {
    if (request.url === '/use') {
      use(request.token);
      return { body: '' };
    }
    const sent = Number(/^r(\d+)$/.exec(new URLSearchParams(request.body).get('refresh_token') ?? '')?.[1]);
    if (sent === seen.issued) seen.used = seen.issued;
    if (sent !== seen.used) {
      seen.lost++;
      return { status: 400, body: '{"error":"invalid_grant"}' };
    }
    if (seen.issued === seen.used) seen.issued++;
    const more = { refresh_token: `r${seen.issued}`, expires_in: 1 };
    return { ...oauthResponse(`a${seen.issued}`, more), delayMs: seen.issued % 5 };
  });
  return { url, seen, use };
}

/** A response with a length, as bytes. */
export function responseWith(
  body: string | Buffer,
  status = '200 OK',
  headers = 'Content-Type: application/json\r\n',
): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** What calls a function when what has been started is no longer needed. */
export type AtEnd = (end: () => void | Promise<void>) => unknown;

/** What an upstream on raw sockets does with a whole request. */
export type Behavior = (socket: Socket, request: WireMessage) => void;

export const respondSuccess: Behavior = (socket) => socket.write(responseWith(successBody()));

const nothingRead = () => ({ messages: [] as WireMessage[], rest: Buffer.alloc(0), problem: '', needs: 0 });

/** Starts an upstream on raw sockets that keeps every request, and reads it strictly. It ends with the test, or `atEnd`. */
export async function startRawUpstream(behave: Behavior = respondSuccess, atEnd: AtEnd = onTestFinished) {
  const connections: {
    readonly socket: Socket;
    messages: WireMessage[];
    rest: Buffer;
    problem: string;
    needs: number;
  }[] = [];
  const isOpen = ({ socket }: { readonly socket: Socket }) => !socket.closed;
  const server = createRawServer((socket) => {
    const connection = { socket, ...nothingRead() };
    connections.push(connection);
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      const { messages, ...state } = readMessages(Buffer.concat([connection.rest, bytes]));
      connection.messages.push(...messages);
      Object.assign(connection, state);
      for (const request of messages) upstream.behave(socket, request);
    });
  });
  const port = await portOf(server);
  const readings = (): readonly WireReading[] => connections;
  const upstream = {
    url: `http://127.0.0.1:${port}`,
    port,
    behave,
    connections,
    /** All connections. */
    readings,
    /** Every request that arrived, in no order across connections. */
    requests: () => readings().flatMap(({ messages }) => messages),
    /** Connections that are still open. */
    open: () => connections.filter(isOpen).length,
    forget() {
      connections.splice(0, connections.length, ...connections.filter(isOpen));
      for (const connection of connections) Object.assign(connection, nothingRead());
    },
  };
  atEnd(() => {
    for (const { socket } of connections) socket.destroy();
    server.close();
  });
  return upstream;
}

export type RawUpstream = Awaited<ReturnType<typeof startRawUpstream>>;
