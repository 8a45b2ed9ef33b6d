import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector of spans on a free port that keeps every byte it got. */
export async function startSpanCollector() {
  const pieces: Buffer[] = [];
  const server = createServer((request, response) => {
    pieces.push(Buffer.from(JSON.stringify([request.url, request.rawHeaders])));
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const received = () => Buffer.concat(pieces).toString();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Number of spans that arrived. */
    spans: () => received().split('"endTime":').length - 1,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
