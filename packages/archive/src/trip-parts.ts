import {
  type EnumerationColumn,
  type NumberColumn,
  type SeriesName,
  type TripOf,
  toColumns,
} from '@vehicle-data/client/series';
import type { SeriesContract } from './contract.js';

/** The samples of a signal as a column of a file holds them. */
export type Samples = readonly (number | string | null)[];

/**
 * A trip taken apart. `rest` holds, as JSON, everything that no column can hold exactly: unknown members, values of another
 * type, a start in another notation. Parts and trip turn into each other without a loss.
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

/** Takes a trip apart, whatever it is. */
export function takeApart({ startTime, duration, signals }: SeriesContract, trip: unknown): TripParts {
  if (!isObject(trip)) return { start: null, lengthMs: null, samples: {}, rest: JSON.stringify(trip) };
  const types = new Map(signals.map(([path, { kind }]) => [path, kind === 'number' ? 'number' : 'string']));
  const groups = new Set(signals.flatMap(([path]) => prefixesOf(path)));
  const samples: Record<string, Samples> = {};
  let start: number | null = null;
  let lengthMs: number | null = null;

  /** What of the members no column holds; `undefined` where columns hold all of them. */
  const restOf = (members: Members, prefix: string): Members | undefined => {
    const entries = Object.entries(members);
    const rest: Members = Object.create(null);
    let isTaken = entries.length > 0;
    for (const [name, value] of entries) {
      // A member whose name has a dot is not the one in a group.
      const path = name.includes('.') ? '' : prefix + name;
      const type = types.get(path);
      if (type && isSamples(value, type)) samples[path] = value;
      else if (path === startTime && isCanonicalTime(value)) start = Date.parse(value);
      else if (path === duration && isLength(value)) lengthMs = value;
      else {
        const left = groups.has(path) && isObject(value) ? restOf(value, `${path}.`) : value;
        if (left === undefined) continue;
        rest[name] = left;
        isTaken = false;
      }
    }
    return isTaken ? undefined : rest;
  };
  const rest = restOf(trip, '');
  return { start, lengthMs, samples, rest: rest ? JSON.stringify(rest) : null };
}

/** Puts a trip together again. */
export function putTogether({ startTime, duration }: SeriesContract, parts: TripParts): unknown {
  const rest: unknown = parts.rest === null ? {} : JSON.parse(parts.rest);
  if (!isObject(rest)) return rest;
  if (parts.start !== null) rest[startTime] = new Date(parts.start).toISOString();
  if (parts.lengthMs !== null) rest[duration] = parts.lengthMs;
  for (const [path, samples] of Object.entries(parts.samples)) {
    const names = path.split('.');
    let at = rest;
    for (const name of names.slice(0, -1)) {
      const group = Object.hasOwn(at, name) ? at[name] : undefined;
      const next = isObject(group) ? group : {};
      at[name] = next;
      at = next;
    }
    at[names.at(-1) ?? ''] = samples;
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

function isSamples(value: unknown, type: string): value is Samples {
  if (!Array.isArray(value)) return false;
  // One loop a type: these two see every sample.
  return type === 'number'
    ? value.every((sample) => sample === null || typeof sample === 'number')
    : value.every((sample, index) => sample === null || isText(sample, value[index - 1]));
}

function isText(sample: unknown, before: unknown): boolean {
  // States last, and a test takes longer than to compare.
  return typeof sample === 'string' && (sample === before || !loneSurrogate.test(sample));
}

function isCanonicalTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function prefixesOf(path: string): readonly string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}
