import { createHash } from 'node:crypto';
import { seriesTable } from '@vehicle-data/client/series';

/** Digest of everything in the contract that decides what a file holds. */
export const contractDigest: string = createHash('sha256')
  .update(JSON.stringify(seriesTable))
  .digest('hex')
  .slice(0, 16);
