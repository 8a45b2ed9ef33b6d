import type { ErrorCode } from '@vehicle-data/openapi';
import { servedOperations } from '../contract.js';
import { type ProxyError, proxyError } from '../response/proxy-error.js';
import { forwardedForHeader } from './client-address.js';
import { traceHeaders } from './trace-context.js';

/** Greatest size of the head, in bytes: 16 kB. */
export const maxHeadBytes = 16_384;
/** Greatest length of the request target, in characters: 2 kB. */
const maxTargetLength = 2048;
export const maxHeaderLines = 100;

/** Header with the API key of a client. */
export const keyHeader = 'x-api-key';

/** Names, lower-case, of the headers that a plan can depend on. */
export const plannedHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'accept-encoding',
  'origin',
  'x-request-id',
  forwardedForHeader,
  keyHeader,
  ...traceHeaders,
  ...servedOperations
    .flatMap((operation) => operation.parameters)
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name.toLowerCase()),
]);

/** Header in which a browser says what a page wants to do. https://fetch.spec.whatwg.org/#http-access-control-request-method */
export const preflightMethodHeader = 'access-control-request-method';

/** The headers that are kept: those, and the ones that change how a request is read. */
const keptHeaders: ReadonlySet<string> = new Set([
  ...plannedHeaders,
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  preflightMethodHeader,
]);

// Lists: lines of the same name are one value, https://www.rfc-editor.org/rfc/rfc9110#section-5.3
const lists: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'accept-encoding',
  'tracestate',
  forwardedForHeader,
  // No list, but without meaning where it is no preflight, and then two lines are no fault.
  preflightMethodHeader,
]);

// https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2, without user information
const hostForm =
  /^(?:[0-9A-Za-z._~-]+|\[[0-9A-Fa-f:.]+\])(?::(?:\d{1,4}|[0-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?$/;

function isHost(text: string): boolean {
  return hostForm.test(text) && (!text.startsWith('[') || URL.canParse(`http://${text}`));
}

/** The error of a head that breaks a rule, with the part that is wrong. */
function headError(code: ErrorCode, name: string, reason: string): ProxyError {
  return proxyError(code, [{ in: 'request', name, reason }]);
}

export function malformed(name: string, reason: string): ProxyError {
  return headError('malformed-request', name, reason);
}

export const noBody = 'no operation takes a body; leave it out';

/** The error of a request with a body, or of its announcement. */
export function bodyNotAllowed(name: string): ProxyError {
  return headError('body-not-allowed', name, noBody);
}

export function malformedRequestLine(): ProxyError {
  return malformed('request line', 'send METHOD, one space, a path, one space, HTTP/1.1 and CR LF');
}

export function malformedHeaderLine(): ProxyError {
  return malformed('header line', 'send NAME, a colon and a value of visible characters, on one line');
}

export function headTooLarge(most = `${maxHeadBytes} bytes`): ProxyError {
  return headError('headers-too-large', 'headers', `the head has more than ${most}`);
}

/** The error of a header of which two lines cannot both be meant; which one counts would be a guess. */
export function repeatedHeader(name: string): ProxyError {
  return malformed(name, 'this header is sent twice; send it once');
}

export interface Head {
  /** The headers that are kept, also those of a head that is rejected: the log names where it came from. */
  readonly headers: ReadonlyMap<string, string>;
  readonly fault: ProxyError | null;
}

/**
 * Applies the rules about heads to what a parser has read. Every reader of requests asks this.
 *
 * @param lines the header lines as name, value, name, value
 */
export function readHead(target: string, lines: readonly string[], needsHost: boolean): Head {
  // Lines that were not read could say something else, such as who is the client.
  if (lines.length > maxHeaderLines * 2)
    return { headers: new Map(), fault: targetFault(target) ?? headTooLarge(`${maxHeaderLines} header lines`) };
  const headers = new Map<string, string>();
  let repeated: string | null = null;
  let bytes = target.length;
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] ?? '';
    const value = lines[index + 1] ?? '';
    const lowerCase = name.toLowerCase();
    bytes += name.length + value.length + 4;
    if (!keptHeaders.has(lowerCase)) continue;
    const earlier = headers.get(lowerCase);
    if (earlier === undefined) headers.set(lowerCase, value);
    else if (lists.has(lowerCase)) headers.set(lowerCase, `${earlier}, ${value}`);
    else repeated ??= name;
  }
  let fault = targetFault(target);
  if (bytes > maxHeadBytes) fault ??= headTooLarge();
  if (repeated !== null) fault ??= repeatedHeader(repeated);
  return { headers, fault: fault ?? headersFault(headers, needsHost) };
}

/** What is wrong with the headers that say where a request ends, whom it is for and what its connection does. */
function headersFault(headers: ReadonlyMap<string, string>, needsHost: boolean): ProxyError | null {
  const host = headers.get('host');
  if (host === undefined ? needsHost : !isHost(host))
    return malformed('Host', 'send one Host header with a name or an address');
  const length = headers.get('content-length');
  if (length !== undefined && !/^\d+$/.test(length)) return malformed('Content-Length', 'a length is a row of digits');
  if (headers.has('transfer-encoding')) return bodyNotAllowed('Transfer-Encoding');
  if (length !== undefined && !/^0+$/.test(length)) return bodyNotAllowed('Content-Length');
  if (headers.has('expect')) return bodyNotAllowed('Expect');
  for (const option of headers.get('connection')?.split(',') ?? []) {
    const token = option.trim().toLowerCase();
    // A header that Connection names is for this hop alone and may not travel; a call without it would be another call.
    // https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
    if (token === 'host' || plannedHeaders.has(token))
      return malformed('Connection', 'names a header that this call needs');
  }
  return null;
}

function targetFault(target: string): ProxyError | null {
  if (target.length > maxTargetLength)
    return headError('target-too-long', 'target', `the target has more than ${maxTargetLength} characters`);
  if (!target.startsWith('/')) return malformed('target', 'send the path alone, starting with a slash (origin form)');
  if (target.includes('#')) return malformed('target', 'a target has no fragment; leave out everything from # on');
  return null;
}

/**
 * The value of a header line, which begins and ends there in the text, without the spaces and tabs around it. Not `trim`, which takes away
 * more than the two. {@link https://www.rfc-editor.org/rfc/rfc9110#section-5.5}
 */
export function headerText(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
