import type { SchemaElement } from 'hyparquet';
import type { SeriesContract } from './format/series-contract.js';

/** The types of values, as Parquet and each engine of the views say them. */
export const valueTypes = {
  timestamp: {
    parquet: {
      type: 'INT64',
      // Microseconds, since Delta Lake wants them.
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    duckdb: 'TIMESTAMPTZ',
    trino: 'timestamp(3)',
    spark: 'timestamp',
  },
  bigint: { parquet: { type: 'INT64' }, duckdb: 'BIGINT', trino: 'bigint', spark: 'bigint' },
  int: { parquet: { type: 'INT32' }, duckdb: 'INTEGER', trino: 'integer', spark: 'int' },
  double: { parquet: { type: 'DOUBLE' }, duckdb: 'DOUBLE', trino: 'double', spark: 'double' },
  text: {
    parquet: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    duckdb: 'VARCHAR',
    trino: 'varchar',
    spark: 'string',
  },
} as const satisfies Record<string, { parquet: Partial<SchemaElement>; duckdb: string; trino: string; spark: string }>;

/** A column of a file: values, or lists of them. */
export interface FileColumn {
  readonly name: string;
  readonly type: keyof typeof valueTypes;
  readonly isList: boolean;
}

const columnsOf = (types: Readonly<Record<string, FileColumn['type']>>, isList = false): readonly FileColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type, isList }));

const head = { trip_start: 'timestamp', trip_length_ms: 'bigint' } as const;

const signalTypes = ({ signals }: SeriesContract) =>
  Object.fromEntries(signals.map(([name, { kind }]) => [name, kind === 'number' ? 'double' : 'text'] as const));

/** Columns of a trips file: one row a trip, one list a signal, as sent. */
export const tripColumns = (series: SeriesContract): readonly FileColumn[] => [
  ...columnsOf({ ...head, out_of_range: 'int', missing: 'int' }),
  ...columnsOf({ assumed_even: 'text', ...signalTypes(series) }, true),
  ...columnsOf({ rest: 'text' }),
];

/** Columns of a samples file: one row a sample; signals share a row where they have the same number of samples. */
export const sampleColumns = (series: SeriesContract): readonly FileColumn[] =>
  columnsOf({ ...head, n: 'int', i: 'int', t_assumed: 'timestamp', time_basis: 'text', ...signalTypes(series) });
