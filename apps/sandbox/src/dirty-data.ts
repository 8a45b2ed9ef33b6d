import type { SeriesSpec } from '@vehicle-data/openapi';
import type { Schema } from './generated/responses.js';

/** What is known of the data that is made dirty: its schema, and the series that it holds, if it holds one. */
interface DirtyContext {
  readonly schema: Schema;
  readonly series: SeriesSpec | null;
  readonly nowMs: number;
}

type MakeDirty = (data: unknown, context: DirtyContext) => unknown;

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const mapMembers = (value: JsonObject, change: (member: unknown, name: string) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));

/** Changes the samples of one signal, or the one value of a member that is no list. */
type ChangeSamples = (samples: readonly unknown[], schema: Schema, isSignal: boolean) => readonly unknown[];

const signals =
  (change: ChangeSamples): MakeDirty =>
  (data, { schema }) => {
    const walk = (value: unknown, here: Schema | undefined): unknown => {
      if (here === undefined) return value;
      if (isObject(value)) return mapMembers(value, (member, name) => walk(member, here.properties?.[name]));
      if (!Array.isArray(value)) return change([value], here, false)[0];
      if (here.items?.type === 'object') return value.map((item) => walk(item, here.items));
      return here.items ? change(value, here.items, true) : value;
    };
    return walk(data, schema);
  };

/** Changes one sample in seven. */
const someSamples = (change: (sample: unknown, schema: Schema, isSignal: boolean) => unknown): MakeDirty =>
  signals((samples, schema, isSignal) =>
    samples.map((sample, index) => (index % 7 === 0 ? change(sample, schema, isSignal) : sample)),
  );

/** Half a unit beyond a limit, where there are two. */
const beyond = (sample: unknown, { minimum, maximum }: Schema, side: 'above' | 'below') =>
  minimum === undefined || maximum === undefined ? sample : side === 'above' ? maximum + 0.5 : minimum - 0.5;

/** Changes the list of trips. `times` gives the start and the end of a trip in milliseconds since 1970. */
type ChangeTrips = (
  all: readonly JsonObject[],
  times: (trip: JsonObject) => readonly [startMs: number, endMs: number],
  context: DirtyContext & { readonly series: SeriesSpec },
) => readonly unknown[];

const trips =
  (change: ChangeTrips): MakeDirty =>
  (data, context) => {
    const { series } = context;
    const items = series && isObject(data) ? data[series.items] : undefined;
    if (!series || !isObject(data) || !Array.isArray(items)) return data;
    const startMs = (trip: JsonObject) => Date.parse(String(trip[series.startTime]));
    const times = (trip: JsonObject) => [startMs(trip), startMs(trip) + Number(trip[series.duration])] as const;
    return { ...data, [series.items]: change(items.filter(isObject), times, { ...context, series }) };
  };

const dayMs = 24 * 3_600_000;

/** What can be wrong with the data of a response that is good otherwise, with the letters of its reserved VIN. */
export const dirtyKinds = {
  'null-members': ['VOID', (data, { schema }) => nullOptional(data, schema)],
  'unknown-members': ['XTRA', addUnknown],
  'unequal-lengths': ['UNEQ', cutUnequally],
  'null-samples': ['NULL', someSamples((sample, _, isSignal) => (isSignal ? null : sample))],
  'out-of-range': ['HIGH', someSamples((sample, schema) => beyond(sample, schema, 'above'))],
  'below-range': ['LESS', someSamples((sample, schema) => beyond(sample, schema, 'below'))],
  'invalid-choices': ['WILD', someSamples((sample, { enum: all }) => (all?.includes('invalid') ? 'invalid' : sample))],
  'missing-minute': [
    'GAPS',
    signals((samples) => (samples.length < 120 ? samples : samples.toSpliced((samples.length - 60) >> 1, 60))),
  ],
  'fast-sampling': ['FAST', signals((samples, _, isSignal) => (isSignal ? samples.flatMap(tenSteps) : samples))],
  'slow-sampling': ['SLOW', signals((samples) => samples.filter((__, index) => index % 10 === 0))],
  'missing-group': [
    'GONE',
    trips((all) =>
      all.map((trip, index) => {
        const groups = Object.keys(trip).filter((name) => isObject(trip[name]));
        const gone = index % 2 === 0 ? groups[(index >> 1) % groups.length] : undefined;
        return Object.fromEntries(Object.entries(trip).filter(([name]) => name !== gone));
      }),
    ),
  ],
  'duplicate-trips': ['TWIN', trips((all) => all.flatMap((trip, index) => (index % 3 === 0 ? [trip, trip] : [trip])))],
  'overlapping-trips': [
    'OVER',
    trips((all, times, { series }) =>
      all.map((trip, index) => {
        const before = index % 2 === 0 ? undefined : all[index - 1];
        if (!before) return trip;
        const [startMs, endMs] = times(before);
        return { ...trip, [series.startTime]: new Date((startMs + endMs) / 2).toISOString() };
      }),
    ),
  ],
  'reordered-trips': ['SWAP', trips((all) => all.map((trip, index) => all[index ^ 1] ?? trip))],
  'late-trips': [
    'LATE',
    trips((all, times, { nowMs }) =>
      all.filter((trip) => {
        const [startMs, endMs] = times(trip);
        return startMs % 2 === 0 || endMs < nowMs - dayMs;
      }),
    ),
  ],
} as const satisfies Readonly<Record<string, readonly [letters: string, makeDirty: MakeDirty]>>;

/** What can be wrong with the data of a response that is good otherwise. */
export type DirtyKind = keyof typeof dirtyKinds;

export const isDirtyKind = (kind: string): kind is DirtyKind => Object.hasOwn(dirtyKinds, kind);

/** Ten samples for each one: numbers in even steps to the next one, all else repeated. */
function tenSteps(sample: unknown, index: number, samples: readonly unknown[]): readonly unknown[] {
  const next = samples[index + 1] ?? sample;
  return Array.from({ length: 10 }, (_, step) =>
    typeof sample === 'number' && typeof next === 'number'
      ? Math.round((sample + ((next - sample) * step) / 10) * 1000) / 1000
      : sample,
  );
}

/** Every signal of a trip ends a few samples before the one before it. */
function cutUnequally(data: unknown, context: DirtyContext): unknown {
  let place = 0;
  const cut: ChangeSamples = (samples, _, isSignal) =>
    isSignal ? samples.slice(0, Math.max(1, samples.length - (place++ % 4))) : samples;
  return signals(cut)(data, context);
}

/** Every optional value becomes null. */
function nullOptional(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => nullOptional(item, schema?.items));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    const inner = schema?.properties?.[name];
    if (inner?.type === 'object' || inner?.items?.type === 'object') return nullOptional(member, inner);
    return schema?.required?.includes(name) ? member : null;
  });
}

/** Every object gets a member that the contract does not know. */
function addUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUnknown);
  if (!isObject(value)) return value;
  return { ...mapMembers(value, addUnknown), addedLater: { state: 'new', values: [1, 2, 3] } };
}
