/** A message as it stood on the wire, read by a strict reader of the tests' own. */
export interface WireMessage {
  /** Request line or status line. */
  readonly start: string;
  /** Header lines in order, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What the bytes of one direction of a connection hold. */
export interface WireReading {
  readonly messages: readonly WireMessage[];
  /** Bytes after the last whole message. */
  readonly rest: Buffer;
  /** What is wrong with the rest; empty when it may only be incomplete. */
  readonly problem: string;
}

/** Every value of a header. */
export function valuesOf(message: WireMessage, name: string): string[] {
  return message.headers.filter(([each]) => each === name).map(([, value]) => value);
}

function readHead(text: string): Omit<WireMessage, 'body'> | string {
  const [start = '', ...lines] = text.split('\r\n');
  if (/[^\x20-\x7e]/.test(start)) return 'a start line with other than visible ASCII';
  const headers: [string, string][] = [];
  for (const line of lines) {
    const parts = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(line);
    if (parts === null) return 'a line that is no header';
    headers.push([(parts[1] ?? '').toLowerCase(), parts[2] ?? '']);
  }
  return { start, headers };
}

function readChunks(bytes: Buffer, from: number): { body: Buffer; end: number } | string | null {
  const pieces: Buffer[] = [];
  let at = from;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const digits = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-fA-F]+$/.test(digits)) return 'a chunk size that is no number';
    const size = Number.parseInt(digits, 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return null;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') return 'a chunk without its end';
    if (size === 0) return { body: Buffer.concat(pieces), end: end + 2 };
    pieces.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

/**
 * Reads the messages of one direction.
 *
 * @param bodiless whether the message at this index has no body whatever its head says (responses to HEAD)
 */
export function readMessages(bytes: Buffer, bodiless: (index: number) => boolean = () => false): WireReading {
  const messages: WireMessage[] = [];
  let at = 0;
  const stop = (problem: string): WireReading => ({ messages, rest: bytes.subarray(at), problem });
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return stop('');
    const head = readHead(bytes.toString('latin1', at, headEnd));
    if (typeof head === 'string') return stop(head);
    const bodyAt = headEnd + 4;
    const lengths = head.headers.filter(([name]) => name === 'content-length');
    const codings = head.headers.filter(([name]) => name === 'transfer-encoding');
    if (lengths.length + codings.length > 1) return stop('more than one framing');
    if (codings.length === 1 && !bodiless(messages.length)) {
      if (codings[0]?.[1] !== 'chunked') return stop('an unknown transfer coding');
      const chunks = readChunks(bytes, bodyAt);
      if (chunks === null || typeof chunks === 'string') return stop(chunks ?? '');
      messages.push({ ...head, body: chunks.body });
      at = chunks.end;
    } else {
      const length = lengths.length === 0 || bodiless(messages.length) ? 0 : Number(lengths[0]?.[1]);
      if (!Number.isInteger(length)) return stop('a length that is no number');
      if (bytes.length < bodyAt + length) return stop('');
      messages.push({ ...head, body: bytes.subarray(bodyAt, bodyAt + length) });
      at = bodyAt + length;
    }
  }
  return stop('');
}
