import type { UpstreamHead } from '../forward/transport/upstream-transport.js';
import { headerValue } from './response-headers.js';

/** What to do with a response of the service once its head is here. */
export type ResponseClass =
  | { readonly kind: 'stream' }
  | { readonly kind: 'error' }
  | { readonly kind: 'invalid'; readonly reason: string };

const jsonType = /^application\/json(?:[ \t]*;|$)/i;

function count(headers: readonly string[], name: string): number {
  let found = 0;
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) found++;
  return found;
}

const stream: ResponseClass = { kind: 'stream' };
const error: ResponseClass = { kind: 'error' };
const invalid = (reason: string): ResponseClass => ({ kind: 'invalid', reason });

/**
 * Classifies a response: a 200 with JSON streams, a status of 400 and above is held for a look at its envelope, everything else
 * is no response of this contract.
 *
 * @param coding the content coding that was asked for; another one is not passed
 */
export function classifyResponse(head: UpstreamHead, coding: 'gzip' | 'identity'): ResponseClass {
  const { status, headers } = head;
  if (status !== 200 && status < 400) return invalid('a status outside the contract');
  if (count(headers, 'content-type') > 1 || count(headers, 'content-encoding') > 1)
    return invalid('a header line twice');
  if (!jsonType.test(headerValue(headers, 'content-type') ?? '')) return invalid('not JSON by its content type');
  const coded = headerValue(headers, 'content-encoding')?.toLowerCase();
  if (coded !== undefined && coded !== 'identity' && coded !== coding)
    return invalid('a content coding that was not asked for');
  if (head.length === 0) return invalid('an empty body');
  return status === 200 ? stream : error;
}

/** Whether the first bytes of a body can begin a JSON object, or a gzip stream when the body is coded so. */
export function canBeginResponse(chunk: Uint8Array, coding: string | undefined): boolean {
  if (coding === 'gzip') return chunk[0] === 0x1f;
  for (const byte of chunk) {
    if (byte === 0x7b) return true;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}
