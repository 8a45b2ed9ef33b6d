import { seriesTable } from '../generated/signals.js';
import type { SeriesName } from './signal-rules.js';

/** The member at a dotted path, read without prototypes; `undefined` where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(ownMember, value);
}

function ownMember(value: unknown, name: string): unknown {
  const members: Readonly<Record<string, unknown>> = Object(value);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The value of a sample, `null` where it is not a number. */
export function orNull<Value>(value: Value): Value | null {
  return Number.isNaN(value) ? null : value;
}

/** Start of a trip in milliseconds since 1 January 1970 UTC, `null` where it cannot be read. */
export function startOf(series: SeriesName, trip: unknown): number | null {
  return orNull(Date.parse(`${memberAt(trip, seriesTable[series].startTime)}`));
}

/** Length of a trip in milliseconds, `null` where it is no number of at least 0. */
export function lengthOf(series: SeriesName, trip: unknown): number | null {
  const length = memberAt(trip, seriesTable[series].duration);
  return typeof length === 'number' && length >= 0 ? length : null;
}
