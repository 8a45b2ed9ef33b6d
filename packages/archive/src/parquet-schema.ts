import type { SchemaElement } from 'hyparquet';
import type { SeriesContract } from './contract.js';

/** One column of a file. */
export interface FileColumn {
  readonly name: string;
  readonly type: 'timestamp' | 'bigint' | 'int' | 'double' | 'text' | 'doubles' | 'texts';
}

/** Columns of a trips file: one row a trip, one list a signal, as sent. */
export function tripColumns({ signals }: SeriesContract): readonly FileColumn[] {
  return [
    { name: 'trip_start', type: 'timestamp' },
    { name: 'trip_length_ms', type: 'bigint' },
    { name: 'out_of_range', type: 'int' },
    { name: 'missing', type: 'int' },
    { name: 'assumed_even', type: 'texts' },
    ...signals.map(([name, { kind }]) => ({
      name,
      type: kind === 'number' ? ('doubles' as const) : ('texts' as const),
    })),
    { name: 'rest', type: 'text' },
  ];
}

/** Columns of a samples file: one row a sample; signals share a row where they have the same number of samples. */
export function sampleColumns({ signals }: SeriesContract): readonly FileColumn[] {
  return [
    { name: 'trip_start', type: 'timestamp' },
    { name: 'trip_length_ms', type: 'bigint' },
    { name: 'n', type: 'int' },
    { name: 'i', type: 'int' },
    { name: 't_assumed', type: 'timestamp' },
    { name: 'time_basis', type: 'text' },
    ...signals.map(([name, { kind }]) => ({ name, type: kind === 'number' ? ('double' as const) : ('text' as const) })),
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

/** The schema as Parquet states it. */
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
