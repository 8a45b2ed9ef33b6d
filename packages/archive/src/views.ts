import { join } from 'node:path';
import { tripColumns } from './columns.js';
import { type SeriesContract, seriesContract, seriesNames } from './contract.js';
import type { OpenArchive } from './export-windows.js';
import { type FileLayer, replaceFile, textOf } from './file-layer.js';
import { vehiclePrefix, type viewNames, windowPath } from './format/layout.js';
import { duckdb, type SqlDialect, spark, trino } from './sql-dialects.js';

const dialects: Readonly<Record<(typeof viewNames)[number], SqlDialect>> = {
  'views.duckdb.sql': duckdb,
  'views.spark.sql': spark,
  'views.trino.sql': trino,
};

/**
 * Writes the views of the series that the archive has files of: engines fail on a view without files. Only series that have views,
 * and those that are `added`, are looked for: to see that no vehicle has a series takes a look at each of them.
 */
export async function writeViews(
  files: FileLayer,
  folder: string,
  { settings, state, seen }: OpenArchive,
  added: readonly string[] = [],
): Promise<void> {
  if (settings.format !== 'parquet' || settings.shape !== 'trips') return;
  const views = await textOf(files, join(folder, 'views.duckdb.sql'));
  const wanted = new Set<string>(
    seriesNames.filter((name) => added.includes(name) || (views?.includes(` ${name}_trips `) ?? true)),
  );
  const held = new Set<string>();
  const keep = (name: string, path: string) => {
    held.add(name);
    wanted.delete(name);
    seen.set(name, path);
  };
  for (const [name, path] of seen) if (await files.stat(join(folder, path))) keep(name, path);
  if (wanted.size > 0) {
    search: for await (const vehicle of state.vehicles()) {
      for (const name of wanted) {
        const paths = await files.list(folder, 'files', `${vehiclePrefix(vehicle)}series=${name}/`);
        const path = paths.find((one) => windowPath.test(one));
        if (path !== undefined) keep(name, path);
        if (wanted.size === 0) break search;
      }
    }
  }
  for (const [name, dialect] of Object.entries(dialects)) {
    const [path, text] = [join(folder, name), viewsOf(dialect, held)];
    if (`${await files.read(path)}` !== text) await replaceFile(files, path, text);
  }
}

/** The views for DuckDB of an archive that has files of some series. Those of the others are empty. */
export function duckdbViews(held: readonly string[]): string {
  return viewsOf(duckdb, new Set(held), seriesNames);
}

function viewsOf(dialect: SqlDialect, held: ReadonlySet<string>, shown: readonly string[] = [...held]): string {
  const contracts = seriesNames.map(seriesContract);
  // Columns of all series, each once.
  const columns = new Map(contracts.flatMap(tripColumns).map((column) => [column.name, column]));
  const views = contracts
    .filter(({ name }) => shown.includes(name))
    .flatMap((series) => [
      tripsView(dialect, series, held.has(series.name)),
      samplesView(dialect, series),
      summaryView(dialect, series),
    ]);
  const statements = [dialect.intro, dialect.source([...columns.values()]), ...views];
  return `${statements.filter(Boolean).join('\n\n')}\n`;
}

function tripsView({ create, quote, from }: SqlDialect, series: SeriesContract, hasFiles: boolean): string {
  const columns = tripColumns(series);
  const names = ['brand', 'vehicle', 'month', ...columns.map(({ name }) => quote(name))];
  return `-- One row a trip, one list a signal, as sent.
${create(`${series.name}_trips`)}
SELECT ${names.join(', ')}
${from(series.name, columns, hasFiles)};`;
}

function samplesView(dialect: SqlDialect, { name, signals }: SeriesContract): string {
  const { create, quote, length, contains, at, explode, addMs } = dialect;
  const lengths = signals.map(([path]) => length(quote(path)));
  const isEven = signals.map(
    ([path]) => `(COALESCE(${length(quote(path))}, -1) <> n OR ${contains('assumed_even', path)})`,
  );
  const values = signals.map(
    ([path]) => `CASE WHEN ${length(quote(path))} = n THEN ${at(quote(path), 'i')} END AS ${quote(path)}`,
  );
  return `-- One row a sample. Only signals with the same number of samples (n) share a row. t_assumed is an assumption: the
-- API gives no times of samples. It is null where the data do not support even spacing.
${create(`${name}_samples`)}
SELECT brand, vehicle, trip_start, trip_length_ms, n, i,
  CASE WHEN ${isEven.join('\n    AND ')}
    THEN ${addMs('trip_start', 'i * trip_length_ms / n')} END AS t_assumed,
  ${values.join(',\n  ')}
${explode(`${name}_trips`, lengths)};`;
}

function summaryView(dialect: SqlDialect, { name, signals }: SeriesContract): string {
  const { create, quote, inRange, minimum, maximum, mean } = dialect;
  const columns = signals.flatMap(([path, rule]) => {
    if (rule.kind !== 'number' || rule.minimum === null || rule.maximum === null) return [];
    const valid = inRange(quote(path), rule.minimum, rule.maximum);
    return Object.entries({ min: minimum(valid), mean: mean(valid), max: maximum(valid) }).map(
      ([label, value]) => `${value} AS ${quote(`${path} ${label} (${rule.unit})`)}`,
    );
  });
  return `-- Samples inside their range. The mean is that of the samples, whatever time lies between them.
${create(`${name}_summary`)}
SELECT brand, vehicle, trip_start, trip_length_ms, out_of_range, missing,
  ${columns.join(',\n  ')}
FROM ${name}_trips;`;
}
