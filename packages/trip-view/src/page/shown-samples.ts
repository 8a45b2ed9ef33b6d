// The samples that lanes show, and the files that they are taken along as: CSV, Parquet, and MCAP for Foxglove and PlotJuggler.

import { McapWriter } from '@mcap/core';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { stepOf } from '../trip/stacks.js';
import type { Trip } from '../trip/trip.js';
import { basisWords } from '../trip/words.js';
import type { StackView } from './stack-view.js';

/** Samples as sent; null where none was sent, or one that is no value. */
interface SampleColumn {
  readonly path: string;
  readonly description: string;
  /** Null for signals with a fixed set of values. */
  readonly unit: string | null;
  readonly values: readonly (number | string | null)[];
}

/** The part of a trip that a stack shows: one place for each sample of every column. */
export interface ShownSamples {
  /** What the places rest on, for readers of the file. */
  readonly basis: string;
  /** What the places are: times in milliseconds since 1970, indexes, or meters from the start. */
  readonly place: 'time_assumed' | 'index' | 'distance_m';
  readonly places: readonly number[];
  readonly columns: readonly SampleColumn[];
}

export function shownSamples(trip: Trip, { axis, signals, view }: StackView): ShownSamples {
  const { from, to } = view();
  const sent = signals.filter(({ path }) => path !== 'speed');
  const [first] = sent;
  const step = first ? stepOf(axis, first) : 1;
  const longest = Math.max(0, ...sent.map(({ length }) => length));
  const start = Math.max(0, Math.floor(from / step));
  const count = Math.max(0, Math.min(longest, Math.ceil(to / step)) - start);
  const offsets = Array.from({ length: count }, (_, index) => (start + index) * step);
  return {
    basis: basisWords[axis],
    place: ({ time: 'time_assumed', index: 'index', distance: 'distance_m' } as const)[axis],
    places: axis === 'time' ? offsets.map((offset) => trip.startTime + offset) : offsets,
    columns: sent.map((signal) => ({
      path: signal.path,
      description: signal.description,
      unit: signal.kind === 'number' ? signal.unit : null,
      values: offsets.map((offset) => {
        const value = signal.values[Math.floor(offset / stepOf(axis, signal) + 1e-9)];
        if (value === null || value === undefined || Number.isNaN(value)) return null;
        return signal.kind === 'number' ? Number((Number(value) + signal.offset).toFixed(6)) : String(value);
      }),
    })),
  };
}

/** One row a sample. Values of the contract need no quotes, others are left out. */
export function csvOf({ basis, place, places, columns }: ShownSamples): string {
  const heads = columns.map(({ path, unit }) => (unit === null ? path : `${path} (${unit})`));
  const rows = places.map((at, index) => [
    place === 'time_assumed' ? new Date(at).toISOString() : at,
    ...columns.map(({ values }) => values[index] ?? ''),
  ]);
  return `# ${basis}\n${[[place, ...heads], ...rows].map((cells) => cells.join(',')).join('\n')}\n`;
}

/** One row a sample, named like the columns of an archive. Units and the basis of the places are in the metadata of the file. */
export function parquetOf({ basis, place, places, columns }: ShownSamples): ArrayBuffer {
  const isTime = place === 'time_assumed';
  const units = Object.fromEntries(columns.map(({ path, unit }) => [path, unit]));
  return parquetWriteBuffer({
    columnData: [
      {
        name: place,
        data: isTime ? places.map((at) => new Date(at)) : [...places],
        type: isTime ? 'TIMESTAMP' : 'DOUBLE',
      },
      ...columns.map(({ path, unit, values }) => ({
        name: path.replaceAll('.', '_'),
        data: [...values],
        type: unit === null ? ('STRING' as const) : ('DOUBLE' as const),
        nullable: true,
      })),
    ],
    kvMetadata: [{ key: 'vehicle-data', value: JSON.stringify({ basis, units }) }],
  });
}

const nanosecondsPerMillisecond = 1_000_000n;

/**
 * One message a sample under the topic `/trip`, as JSON whose members nest as those of the contract do. Messages have times, so
 * only samples with a time can be written.
 */
export async function mcapOf({ basis, places, columns }: ShownSamples): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let written = 0n;
  const writable = {
    position: () => written,
    // The writer reuses its buffer.
    write: async (bytes: Uint8Array) => {
      parts.push(new Uint8Array(bytes));
      written += BigInt(bytes.length);
    },
  };
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const writer = new McapWriter({ writable });
  await writer.start({ profile: '', library: 'vehicle-data' });
  const schemaId = await writer.registerSchema({ name: 'Trip', encoding: 'jsonschema', data: json(schemaOf(columns)) });
  const channelId = await writer.registerChannel({
    topic: '/trip',
    messageEncoding: 'json',
    schemaId,
    metadata: new Map(),
  });
  await writer.addMetadata({ name: 'vehicle-data', metadata: new Map([['basis', basis]]) });
  for (const [sequence, place] of places.entries()) {
    const logTime = BigInt(Math.round(place)) * nanosecondsPerMillisecond;
    const sample = nested(columns.flatMap(({ path, values }) => [[path, values[sequence] ?? null] as const]));
    await writer.addMessage({ channelId, sequence, logTime, publishTime: logTime, data: json(sample) });
  }
  await writer.end();
  return new Blob(parts, { type: 'application/octet-stream' });
}

interface Nested {
  [name: string]: Nested | Leaf;
}
type Leaf = string | number | null | { readonly type: readonly string[]; readonly description: string };

function schemaOf(columns: readonly SampleColumn[]): unknown {
  const objectOf = (members: Nested): unknown => ({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, isBranch(member) ? objectOf(member) : member]),
    ),
  });
  const leaves = columns.map(({ path, description, unit }) => {
    const type = [unit === null ? 'string' : 'number', 'null'];
    return [path, { type, description: unit === null ? description : `${description}, ${unit}` }] as const;
  });
  return objectOf(nested(leaves));
}

const isBranch = (member: Nested | Leaf | undefined): member is Nested =>
  typeof member === 'object' && member !== null && !('type' in member && Array.isArray(member.type));

/** Puts each value at its dotted path. */
function nested(values: readonly (readonly [path: string, value: Leaf])[]): Nested {
  const whole: Nested = {};
  for (const [path, value] of values) {
    const names = path.split('.');
    const last = names.pop() ?? path;
    let at = whole;
    for (const name of names) {
      const inner = at[name];
      const branch: Nested = isBranch(inner) ? inner : {};
      at[name] = branch;
      at = branch;
    }
    at[last] = value;
  }
  return whole;
}
