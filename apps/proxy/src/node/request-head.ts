import {
  checkFraming,
  framingHeaders,
  type HeadFault,
  headTooLarge,
  malformed,
  maxHeadBytes,
  maxHeaderLines,
  maxTargetLength,
  targetTooLong,
  tooManyLines,
} from '../head-rules.js';
import { headerText } from './header-text.js';

/** The head of a request as read from the wire. */
export interface RequestHead {
  readonly method: string;
  /** The target as sent; visible ASCII, starting with a slash, without a fragment. */
  readonly target: string;
  /** Whether the caller speaks HTTP/1.1; otherwise HTTP/1.0. */
  readonly http11: boolean;
  /** Whether the connection stays open after the answer. */
  readonly keepAlive: boolean;
  /** The headers that matter here, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}

// https://www.rfc-editor.org/rfc/rfc9112#section-3 and, for the method, https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}) ([\x21-\x7e]+) HTTP\/1\.([01])$/;
// https://www.rfc-editor.org/rfc/rfc9112#section-5; no white space before the colon, no folded lines, no control characters
const headerLine = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;
// The same for all lines at once, which is several times faster; where it does not match, the lines are looked at one by one.
const wellFormed = /^[^\r\n]+\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;
// Lists: lines of the same name are one value, https://www.rfc-editor.org/rfc/rfc9110#section-5.3
const lists: ReadonlySet<string> = new Set(['connection', 'accept-encoding', 'if-none-match', 'tracestate']);

// Two of these cannot both be meant; which one counts would be a guess.
const single = new Set(['host', 'content-length', 'transfer-encoding']);

const lineRules = malformed('request line', 'send METHOD, one space, a path, one space, HTTP/1.1 and CR LF');
const lineEnds = malformed('line end', 'every line ends with CR LF; no CR, LF or NUL stands anywhere else');

function checkRequestLine(line: string): HeadFault | readonly [method: string, target: string, http11: boolean] {
  const parts = requestLine.exec(line);
  const [, method = '', target = '', minor = ''] = parts ?? [];
  if (parts === null) return line.length > maxTargetLength + 64 ? targetTooLong : lineRules;
  if (target.length > maxTargetLength) return targetTooLong;
  if (!target.startsWith('/')) return malformed('target', 'send the path alone, starting with a slash (origin form)');
  if (target.includes('#')) return malformed('target', 'a target has no fragment; leave out everything from # on');
  return [method, target, minor === '1'];
}

/**
 * Looks at a head that is not complete yet.
 *
 * @param text what has come so far, one character a byte
 * @returns what is already wrong with it, or `null` when it can still become a good one
 */
export function checkPartialHead(text: string): HeadFault | null {
  if (text.includes('\0') || /(?:^|[^\r])\n|\r[^\n]/.test(text)) return lineEnds;
  const end = text.indexOf('\r\n');
  if (end === -1) {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}(?: [\x21-\x7e]*(?: [A-Z/0-9.]{0,8}\r?)?)?$/.test(text)) return lineRules;
    return text.length > maxTargetLength + 64 ? targetTooLong : null;
  }
  const line = checkRequestLine(text.slice(0, end));
  if ('code' in line) return line;
  return text.length > maxHeadBytes ? headTooLarge : null;
}

/**
 * Reads a complete head, strictly: everything RFC 9112 leaves to the reader's taste is refused.
 *
 * @param text the head up to and including its empty line, one character a byte
 * @param wanted lower-case names of the headers to keep, besides those of the framing
 */
export function readRequestHead(text: string, wanted: ReadonlySet<string>): RequestHead | HeadFault {
  if (text.length > maxHeadBytes) return headTooLarge;
  const firstEnd = text.indexOf('\r\n');
  const first = text.slice(0, firstEnd);
  const line = checkRequestLine(first);
  if ('code' in line) return /[\r\n\0]/.test(first) ? lineEnds : line;
  if (!wellFormed.test(text)) return headerLineFault(text);
  const [method, target, http11] = line;

  const headers = new Map<string, string>();
  let count = 0;
  let repeated = '';
  for (let start = firstEnd + 2; start < text.length - 2; count++) {
    const colon = text.indexOf(':', start);
    const end = text.indexOf('\r\n', colon);
    const name = text.slice(start, colon).toLowerCase();
    const lineStart = start;
    start = end + 2;
    if (!framingHeaders.has(name) && !wanted.has(name)) continue;
    const value = headerText(text, colon + 1, end);
    const earlier = headers.get(name);
    if (earlier === undefined) headers.set(name, value);
    else if (lists.has(name)) headers.set(name, `${earlier}, ${value}`);
    else if (repeated === '' && (single.has(name) || wanted.has(name))) repeated = text.slice(lineStart, colon);
  }
  if (count > maxHeaderLines) return tooManyLines;
  if (repeated !== '') return malformed(repeated, 'this header stands twice; send it once');
  const framing = checkFraming(headers, wanted, http11);
  return 'code' in framing ? framing : { method, target, http11, keepAlive: http11 && !framing.close, headers };
}

/** What is wrong with a head whose request line is good. */
function headerLineFault(text: string): HeadFault {
  const lines = text.slice(0, -4).split('\r\n').slice(1);
  if (lines.length > maxHeaderLines) return tooManyLines;
  const wrong = lines.find((line) => !headerLine.test(line)) ?? '';
  return /[\r\n\0]/.test(wrong)
    ? lineEnds
    : malformed('header line', 'send NAME, a colon and a value of visible characters, on one line');
}
