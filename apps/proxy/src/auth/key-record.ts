import * as v from 'valibot';
import { rateText } from '../rate.js';

const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
);
/** `null` for all. */
const names = v.nullable(v.array(v.string()));
const keyRecord = v.object({
  /** Identifier, also part of the key; shown in logs and used to revoke it. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-z]{10}$/)),
  /** SHA-256 of the whole key, in hexadecimal digits. A key has 256 random bits, so a slow hash would gain nothing. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  name: v.string(),
  created: time,
  /** `null` for never. */
  expires: v.nullable(time),
  /** What `expires` was before the key was rotated. */
  unrotatedExpires: v.optional(v.nullable(time)),
  /** `null` while the key is good. The record stays, so that the log can still be read. */
  revoked: v.optional(v.nullable(time), null),
  brands: names,
  operations: names,
  /** Hashes of VINs, made with `VDS_VIN_HASH_KEY`. */
  vehicles: v.optional(names, null),
  /** The key's own rate, or `null` for that of the settings. */
  rate: v.nullable(rateText),
});
const keyFile = v.pipe(v.string(), v.parseJson(), v.object({ keys: v.array(keyRecord) }));

/** An API key as it is kept: everything but the key itself. */
export type KeyRecord = v.InferOutput<typeof keyRecord>;

export function printKeys(records: readonly KeyRecord[]): string {
  const keys = records.map(({ rate: own, ...rest }) => ({ ...rest, rate: own && `${own.calls}/${own.seconds}s` }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** Reads the text of a key file; `null` when any part of it is not as `printKeys` writes it. */
export function parseKeys(text: string): readonly KeyRecord[] | null {
  const parsed = v.safeParse(keyFile, text);
  return parsed.success ? parsed.output.keys : null;
}
