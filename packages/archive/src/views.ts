import { join } from 'node:path';
import type { ArchiveSettings } from './archive-settings.js';
import { tripColumns } from './columns.js';
import { type FileLayer, replaceFile, textOf } from './file-layer.js';
import type { OpenArchive } from './folder/open-archive.js';
import { vehiclePrefix, type viewNames, windowPath } from './format/layout.js';
import { seriesContract, seriesNames } from './format/series-contract.js';
import { duckdb, type SqlDialect, spark, trino } from './sql-dialects.js';
import { qualityView, signalsView, tripsOfBothView, type View, windowsView } from './views-of-archive.js';
import { daysView, samplesView, summaryView, tripsView } from './views-of-series.js';
import { vssView } from './vss-views.js';

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
  for (const [name, text] of viewTexts(held, settings)) {
    const path = join(folder, name);
    if (`${await files.read(path)}` !== text) await replaceFile(files, path, text);
  }
}

/**
 * The SQL files of an archive of trips in Parquet, by name.
 *
 * @param held series that the archive has files of
 * @param location Address of the archive with a slash at its end, for DuckDB. Default: DuckDB runs in its folder.
 */
export function viewTexts(
  held: ReadonlySet<string>,
  settings: Pick<ArchiveSettings, 'zoneId' | 'oneSchema'>,
  location?: string,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(dialects).map(([name, dialect]) => {
      const text = viewsOf(dialect, held, settings);
      if (location === undefined || dialect !== duckdb) return [name, text];
      const intro = duckdb.intro.replace(/Run in .*/, `Run anywhere, with the right to read ${location}`);
      return [name, text.replace(duckdb.intro, intro).replaceAll("'brand=*/", `'${location}brand=*/`)];
    }),
  );
}

/** What the views for DuckDB depend on, beside the series. */
export interface DuckdbViewOptions {
  /** Zone in which the views of days count. Default UTC. */
  readonly zoneId?: string | undefined;
  /** Whether all files have the columns of the current contract, which is quicker to read. Default false. */
  readonly isOneSchema?: boolean | undefined;
  /** Whether there is a manifest: the view of windows needs one. Default true. */
  readonly hasManifest?: boolean | undefined;
  /**
   * SQL that the views are for: those that it does not name are left out, since DuckDB looks at the files for each of them. Default:
   * all.
   */
  readonly query?: string | undefined;
}

/** The views for DuckDB of an archive that has files of some series. Those of the others are empty. */
export function duckdbViews(
  held: readonly string[],
  { zoneId = 'UTC', isOneSchema = false, hasManifest = true, query }: DuckdbViewOptions = {},
): string {
  const files = { held: new Set(held), zoneId, isOneSchema, hasManifest: hasManifest && held.length > 0 };
  const views = viewsIn(duckdb, files, seriesNames);
  return statementsOf(duckdb, query === undefined ? views : namedIn(query, views));
}

interface HeldFiles {
  readonly held: ReadonlySet<string>;
  readonly zoneId: string;
  readonly isOneSchema: boolean;
  readonly hasManifest: boolean;
}

function viewsOf(
  dialect: SqlDialect,
  held: ReadonlySet<string>,
  { zoneId, oneSchema }: Pick<ArchiveSettings, 'zoneId' | 'oneSchema'>,
): string {
  const files = { held, zoneId, isOneSchema: oneSchema === true, hasManifest: held.size > 0 };
  return statementsOf(dialect, viewsIn(dialect, files, [...held]));
}

function viewsIn(dialect: SqlDialect, files: HeldFiles, shown: readonly string[]): readonly View[] {
  const { held, zoneId, isOneSchema, hasManifest } = files;
  const contracts = seriesNames.map(seriesContract).filter(({ name }) => shown.includes(name));
  const ofSeries = contracts.flatMap((series) => [
    tripsView(dialect, series, held.has(series.name), isOneSchema),
    samplesView(dialect, series),
    summaryView(dialect, series),
    daysView(dialect, series, zoneId),
    vssView(dialect, series),
  ]);
  return [
    ...ofSeries,
    ...(contracts.length === seriesNames.length
      ? [tripsOfBothView(dialect, contracts), qualityView(dialect, contracts, zoneId)]
      : []),
    ...(contracts.length > 0 ? [signalsView(dialect, contracts)] : []),
    // The other engines have no way to read a manifest.
    ...(dialect === duckdb && hasManifest ? [windowsView] : []),
  ];
}

/** The views that a query names, and those that these are made from. */
function namedIn(query: string, views: readonly View[]): readonly View[] {
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`, 'i').test(query);
  // What asks for a list of the views gets all of them.
  if (/information_schema|duckdb_|pg_catalog|sqlite_master/i.test(query)) return views;
  const wanted = new Set(views.filter(({ name }) => isNamed(name)).flatMap(({ name, needs }) => [name, ...needs]));
  return views.filter(({ name }) => wanted.has(name));
}

function statementsOf(dialect: SqlDialect, views: readonly View[]): string {
  // Columns of all series, each once.
  const contracts = seriesNames.map(seriesContract);
  const columns = new Map(contracts.flatMap(tripColumns).map((column) => [column.name, column]));
  const statements = [dialect.intro, dialect.source([...columns.values()]), ...views.map(({ sql }) => sql)];
  return `${statements.filter(Boolean).join('\n\n')}\n`;
}
