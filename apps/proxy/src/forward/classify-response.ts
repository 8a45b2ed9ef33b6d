import { readAtMost } from '../response/buffered-body.js';
import { codingOf, headerValue } from '../response/response-headers.js';
import { valueAt } from '../value-at.js';
import type { UpstreamHead } from './transport/upstream-transport.js';

const jsonType = /^application\/json(?:[ \t]*;|$)/i;

/**
 * What is wrong with the head of a response, or empty. A 200 with JSON and an error response with JSON are responses of this contract.
 *
 * @param coding the content coding that was asked for; another one is not passed
 */
export function faultOf({ status, headers, length }: UpstreamHead, coding: 'gzip' | 'identity'): string {
  if (status !== 200 && status < 400) return 'a status outside the contract';
  if (isTwice(headers, 'content-type') || isTwice(headers, 'content-encoding')) return 'a header line twice';
  if (!jsonType.test(headerValue(headers, 'content-type') ?? '')) return 'not JSON by its content type';
  const coded = codingOf(headers);
  if (coded !== undefined && coded !== 'identity' && coded !== coding) return 'a content coding that was not asked for';
  return length === 0 ? 'an empty body' : '';
}

function isTwice(headers: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) count++;
  return count > 1;
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

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Greatest size of an error response that is held for a look, in bytes: 64 kB. */
export const maxErrorBodyBytes = 65_536;

/**
 * The `error.code` of an error response, or `null` when its bytes are not the service's error envelope (interface, section 2.2).
 * Only what clients decide by is asked for: an `error` with a string `code`.
 *
 * @param coding `gzip` when the bytes are compressed; they are inflated for the look only, up to `maxErrorBodyBytes`
 */
export async function errorCodeOf(bytes: Uint8Array<ArrayBuffer>, coding: string | undefined): Promise<string | null> {
  try {
    const plain =
      coding === 'gzip'
        ? await readAtMost(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), maxErrorBodyBytes)
        : bytes;
    const code = plain && valueAt(JSON.parse(decoder.decode(plain)), 'error.code');
    return typeof code === 'string' ? code : null;
  } catch {
    // Broken gzip, no UTF-8 or no JSON.
    return null;
  }
}
