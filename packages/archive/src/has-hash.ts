import { createHash } from 'node:crypto';

/** Whether a file is the one that an entry is about. */
export function hasHash(content: Uint8Array, sha256: string | null): boolean {
  return createHash('sha256').update(content).digest('hex') === sha256;
}
