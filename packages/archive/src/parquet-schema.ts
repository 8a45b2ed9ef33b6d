import type { SchemaElement } from 'hyparquet';
import type { SeriesContract } from './contract.js';

export interface FileColumn {
  readonly name: string;
  readonly type: 'timestamp' | 'bigint' | 'int' | 'double' | 'text' | 'doubles' | 'texts';
}

const columnsOf = (types: Readonly<Record<string, FileColumn['type']>>): readonly FileColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

/** Columns of a trips file: one row a trip, one list a signal, as sent. */
export function tripColumns({ signals }: SeriesContract): readonly FileColumn[] {
  const types = { number: 'doubles', enumeration: 'texts' } as const;
  return [
    ...columnsOf({ trip_start: 'timestamp', trip_length_ms: 'bigint', out_of_range: 'int', missing: 'int' }),
    { name: 'assumed_even', type: 'texts' },
    ...signals.map(([name, { kind }]) => ({ name, type: types[kind] })),
    { name: 'rest', type: 'text' },
  ];
}

/** Columns of a samples file: one row a sample; signals share a row where they have the same number of samples. */
export function sampleColumns({ signals }: SeriesContract): readonly FileColumn[] {
  const types = { number: 'double', enumeration: 'text' } as const;
  return [
    ...columnsOf({ trip_start: 'timestamp', trip_length_ms: 'bigint', n: 'int', i: 'int' }),
    ...columnsOf({ t_assumed: 'timestamp', time_basis: 'text' }),
    ...signals.map(([name, { kind }]) => ({ name, type: types[kind] })),
  ];
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const scalars = {
  timestamp: {
    type: 'INT64',
    // Microseconds, since Delta Lake wants them.
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  bigint: { type: 'INT64' },
  int: { type: 'INT32' },
  double: { type: 'DOUBLE' },
  text,
} as const satisfies Readonly<Record<string, Partial<SchemaElement>>>;

export function parquetSchema(columns: readonly FileColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaOf)];
}

/** The schema of a column: everything may be null, lists in the three-level form that every engine reads. */
export function schemaOf({ name, type }: FileColumn): SchemaElement[] {
  if (type !== 'doubles' && type !== 'texts') return [{ name, repetition_type: 'OPTIONAL', ...scalars[type] }];
  const element = type === 'doubles' ? scalars.double : text;
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...element },
  ];
}
