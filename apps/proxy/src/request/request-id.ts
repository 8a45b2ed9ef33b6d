const clean = /^[0-9A-Za-z][0-9A-Za-z_-]{7,63}$/;
// A run of 17 letters or digits may hold a VIN; such an identifier would carry it into logs and to the upstream.
const vinShaped = /[0-9A-Za-z]{17}/;
// The usual identifier of a trace, and a UUID without hyphens. Letters beyond f, and capitals, are in neither.
const traceShaped = /^[0-9a-f]{32}$/;

let prefix = '';
let counter = 0;

/** An identifier that no other request of this process has, in the form of a UUID. */
export function newRequestId(): string {
  // Made at the first request, because edge runtimes give no randomness while a module loads.
  if (prefix === '') prefix = crypto.randomUUID().slice(0, 24);
  counter = (counter + 1) % 0x1000000000000;
  return prefix + counter.toString(16).padStart(12, '0');
}

/**
 * The identifier of a request: the client's own `X-Request-Id` when it is 8 to 64 letters, digits, hyphens or
 * underscores and holds nothing of the shape of a VIN, otherwise a new one.
 */
export function requestIdFor(sent: string | undefined): string {
  return sent !== undefined && loggableRequestId(sent) !== '' ? sent : newRequestId();
}

/** An identifier that somebody else has given, or empty when it could hold something else. */
export function loggableRequestId(text: string): string {
  return clean.test(text) && (!vinShaped.test(text) || traceShaped.test(text)) ? text : '';
}

/** Bytes of a piece of a body that are searched for an identifier. */
const maxSearchedBytes = 16_384;
const latin1 = new TextDecoder('latin1');
const member = /"requestId"\s*:\s*"([^"\\]{8,64})"/;

/** The `requestId` of an envelope in a short piece of a body, or empty. */
export function requestIdIn(bytes: Uint8Array): string {
  if (bytes.length > maxSearchedBytes) return '';
  return loggableRequestId(member.exec(latin1.decode(bytes))?.[1] ?? '');
}
