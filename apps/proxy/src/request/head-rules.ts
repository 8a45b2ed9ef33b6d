/** Why a head is rejected: a code of the error catalogue and the part that is wrong. */
export interface HeadFault {
  readonly code: 'malformed-request' | 'body-not-allowed' | 'target-too-long' | 'headers-too-large';
  readonly name: string;
  readonly reason: string;
}

/** Greatest size of the head, in bytes: 16 kB. */
export const maxHeadBytes = 16_384;
/** Greatest length of the request target, in characters: 2 kB. */
export const maxTargetLength = 2048;
/** Greatest number of header lines. */
export const maxHeaderLines = 100;

// https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2, without user information
const hostForm = /^(?:[0-9A-Za-z._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

// Lines that change how a request is read; one that is not understood is never skipped over.
export const framingHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
]);

export function malformed(name: string, reason: string): HeadFault {
  return { code: 'malformed-request', name, reason };
}

export function fault(code: HeadFault['code'], name: string, reason: string): HeadFault {
  return { code, name, reason };
}

export const requestLineFault = malformed(
  'request line',
  'send METHOD, one space, a path, one space, HTTP/1.1 and CR LF',
);
export const headerLineFault = malformed(
  'header line',
  'send NAME, a colon and a value of visible characters, on one line',
);
export const targetTooLong = fault(
  'target-too-long',
  'target',
  `the target has more than ${maxTargetLength} characters`,
);
export const tooManyLines = fault(
  'headers-too-large',
  'headers',
  `the head has more than ${maxHeaderLines} header lines`,
);
export const headTooLarge = fault('headers-too-large', 'headers', `the head has more than ${maxHeadBytes} bytes`);

/**
 * Checks the headers that say where a request ends, whom it is for and what its connection does. Every server asks this.
 *
 * @param headers the headers of the framing and the wanted ones, by lower-case name
 * @param needsHost whether the `Host` header must be there
 */
export function checkFraming(
  headers: ReadonlyMap<string, string>,
  wanted: ReadonlySet<string>,
  needsHost: boolean,
): HeadFault | { readonly close: boolean } {
  const host = headers.get('host');
  if (host === undefined ? needsHost : !hostForm.test(host))
    return malformed('Host', 'send one Host header with a name or an address');
  const length = headers.get('content-length');
  if (length !== undefined && !/^\d+$/.test(length)) return malformed('Content-Length', 'a length is a row of digits');
  if (headers.has('transfer-encoding'))
    return fault('body-not-allowed', 'Transfer-Encoding', 'no operation takes a body; leave it out');
  if (length !== undefined && !/^0+$/.test(length))
    return fault('body-not-allowed', 'Content-Length', 'no operation takes a body; leave it out');
  if (headers.has('expect')) return fault('body-not-allowed', 'Expect', 'no operation takes a body; leave it out');

  let close = false;
  for (const option of (headers.get('connection') ?? '').split(',')) {
    const token = option.trim().toLowerCase();
    if (token === 'close') close = true;
    // A header that Connection names is for this hop alone and may not travel; a call without it would be another call.
    // https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
    if (token === 'host' || wanted.has(token)) return malformed('Connection', 'names a header that this call needs');
  }
  return { close };
}
