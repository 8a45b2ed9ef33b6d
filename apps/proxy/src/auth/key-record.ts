import * as v from 'valibot';
import { rate } from '../config/setting.js';
import type { Rate } from '../limits/rate.js';

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

const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
);
const names = v.nullable(v.array(v.string()));
const keyFile = v.object({
  keys: v.array(
    v.object({
      id: v.pipe(v.string(), v.regex(/^[0-9a-z]{10}$/)),
      hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      name: v.string(),
      created: time,
      expires: v.nullable(time),
      revoked: v.optional(v.nullable(time), null),
      brands: names,
      operations: names,
      vehicles: v.optional(names, null),
      rate: v.nullable(rate),
    }),
  ),
});

/** The text of a key file. */
export function printKeys(records: readonly KeyRecord[]): string {
  const keys = records.map(({ rate: own, ...rest }) => ({
    ...rest,
    rate: own === null ? null : `${own.calls}/${own.seconds}s`,
  }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** Reads the text of a key file; `null` when any part of it is not as `printKeys` writes it. */
export function parseKeys(text: string): readonly KeyRecord[] | null {
  try {
    const parsed = v.safeParse(keyFile, JSON.parse(text));
    return parsed.success ? parsed.output.keys : null;
  } catch {
    return null;
  }
}
