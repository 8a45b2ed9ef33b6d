import { requestIdPattern } from '@vehicle-data/openapi';

// Never of the shape of a VIN: such an identifier would carry it into logs and to the upstream.
const kept = new RegExp(requestIdPattern);

let prefix = '';
let counter = 0;

/** An identifier that no other request of this process has, in the form of a UUID. */
export function newRequestId(): string {
  // Made at the first request, because edge runtimes give no randomness while a module loads.
  if (prefix === '') prefix = crypto.randomUUID().slice(0, 24);
  counter = (counter + 1) % 0x1000000000000;
  return prefix + counter.toString(16).padStart(12, '0');
}

/** The identifier of a request: the client's own `X-Request-Id` when the contract lets it be kept, otherwise a new one. */
export function requestIdFor(sent: string | undefined): string {
  return sent !== undefined && loggableRequestId(sent) !== '' ? sent : newRequestId();
}

/** An identifier that somebody else has given, or empty when it could hold something else. */
export function loggableRequestId(text: string): string {
  return kept.test(text) ? text : '';
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
