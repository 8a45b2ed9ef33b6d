import { type FileColumn, valueTypes } from './columns.js';

/** How an engine says what the views need. */
export type SqlDialect = typeof duckdb;

/** The type of a column in an engine. */
const typeIn = (engine: 'duckdb' | 'trino' | 'spark', list: (element: string) => string) => (column: FileColumn) =>
  column.isList ? list(valueTypes[column.type][engine]) : valueTypes[column.type][engine];

const doubleQuote = (name: string) => `"${name}"`;

const duckdbType = typeIn('duckdb', (element) => `${element}[]`);

export const duckdb = {
  intro: '-- DuckDB. Run in the folder of the archive: duckdb -init views.duckdb.sql',
  quote: doubleQuote,
  /** A statement that makes the files known; empty where the engine finds them. */
  source: (_: readonly FileColumn[]) => '',
  create: (view: string) => `CREATE OR REPLACE VIEW ${view} AS`,
  /** The rows of one series. Every column is there, also one that no file has since all are of an earlier contract. */
  from: (series: string, columns: readonly FileColumn[], hasFiles: boolean, isOneSchema: boolean) => {
    const files = `'brand=*/vehicle=*/series=${series}/month=*/*.parquet'`;
    // By name costs a look at the end of every file before the first row.
    const byName = isOneSchema ? '' : ', union_by_name = true';
    const read = `\n  UNION ALL BY NAME\n  FROM read_parquet(${files}, hive_partitioning = true${byName})`;
    return `FROM (
  SELECT NULL::VARCHAR AS brand, NULL::VARCHAR AS vehicle, NULL::VARCHAR AS month,
    ${columns.map((column) => `NULL::${duckdbType(column)} AS ${doubleQuote(column.name)}`).join(', ')}
  WHERE false${hasFiles ? read : ''}
)`;
  },
  length: (list: string) => `len(${list})`,
  contains: (list: string, text: string) => `list_contains(${list}, '${text}')`,
  /** An element by its index from 0. */
  at: (list: string, index: string) => `${list}[${index} + 1]`,
  /** FROM clause with a row for each length `n` among those given and each index `i` below it. */
  explode: (view: string, lengths: readonly string[]) => `FROM (
  SELECT *, unnest(range(n)) AS i
  FROM (SELECT *, unnest(list_distinct(list_filter([${lengths.join(', ')}], lambda x: x > 0))) AS n FROM ${view})
)`,
  addMs: (time: string, ms: string) => `${time} + to_milliseconds(CAST(floor(${ms}) AS BIGINT))`,
  inRange: (list: string, minimum: number, maximum: number) =>
    `list_filter(${list}, lambda x: x BETWEEN ${minimum} AND ${maximum})`,
  minimum: (list: string) => `list_min(${list})`,
  maximum: (list: string) => `list_max(${list})`,
  mean: (list: string) => `list_avg(${list})`,
  first: (list: string) => `${list}[1]`,
  last: (list: string) => `${list}[-1]`,
  equal: (list: string, text: string) => `list_filter(${list}, lambda x: x = '${text}')`,
  text: 'VARCHAR',
  /** Milliseconds since 1970. */
  msOf: (time: string) => `epoch_ms(${time})`,
  /** The calendar day in a zone. */
  dayIn: (time: string, zone: string) => `CAST(timezone('${zone}', ${time}) AS DATE)`,
};

/** What Trino and Spark say alike. */
const common = {
  from: (series: string) => `FROM vehicle_data_files WHERE series = '${series}'`,
  length: (list: string) => `cardinality(${list})`,
  minimum: (list: string) => `array_min(${list})`,
  maximum: (list: string) => `array_max(${list})`,
};

const trinoType = typeIn('trino', (element) => `array(${element})`);

