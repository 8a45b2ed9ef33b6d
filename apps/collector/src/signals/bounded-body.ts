import type { IncomingMessage } from 'node:http';

/** Bytes of a body that are read: 64 kB. */
const maxBodyBytes = 65_536;

/** The body of a request; `undefined` where it is longer. @throws {Error} when the client leaves */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  // A longer one is left as it is, so that the response can still be sent.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > maxBodyBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
