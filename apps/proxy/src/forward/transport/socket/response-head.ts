import { headerText } from '../../../request/head-rules.js';
import { loggableRequestId } from '../../../request/request-id.js';
import { responseHeaders } from '../../../response/response-headers.js';
import type { UpstreamHead } from '../upstream-transport.js';

/** The head of a response of the upstream as read from the wire. */
export interface ResponseHead extends UpstreamHead {
  /** Whether the connection may be used again. */
  readonly keepAlive: boolean;
}

/** Greatest size of a response's head, in bytes: 32 kB. */
export const maxResponseHeadBytes = 32_768;
const maxLines = 128;

// https://www.rfc-editor.org/rfc/rfc9112#section-4 and #section-5; one expression over all lines is several times faster than one each
const head =
  /^HTTP\/1\.1 [1-5]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*)*$/;
const statusLine = /^HTTP\/1\.1 [1-5]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n|$)/;

const lengthForm = /^\d{1,15}$/;
const closes = /(?:^|[,\s])close(?:$|[,\s])/i;

/**
 * Reads the head of a response, strictly. One framing only: a length or chunks. A response that ends when its connection ends
 * is rejected, because a cut one could not be told from a whole one.
 *
 * @param text the head without its empty line, one character a byte
 * @returns the head, or in fixed words what is wrong with it
 */
export function readResponseHead(text: string): ResponseHead | string {
  if (!head.test(text)) return statusLine.test(text) ? 'a header line that is not HTTP' : 'not HTTP/1.1';
  const status = Number(text.slice(9, 12));
  const headers: string[] = [];
  let length: number | null = null;
  let requestId = '';
  let chunked = false;
  let keepAlive = true;
  let lines = 1;
  for (let lineEnd = text.indexOf('\r\n'); lineEnd !== -1; ) {
    if (++lines > maxLines) return 'too many header lines';
    const start = lineEnd + 2;
    const colon = text.indexOf(':', start);
    lineEnd = text.indexOf('\r\n', colon);
    const name = text.slice(start, colon).toLowerCase();
    const value = headerText(text, colon + 1, lineEnd === -1 ? text.length : lineEnd);
    if (responseHeaders.has(name)) {
      headers.push(name, value);
    } else if (name === 'content-length') {
      // Two lengths can disagree, and which one counts would be a guess: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
      if (length !== null || !lengthForm.test(value)) return 'a length that is not one number';
      length = Number(value);
    } else if (name === 'transfer-encoding') {
      if (chunked || value.toLowerCase() !== 'chunked') return 'a transfer coding other than chunked';
      chunked = true;
    } else if (name === 'x-request-id') {
      requestId = loggableRequestId(value);
    } else if (name === 'connection' && closes.test(value)) {
      keepAlive = false;
    }
  }
  if (chunked && length !== null) return 'a length and chunks together';
  // These have no body whatever their headers say: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
  if (status < 200 || status === 204 || status === 304)
    return { status, headers, requestId, length: 0, keepAlive: keepAlive && length === null && !chunked };
  if (!chunked && length === null) return 'neither a length nor chunks';
  return { status, headers, requestId, length, keepAlive };
}
