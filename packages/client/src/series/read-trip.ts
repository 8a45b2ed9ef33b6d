import { seriesTable } from '../generated/signals.js';
import type { SeriesName } from './signal-rules.js';

/** The member at a dotted path, read without getters and prototypes; `undefined` where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) at = Object.getOwnPropertyDescriptor(Object(at), name)?.value;
  return at;
}

/** Start of a trip in milliseconds since 1 January 1970 UTC, `null` where it cannot be read. */
export function startOf(series: SeriesName, trip: unknown): number | null {
  const time = Date.parse(`${memberAt(trip, seriesTable[series].startTime)}`);
  return Number.isNaN(time) ? null : time;
}

/** Length of a trip in milliseconds, `null` where it is no number of at least 0. */
export function lengthOf(series: SeriesName, trip: unknown): number | null {
  const length = memberAt(trip, seriesTable[series].duration);
  return typeof length === 'number' && length >= 0 ? length : null;
}
