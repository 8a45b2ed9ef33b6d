import { answerHeaders } from '../answer-headers.js';

/** The head of an answer of the service as read from the wire. */
export interface AnswerHead {
  readonly status: number;
  /** The headers of the allowlist, lower-case, as name, value, name, value. */
  readonly headers: readonly string[];
  /** Length of the body in bytes; `null` when it comes in chunks. */
  readonly length: number | null;
  /** Whether the connection may be used again. */
  readonly keepAlive: boolean;
}

/** Greatest size of an answer's head, in bytes: 32 kB. */
export const maxAnswerHeadBytes = 32_768;
const maxLines = 128;

const statusLine = /^HTTP\/1\.1 ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Reads the head of an answer, strictly. One framing only: a length or chunks. An answer that ends when its connection ends
 * is refused, because a cut one could not be told from a whole one.
 *
 * @param text the head without its empty line, one character a byte
 * @returns the head, or in fixed words what is wrong with it
 */
export function readAnswerHead(text: string): AnswerHead | string {
  const lines = text.split('\r\n');
  if (lines.length > maxLines) return 'too many header lines';
  const status = Number(statusLine.exec(lines[0] ?? '')?.[1] ?? 0);
  if (status === 0 || status > 599) return 'not HTTP/1.1';
  const headers: string[] = [];
  let length: number | null = null;
  let chunked = false;
  let keepAlive = true;
  for (let index = 1; index < lines.length; index++) {
    const parts = headerLine.exec(lines[index] ?? '');
    if (parts === null) return 'a header line that is not HTTP';
    const name = (parts[1] ?? '').toLowerCase();
    const value = (parts[2] ?? '').replace(/[ \t]+$/, '');
    if (answerHeaders.has(name)) {
      headers.push(name, value);
    } else if (name === 'content-length') {
      // Two lengths can disagree, and which one counts would be a guess: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
      if (length !== null || !/^\d{1,15}$/.test(value)) return 'a length that is not one number';
      length = Number(value);
    } else if (name === 'transfer-encoding') {
      if (chunked || value.toLowerCase() !== 'chunked') return 'a transfer coding other than chunked';
      chunked = true;
    } else if (name === 'connection' && /(?:^|[,\s])close(?:$|[,\s])/i.test(value)) {
      keepAlive = false;
    }
  }
  if (chunked && length !== null) return 'a length and chunks together';
  // These have no body whatever their headers say: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
  if (status < 200 || status === 204 || status === 304)
    return { status, headers, length: 0, keepAlive: keepAlive && length === null && !chunked };
  if (!chunked && length === null) return 'neither a length nor chunks';
  return { status, headers, length, keepAlive };
}
