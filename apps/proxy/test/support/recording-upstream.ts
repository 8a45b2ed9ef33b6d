import { type AddressInfo, createServer, type Socket } from 'node:net';
import { readMessages, type WireMessage, type WireReading } from './read-messages.ts';

/** One connection that the proxy opened to the upstream. */
export interface UpstreamRecord {
  readonly socket: Socket;
  received: Buffer;
  /** Requests in `received` that have been handled. */
  served: number;
  closed: boolean;
}

/** What an upstream does with a whole request. */
export type Behaviour = (socket: Socket, request: WireMessage, record: UpstreamRecord) => void;

/** An upstream on raw sockets that keeps every byte. */
export interface RecordingUpstream {
  readonly url: string;
  readonly port: number;
  readonly records: UpstreamRecord[];
  behave: Behaviour;
  /** All connections, each read strictly. */
  readings(): WireReading[];
  /** Every request that arrived, in no order across connections. */
  requests(): WireMessage[];
  /** Connections that are still open. */
  open(): number;
  forget(): void;
  close(): Promise<void>;
}

/** A success response. */
export function successBody(data: object = { vehicles: [] }): string {
  const meta = {
    code: 200,
    message: 'Success',
    success: 'true',
    timestamp: '2026-03-09T07:00:00.000Z',
    requestId: 'r-1',
  };
  return JSON.stringify({ data, meta });
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

export const respondSuccess: Behaviour = (socket) => socket.write(responseWith(successBody()));

/** Starts a recording upstream on a free port. */
export async function startRecordingUpstream(behave: Behaviour = respondSuccess): Promise<RecordingUpstream> {
  const records: UpstreamRecord[] = [];
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    const record: UpstreamRecord = { socket, received: Buffer.alloc(0), served: 0, closed: false };
    records.push(record);
    socket.on('error', () => {});
    socket.on('close', () => {
      record.closed = true;
    });
    socket.on('data', (bytes: Buffer) => {
      record.received = Buffer.concat([record.received, bytes]);
      const { messages } = readMessages(record.received);
      const fresh = messages.slice(record.served);
      record.served = messages.length;
      for (const request of fresh) upstream.behave(socket, request, record);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const readings = () => records.map((record) => readMessages(record.received));
  const upstream: RecordingUpstream = {
    url: `http://127.0.0.1:${port}`,
    port,
    records,
    behave,
    readings,
    requests: () => readings().flatMap((reading) => reading.messages),
    open: () => records.filter((record) => !record.closed).length,
    forget() {
      for (const record of records) {
        record.received = Buffer.alloc(0);
        record.served = 0;
      }
      const open = records.filter((record) => !record.closed);
      records.splice(0, records.length, ...open);
    },
    close() {
      for (const record of records) record.socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return upstream;
}
