// A rate: how many calls may be made in a span of time, as an object and as text.
import * as v from 'valibot';

/** A number of calls in a span of time. */
export interface Rate {
  readonly calls: number;
  /** The span, in seconds. */
  readonly seconds: number;
}

/** A rate as it is written: `600/60s`. */
export const rateText = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}\/[1-9]\d{0,5}s$/, 'must be calls and seconds, such as 600/60s'),
  v.transform((text): Rate => {
    const [calls = 0, seconds = 0] = text.split('/').map((part) => Number.parseInt(part, 10));
    return { calls, seconds };
  }),
);
