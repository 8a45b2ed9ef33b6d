import { parseRate, type Rate } from '../limits/rate.js';

/** An API key as it is kept: everything but the key itself. */
export interface KeyRecord {
  /** Identifier, also part of the key; shown in logs and used to revoke it. */
  readonly id: string;
  /** SHA-256 of the whole key, in hexadecimal digits. A key has 256 random bits, so a slow hash would gain nothing. */
  readonly hash: string;
  /** What the operator calls it. */
  readonly name: string;
  /** ISO 8601 UTC. */
  readonly created: string;
  /** ISO 8601 UTC, or `null` for never. */
  readonly expires: string | null;
  /** ISO 8601 UTC, or `null` while the key is good. The record stays, so that the log can still be read. */
  readonly revoked: string | null;
  /** Brands that may be named; `null` for all. */
  readonly brands: readonly string[] | null;
  /** Operations that may be used; `null` for all. */
  readonly operations: readonly string[] | null;
  /** Hashes of the VINs that may be named, made with `VDS_VIN_HASH_KEY`; `null` for all. */
  readonly vehicles: readonly string[] | null;
  /** The key's own rate, or `null` for that of the settings. */
  readonly rate: Rate | null;
}

const idForm = /^[0-9a-z]{10}$/;
const hashForm = /^[0-9a-f]{64}$/;

/** The text of a key file. */
export function printKeys(records: readonly KeyRecord[]): string {
  const keys = records.map(({ rate, ...rest }) => ({
    ...rest,
    rate: rate === null ? null : `${rate.calls}/${rate.seconds}s`,
  }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** Reads the text of a key file; `null` when any part of it is not as `printKeys` writes it. */
export function parseKeys(text: string): readonly KeyRecord[] | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(document) || !Array.isArray(document['keys'])) return null;
  const records = document['keys'].map(recordOf);
  return records.includes(null) ? null : records.filter((record) => record !== null);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): KeyRecord | null {
  if (!isObject(value)) return null;
  const { id, hash, name, created, expires, revoked = null, brands, operations, vehicles = null, rate } = value;
  if (typeof id !== 'string' || !idForm.test(id) || typeof hash !== 'string' || !hashForm.test(hash)) return null;
  if (typeof name !== 'string' || !isTime(created)) return null;
  if ((expires !== null && !isTime(expires)) || (revoked !== null && !isTime(revoked))) return null;
  if (!isNames(brands) || !isNames(operations) || !isNames(vehicles)) return null;
  const parsedRate = typeof rate === 'string' ? parseRate(rate) : null;
  if (rate !== null && parsedRate === null) return null;
  return { id, hash, name, created, expires, revoked, brands, operations, vehicles, rate: parsedRate };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isNames(value: unknown): value is readonly string[] | null {
  return value === null || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
