import type { SeriesSpec } from '@vehicle-data/openapi';
import { msPerDay } from '#kit/calendar.js';
import type { Schema } from './generated/responses.js';

/** Makes the data of a response dirty, by its schema and the series that it holds. */
export type MakeDirty = (data: unknown, schema: Schema, series: SeriesSpec | null, nowMs: number) => unknown;

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const mapMembers = (value: JsonObject, change: (member: unknown, name: string) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));

type ChangeSamples = (samples: readonly unknown[], schema: Schema) => readonly unknown[];
type ChangeObject = (value: JsonObject, schema: Schema) => JsonObject;

/** Changes the samples of each signal; with `singles`, also each single value, as the one sample of a list; and each object after its members. */
const signals = (change: ChangeSamples, singles = false, object: ChangeObject = (value) => value) => {
  const walk = (value: unknown, schema: Schema | undefined): unknown => {
    if (schema === undefined) return value;
    if (isObject(value)) {
      const inside = mapMembers(value, (member, name) => walk(member, schema.properties?.[name]));
      return object(inside, schema);
    }
    if (!Array.isArray(value)) return singles ? change([value], schema)[0] : value;
    if (schema.items?.kind === 'object') return value.map((item) => walk(item, schema.items));
    return schema.items ? change(value, schema.items) : value;
  };
  return walk;
};

const objects = (change: ChangeObject): MakeDirty => signals((all) => all, false, change);

const someSamples = (change: (sample: unknown, schema: Schema) => unknown, singles = true): MakeDirty =>
  signals((all, schema) => all.map((one, index) => (index % 7 === 0 ? change(one, schema) : one)), singles);

const beyondRange = (value: (schema: Schema) => number) =>
  someSamples((sample, schema) => ('minimum' in schema && 'maximum' in schema ? value(schema) : sample));

type ChangeTrips = (all: readonly JsonObject[], series: SeriesSpec, nowMs: number) => readonly unknown[];

const trips = (change: ChangeTrips): MakeDirty => {
  return (data, _, series, nowMs) => {
    if (!series || !isObject(data)) return data;
    const all = data[series.items];
    return Array.isArray(all) ? { ...data, [series.items]: change(all.filter(isObject), series, nowMs) } : data;
  };
};

const startMs = (trip: JsonObject, { startTime }: SeriesSpec) => Date.parse(String(trip[startTime]));

export const dirtyKinds = {
  'null-members': objects((value, schema) =>
    mapMembers(value, (member, name) => {
      const { kind, items } = schema.properties?.[name] ?? {};
      const isGroup = kind === 'object' || items?.kind === 'object';
      return isGroup || schema.required?.includes(name) ? member : null;
    }),
  ),
  'unknown-members': objects((value) => ({ ...value, addedLater: { state: 'new', values: [1, 2, 3] } })),
  'unequal-lengths': cutUnequally,
  'null-samples': someSamples(() => null, false),
  'out-of-range': beyondRange(({ maximum = 0 }) => maximum + 0.5),
  'below-range': beyondRange(({ minimum = 0 }) => minimum - 0.5),
  'invalid-choices': someSamples((sample, { values: all }) => (all?.includes('invalid') ? 'invalid' : sample)),
  'missing-minute': signals((all) => (all.length < 120 ? all : all.toSpliced((all.length - 60) >> 1, 60))),
  'fast-sampling': signals((all) => all.flatMap(tenSteps)),
  'slow-sampling': signals((all) => all.filter((_, index) => index % 10 === 0)),
  'missing-group': trips((all) =>
    all.map((trip, index) => {
      const groups = Object.keys(trip).filter((name) => isObject(trip[name]));
      const gone = index % 2 === 0 ? groups[(index >> 1) % groups.length] : undefined;
      return Object.fromEntries(Object.entries(trip).filter(([name]) => name !== gone));
    }),
  ),
  'duplicate-trips': trips((all) => all.flatMap((trip, index) => (index % 3 === 0 ? [trip, trip] : [trip]))),
  'overlapping-trips': trips((all, series) =>
    all.map((trip, index) => {
      const before = index % 2 === 0 ? undefined : all[index - 1];
      if (!before) return trip;
      const middleMs = startMs(before, series) + Number(before[series.duration]) / 2;
      return { ...trip, [series.startTime]: new Date(middleMs).toISOString() };
    }),
  ),
  'reordered-trips': trips((all) => all.map((trip, index) => all[index ^ 1] ?? trip)),
  'late-trips': trips((all, series, nowMs) =>
    all.filter((trip) => {
      const start = startMs(trip, series);
      return start % 2 === 0 || start + Number(trip[series.duration]) < nowMs - msPerDay;
    }),
  ),
} as const satisfies Readonly<Record<string, MakeDirty>>;

/** What can be wrong with the data of a response that is good otherwise. */
export type DirtyKind = keyof typeof dirtyKinds;

export const isDirtyKind = (kind: string): kind is DirtyKind => Object.hasOwn(dirtyKinds, kind);

/** Ten samples for each one: numbers in even steps to the next one, all else repeated. */
function tenSteps(sample: unknown, index: number, samples: readonly unknown[]): readonly unknown[] {
  const next = samples[index + 1] ?? sample;
  if (typeof sample !== 'number' || typeof next !== 'number') return new Array(10).fill(sample);
  return Array.from({ length: 10 }, (_, step) => Math.round((sample + ((next - sample) * step) / 10) * 1000) / 1000);
}

/** Every signal of a trip ends a few samples before the one before it. */
function cutUnequally(data: unknown, schema: Schema): unknown {
  let place = 0;
  return signals((all) => all.slice(0, Math.max(1, all.length - (place++ % 4))))(data, schema);
}
