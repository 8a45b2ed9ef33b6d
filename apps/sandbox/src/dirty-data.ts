import type { SeriesSpec } from '@vehicle-data/openapi';
import type { Schema } from './generated/responses.js';
import { isObject } from './json-value.js';

/** What is known of the data that is made dirty. */
export interface DirtyContext {
  /** Schema of the data. */
  readonly schema: Schema;
  /** The series that the data holds, if it holds one. */
  readonly series: SeriesSpec | null;
  readonly nowMs: number;
}

/** Changes the samples of one signal, or the one value of a member that is no list. */
type ChangeSamples = (samples: readonly unknown[], schema: Schema, isSignal: boolean) => readonly unknown[];

type ChangeTrips = (trips: readonly unknown[], series: SeriesSpec, nowMs: number) => readonly unknown[];

/** Every how many samples one is dirty. */
const oneIn = 7;

/** How far beyond its range a value is. */
const beyond = 0.5;

const secondsInGap = 60;
const lateMs = 24 * 3_600_000;

const anyOf =
  (change: (sample: unknown, schema: Schema) => unknown): ChangeSamples =>
  (samples, schema) =>
    samples.map((sample, index) => (index % oneIn === 0 ? change(sample, schema) : sample));

const hasRange = ({ minimum, maximum }: Schema) => minimum !== undefined && maximum !== undefined;

const signals = {
  'null-samples': (samples, schema, isSignal) => (isSignal ? anyOf(() => null)(samples, schema, isSignal) : samples),
  'out-of-range': anyOf((sample, schema) => (hasRange(schema) ? (schema.maximum ?? 0) + beyond : sample)),
  'below-range': anyOf((sample, schema) => (hasRange(schema) ? (schema.minimum ?? 0) - beyond : sample)),
  'invalid-choices': anyOf((sample, schema) => (schema.enum?.includes('invalid') ? 'invalid' : sample)),
  'missing-minute': (samples) =>
    samples.length < 2 * secondsInGap ? samples : samples.toSpliced((samples.length - secondsInGap) >> 1, secondsInGap),
  'fast-sampling': (samples, _, isSignal) => (isSignal ? samples.flatMap(tenSteps) : samples),
  'slow-sampling': (samples) => samples.filter((__, index) => index % 10 === 0),
} as const satisfies Readonly<Record<string, ChangeSamples>>;

const trips = {
  'missing-group': (all) => all.map((trip, index) => (index % 2 === 0 ? withoutGroup(trip, index >> 1) : trip)),
  'duplicate-trips': (all) => all.flatMap((trip, index) => (index % 3 === 0 ? [trip, trip] : [trip])),
  'overlapping-trips': (all, series) =>
    all.map((trip, index) => {
      const before = timesOf(all[index - 1], series);
      if (index % 2 === 0 || !before || !isObject(trip)) return trip;
      const start = new Date((before.startMs + before.endMs) / 2).toISOString();
      return { ...trip, [series.startTime]: start };
    }),
  'reordered-trips': (all) => all.map((trip, index) => all[index ^ 1] ?? trip),
  'late-trips': (all, series, nowMs) =>
    all.filter((trip) => {
      const times = timesOf(trip, series);
      return !times || times.startMs % 2 === 0 || times.endMs < nowMs - lateMs;
    }),
} as const satisfies Readonly<Record<string, ChangeTrips>>;

const members = {
  'null-members': nullOptional,
  'unknown-members': addUnknown,
  'unequal-lengths': cutUnequally,
} as const;

/** What can be wrong with the data of a response that is good otherwise. */
export type DirtyKind = keyof typeof signals | keyof typeof trips | keyof typeof members;

const isKey = <Table extends object>(table: Table, kind: PropertyKey): kind is keyof Table =>
  Object.hasOwn(table, kind);

export const dirtyKinds: readonly DirtyKind[] = [
  ...Object.keys(members).filter((kind) => isKey(members, kind)),
  ...Object.keys(signals).filter((kind) => isKey(signals, kind)),
  ...Object.keys(trips).filter((kind) => isKey(trips, kind)),
];

/** Makes the data of a response dirty. */
export function makeDirty(kind: DirtyKind, data: unknown, { schema, series, nowMs }: DirtyContext): unknown {
  if (isKey(members, kind)) return members[kind](data, schema);
  if (isKey(signals, kind)) return changeSamples(data, schema, signals[kind]);
  const all = series && isObject(data) ? data[series.items] : undefined;
  if (!series || !isObject(data) || !Array.isArray(all)) return data;
  return { ...data, [series.items]: trips[kind](all, series, nowMs) };
}

function changeSamples(value: unknown, schema: Schema | undefined, change: ChangeSamples): unknown {
  if (schema === undefined) return value;
  if (isObject(value)) {
    const changed = Object.entries(value).map(([name, member]) => [
      name,
      changeSamples(member, schema.properties?.[name], change),
    ]);
    return Object.fromEntries(changed);
  }
  if (!Array.isArray(value)) return change([value], schema, false)[0];
  if (schema.items?.type === 'object') return value.map((item) => changeSamples(item, schema.items, change));
  return schema.items ? change(value, schema.items, true) : value;
}

/** Ten samples for each one: numbers in even steps to the next one, all else repeated. */
function tenSteps(sample: unknown, index: number, samples: readonly unknown[]): readonly unknown[] {
  const next = samples[index + 1] ?? sample;
  return Array.from({ length: 10 }, (_, step) =>
    typeof sample === 'number' && typeof next === 'number'
      ? Math.round((sample + ((next - sample) * step) / 10) * 1000) / 1000
      : sample,
  );
}

function timesOf(trip: unknown, { startTime, duration }: SeriesSpec) {
  if (!isObject(trip)) return undefined;
  const startMs = Date.parse(String(trip[startTime]));
  return { startMs, endMs: startMs + Number(trip[duration]) };
}

function withoutGroup(trip: unknown, which: number): unknown {
  if (!isObject(trip)) return trip;
  const groups = Object.keys(trip).filter((name) => isObject(trip[name]));
  const gone = groups[which % groups.length];
  return Object.fromEntries(Object.entries(trip).filter(([name]) => name !== gone));
}

/** Every signal of a trip ends a few samples before the one before it. */
function cutUnequally(data: unknown, schema: Schema): unknown {
  let place = 0;
  return changeSamples(data, schema, (samples, _, isSignal) =>
    isSignal ? samples.slice(0, Math.max(1, samples.length - (place++ % 4))) : samples,
  );
}

/** Every optional value becomes null. */
function nullOptional(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => nullOptional(item, schema?.items));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = schema?.properties?.[name];
      const isGroup = inner?.type === 'object' || inner?.items?.type === 'object';
      return [name, isGroup ? nullOptional(member, inner) : schema?.required?.includes(name) ? member : null];
    }),
  );
}

/** Every object gets a member that the contract does not know. */
function addUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUnknown);
  if (!isObject(value)) return value;
  const known = Object.entries(value).map(([name, member]) => [name, addUnknown(member)]);
  return { ...Object.fromEntries(known), addedLater: { state: 'new', values: [1, 2, 3] } };
}
