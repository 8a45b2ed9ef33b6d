import {
  type EnumerationColumn,
  type NumberColumn,
  type SeriesName,
  type TripOf,
  toColumns,
} from '@vehicle-data/client/series';
import type { SeriesContract } from './series-contract.js';

/** The samples of a signal as a column of a file holds them. */
export type Samples = readonly (number | string | null)[];

/**
 * A trip taken apart. `rest` holds, as JSON, everything that no column holds exactly: unknown members, values of another type, a
 * start in another notation. The columns have what they can hold of these as well. Parts and trip turn into each other without a loss.
 */
export interface TripParts {
  /** Milliseconds since 1 January 1970 UTC. */
  readonly start: number | null;
  readonly lengthMs: number | null;
  readonly samples: Readonly<Record<string, Samples>>;
  readonly rest: string | null;
}

type Members = Record<string, unknown>;

/** What UTF-8 cannot hold. */
const loneSurrogate = /\p{Surrogate}/u;

/** A member of a trip, whatever the trip is. */
export function memberOf(trip: unknown, name: string): unknown {
  return isObject(trip) && Object.hasOwn(trip, name) ? trip[name] : undefined;
}

/** Start of a trip in milliseconds since 1970 UTC, whatever the trip is; `null` where it cannot be read or has no zone. */
export function startOf({ startTime }: SeriesContract, trip: unknown): number | null {
  return timeOf(memberOf(trip, startTime));
}

function timeOf(value: unknown): number | null {
  // Without its zone, a time would be one of this machine.
  if (typeof value !== 'string' || !/(?:Z|GMT|[+-]\d\d:?\d\d)$/.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** Takes a trip apart, whatever it is. */
export function takeApart({ startTime, duration, signals }: SeriesContract, trip: unknown): TripParts {
  if (!isObject(trip)) return { start: null, lengthMs: null, samples: {}, rest: JSON.stringify(trip) };
  const types = new Map(signals.map(([path, { kind }]) => [path, kind === 'number' ? 'number' : 'string']));
  const groups = new Set(signals.flatMap(([path]) => prefixesOf(path)));
  const samples: Record<string, Samples> = {};
  let start: number | null = null;
  let lengthMs: number | null = null;

  /** Puts a member into its column. Returns whether the column holds it exactly. */
  const take = (path: string, value: unknown): boolean => {
    const type = types.get(path);
    if (type && Array.isArray(value)) {
      const held = heldOf(value, type);
      samples[path] = held;
      return held === value;
    }
    if (path === startTime) {
      start = timeOf(value);
      return start !== null && new Date(start).toISOString() === value;
    }
    if (path !== duration || typeof value !== 'number' || !Number.isSafeInteger(Math.round(value))) return false;
    lengthMs = Math.round(value);
    return Object.is(lengthMs, value);
  };
  /** What of the members no column holds; `undefined` where columns hold all of them. */
  const restOf = (members: Members, prefix: string): Members | undefined => {
    const entries = Object.entries(members);
    const rest: Members = Object.create(null);
    let isTaken = entries.length > 0;
    for (const [name, value] of entries) {
      // A member whose name has a dot is not the one in a group.
      const path = name.includes('.') ? '' : prefix + name;
      if (take(path, value)) continue;
      const left = groups.has(path) && isObject(value) ? restOf(value, `${path}.`) : value;
      if (left === undefined) continue;
      rest[name] = left;
      isTaken = false;
    }
    return isTaken ? undefined : rest;
  };
  const rest = restOf(trip, '');
  return { start, lengthMs, samples, rest: rest ? JSON.stringify(rest) : null };
}

/** Puts a trip together again. What `rest` holds is what was sent. */
export function putTogether({ startTime, duration }: SeriesContract, parts: TripParts): unknown {
  const rest: unknown = parts.rest === null ? {} : JSON.parse(parts.rest);
  if (!isObject(rest)) return rest;
  if (parts.start !== null) rest[startTime] ??= new Date(parts.start).toISOString();
  if (parts.lengthMs !== null) rest[duration] ??= parts.lengthMs;
  for (const [path, samples] of Object.entries(parts.samples)) {
    const names = path.split('.');
    let at = rest;
    for (const name of names.slice(0, -1)) {
      const group = Object.hasOwn(at, name) ? at[name] : undefined;
      const next = isObject(group) ? group : {};
      at[name] = next;
      at = next;
    }
    at[names.at(-1) ?? ''] ??= samples;
  }
  return rest;
}

/** Counts of samples without a value, and the signals whose times the data support: their time basis is `assumed-even`. */
export function factsOf(series: SeriesName, trip: unknown, usualStepMs: number | null) {
  // `toColumns` reads what is there, whatever the type claims.
  const { columns } = toColumns(series, trip as TripOf<typeof series>, { usualStepMs });
  let [outOfRange, missing] = [0, 0];
  const assumedEven: string[] = [];
  for (const [path, { counts, timeBasis }] of Object.entries<NumberColumn | EnumerationColumn>(columns)) {
    outOfRange += counts.outOfRange;
    missing += counts.missing + counts.sentinels;
    if (timeBasis === 'assumed-even') assumedEven.push(path);
  }
  return { outOfRange, missing, assumedEven };
}

/** The samples that a column can hold, with `null` in place of every other; the list itself where it holds all of them. */
function heldOf(sent: readonly unknown[], type: string): Samples {
  const isHeld = (sample: unknown): sample is Samples[number] =>
    sample === null || (typeof sample === type && (typeof sample === 'number' || !loneSurrogate.test(String(sample))));
  return sent.every(isHeld) ? sent : sent.map((sample) => (isHeld(sample) ? sample : null));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function prefixesOf(path: string): readonly string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}
