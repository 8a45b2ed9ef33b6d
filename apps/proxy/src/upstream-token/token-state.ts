import * as v from 'valibot';
import { refreshTokenForm, tokenForm } from './token-endpoint.js';

// https://tc39.es/ecma262/#sec-time-values-and-time-range
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

// Others may write to the store, too, and an access token goes into a header as it is.
const tokenState = v.object({
  /** The time that it was issued, or later: it grows with each response, also when a clock is set back. */
  generation: time,
  accessToken: v.pipe(v.string(), v.regex(tokenForm)),
  issuedMs: time,
  expiresMs: time,
  refreshToken: v.nullable(v.pipe(v.string(), v.regex(refreshTokenForm))),
  /** When the refresh token ends, and with it the consent it stands for; one that is not replaced keeps its end. */
  renewByMs: v.nullable(time),
  /** When it was written back to a store that had lost it. Locks were lost with it, and somebody may still know a later one. */
  restoredMs: v.optional(time),
});
const stored = v.pipe(v.string(), v.parseJson(), tokenState);

/** A token as it is kept. Times are those of the store, in milliseconds since 1970. */
export type TokenState = Readonly<v.InferOutput<typeof tokenState>>;

/** Reads a kept state; `null` when the text is not one. */
export function parseTokenState(text: string): TokenState | null {
  const parsed = v.safeParse(stored, text);
  return parsed.success ? parsed.output : null;
}
