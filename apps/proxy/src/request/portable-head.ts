import {
  checkFraming,
  fault,
  framingHeaders,
  type HeadFault,
  headTooLarge,
  malformed,
  maxHeadBytes,
  maxHeaderLines,
  maxTargetLength,
  targetTooLong,
  tooManyLines,
} from './head-rules.js';

/** The head of a request as a platform's own server has read it. */
export interface PortableHead {
  /** Path and query, as far as the platform left them as sent. */
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
}

// What a value of these headers looks like once two lines were joined; a second Brand breaks the contract's own rule anyway.
const joinedLines = [
  ['authorization', /,[ \t]*[A-Za-z][A-Za-z-]*[ \t]/],
  ['x-request-id', /,/],
] as const;

/**
 * Applies the rules about heads to a request that the platform has read. Lines of one name come joined by commas, so a header
 * that stands twice is found where its joined value cannot be one.
 *
 * @param wanted lower-case names of the headers to keep, besides those of the framing
 */
export function readPortableHead(request: Request, wanted: ReadonlySet<string>): PortableHead | HeadFault {
  const { url } = request;
  // Without a Host, Bun shows the path alone.
  const pathAt = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const target = pathAt === -1 ? '/' : url.slice(pathAt);
  if (target.length > maxTargetLength) return targetTooLong;
  if (target.includes('#')) return malformed('target', 'a target has no fragment; leave out everything from # on');
  const headers = new Map<string, string>();
  let count = 0;
  let bytes = target.length;
  for (const [name, value] of request.headers) {
    count++;
    bytes += name.length + value.length + 4;
    if (framingHeaders.has(name) || wanted.has(name)) headers.set(name, value);
  }
  if (count > maxHeaderLines) return tooManyLines;
  if (bytes > maxHeadBytes) return headTooLarge;
  for (const [name, joined] of joinedLines)
    if (joined.test(headers.get(name) ?? '')) return malformed(name, 'this header stands twice; send it once');
  const framing = checkFraming(headers, wanted, false);
  return 'code' in framing ? framing : { target, headers };
}

/** Whether a request brings a body although its head announces none, as it can over HTTP/2. Some platforms show an empty one. */
export async function bringsBody({ body }: Request): Promise<boolean> {
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return false;
    if (piece.value.length === 0) continue;
    await reader?.cancel();
    return true;
  }
}

/** What a request with a body is told. */
export const bodyNotAllowed: HeadFault = fault('body-not-allowed', 'body', 'no operation takes a body; leave it out');
