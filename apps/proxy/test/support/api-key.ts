import { createHash } from 'node:crypto';
import type { KeyRecord } from '../../src/auth/key-record.js';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An API key of the right form. */
export const apiKey = `vds_abcdefghij_${'k'.repeat(43)}`;

/** The record of that key in a key file. */
export function recordOf(rights: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: 'abcdefghij',
    hash: sha256(apiKey),
    name: '',
    created: '2026-01-01T00:00:00.000Z',
    expires: null,
    revoked: null,
    vehicles: null,
    brands: null,
    operations: null,
    rate: null,
    ...rights,
  };
}
