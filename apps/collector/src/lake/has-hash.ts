import { createHash } from 'node:crypto';

/** Whether there is a file, and it is the one of this hash. */
export const hasHash = (content: Uint8Array | undefined, sha256: string | null): boolean =>
  content !== undefined && createHash('sha256').update(content).digest('hex') === sha256;