export const trino: SqlDialect = {
  ...common,
  intro: `-- Trino, Hive connector. Replace LOCATION by the address of the archive. After each export, make new partitions known:
-- CALL system.sync_partition_metadata(current_schema, 'vehicle_data_files', 'FULL');
-- Times are UTC. The connector must have its default timestamp precision: hive.timestamp-precision=MILLISECONDS.`,
  quote: doubleQuote,
  source: (columns) => `CREATE TABLE IF NOT EXISTS vehicle_data_files (
  ${columns.map((column) => `${doubleQuote(column.name)} ${trinoType(column)}`).join(',\n  ')},
  brand varchar, vehicle varchar, series varchar, month varchar
) WITH (
  external_location = 'LOCATION',
  format = 'PARQUET',
  partitioned_by = ARRAY['brand', 'vehicle', 'series', 'month']
);`,
  create: (view) => `CREATE OR REPLACE VIEW ${view} AS`,
  contains: (list, text) => `contains(${list}, '${text}')`,
  at: (list, index) => `element_at(${list}, CAST(${index} AS integer) + 1)`,
  // A sequence has at most 10,000 elements.
  explode: (view, lengths) => `FROM ${view}
CROSS JOIN UNNEST(array_distinct(filter(ARRAY[${lengths.join(', ')}], x -> x > 0))) AS lengths (n)
CROSS JOIN UNNEST(sequence(0, (n - 1) / 10000)) AS blocks (block)
CROSS JOIN UNNEST(sequence(block * 10000, least(n, (block + 1) * 10000) - 1)) AS indexes (i)`,
  addMs: (time, ms) => `date_add('millisecond', CAST(floor(${ms}) AS bigint), ${time})`,
  inRange: (list, minimum, maximum) => `filter(${list}, x -> x BETWEEN DOUBLE '${minimum}' AND DOUBLE '${maximum}')`,
  mean: (list) => `reduce(${list}, DOUBLE '0', (s, x) -> s + x, s -> s) / nullif(cardinality(${list}), 0)`,
  first: (list) => `element_at(${list}, 1)`,
  last: (list) => `element_at(${list}, -1)`,
  equal: (list, text) => `filter(${list}, x -> x = '${text}')`,
  text: 'varchar',
  msOf: (time) => `CAST(to_unixtime(${time}) * 1000 AS bigint)`,
  dayIn: (time, zone) => `CAST(with_timezone(${time}, 'UTC') AT TIME ZONE '${zone}' AS date)`,
};

const backtick = (name: string) => `\`${name}\``;
const sparkType = typeIn('spark', (element) => `array<${element}>`);

export const spark: SqlDialect = {
  ...common,
  intro: '-- Spark SQL. Replace LOCATION by the address of the archive.',
  quote: backtick,
  // Partition columns are found in the paths.
  source: (columns) => `CREATE OR REPLACE TEMPORARY VIEW vehicle_data_files (
  ${columns.map((column) => `${backtick(column.name)} ${sparkType(column)}`).join(',\n  ')}
) USING parquet OPTIONS (path 'LOCATION', pathGlobFilter '*.parquet');`,
  create: (view) => `CREATE OR REPLACE TEMPORARY VIEW ${view} AS`,
  contains: (list, text) => `array_contains(${list}, '${text}')`,
  at: (list, index) => `get(${list}, CAST(${index} AS int))`,
  explode: (view, lengths) => `FROM ${view}
LATERAL VIEW explode(array_distinct(filter(array(${lengths.join(', ')}), x -> x > 0))) lengths AS n
LATERAL VIEW explode(sequence(0, n - 1)) indexes AS i`,
  addMs: (time, ms) => `timestamp_millis(unix_millis(${time}) + CAST(floor(${ms}) AS bigint))`,
  inRange: (list, minimum, maximum) => `filter(${list}, x -> x BETWEEN ${minimum}D AND ${maximum}D)`,
  mean: (list) => `aggregate(${list}, 0D, (s, x) -> s + x) / nullif(cardinality(${list}), 0)`,
  first: (list) => `get(${list}, 0)`,
  last: (list) => `get(${list}, cardinality(${list}) - 1)`,
  equal: (list, text) => `filter(${list}, x -> x = '${text}')`,
  text: 'string',
  msOf: (time) => `unix_millis(${time})`,
  dayIn: (time, zone) => `to_date(convert_timezone(current_timezone(), '${zone}', CAST(${time} AS timestamp_ntz)))`,
};
