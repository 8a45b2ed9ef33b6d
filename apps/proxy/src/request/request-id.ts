import { requestIdPattern } from '@vehicle-data/openapi';

// Never of the shape of a VIN: such an identifier would carry it into logs and to the upstream.
const kept = new RegExp(requestIdPattern);

/** An identifier that no other request has, in the form of a UUID. From one that it gets, a client cannot tell those of others. */
export function newRequestId(): string {
  return crypto.randomUUID();
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
