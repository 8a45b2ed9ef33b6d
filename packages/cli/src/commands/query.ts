import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError, usageError } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import { seriesCommands } from '../generated/commands.js';
import { namesInFolder } from './archive-names.js';
import { valueReader } from './query-values.js';

const seriesNames: readonly string[] = Object.values(seriesCommands).map(({ name }) => name);

type Row = Readonly<Record<string, unknown>>;
const interruptEveryMs = 20;
/** Functions that change settings or write files, as the engine names them in a parsed SELECT. */
const forbidden = /"function_name":"(enable_\w+|query|json_execute_serialized_sql)"/;

/** A folder with files of each series that the archive has, inside that of its brand, and whether it has a manifest. Looks no further than it must. */
async function findFiles(root: string) {
  const folders = new Map<string, string>();
  let hasManifest = false;
  const inside = async (folder: string, prefix: string) =>
    (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory() && one.name.startsWith(prefix));
  for (const brand of await inside(root, 'brand=')) {
    for (const vehicle of await inside(join(root, brand.name), 'vehicle=')) {
      // A folder of someone else may have any name; those of an archive need no quotes.
      if (!/^vehicle=\w+$/.test(vehicle.name)) continue;
      const folder = join(root, brand.name, vehicle.name);
      hasManifest ||= (await readdir(folder)).includes('_manifest.ndjson');
      for (const { name } of await inside(folder, 'series=')) {
        const series = name.slice('series='.length);
        if (folders.has(series) || !/^\w+$/.test(series)) continue;
        const paths = await readdir(join(folder, name), { recursive: true });
        const [path] = paths.flatMap((one) => /^(month=[\w-]+)[/\\][^/\\]+\.parquet$/.exec(one)?.[1] ?? []);
        if (path !== undefined) folders.set(series, `${vehicle.name}/${name}/${path}`);
      }
      if (hasManifest && seriesNames.every((one) => folders.has(one))) return { folders, hasManifest };
    }
  }
  return { folders, hasManifest };
}

/**
 * Asks an archive a question in SQL with DuckDB, in memory, over the views of the archive. Only one SELECT is allowed; it can read
 * the files of trips and nothing else, not even the archive's key, and write nothing. Days are those of the archive's zone; times
 * are returned in UTC.
 *
 * @returns the first rows, and whether there are more
 * @throws CliError `no-duckdb`, `query-timeout`, `usage`
 */
export async function askArchive(
  folder: string,
  sql: string,
  {
    maxRows,
    offset = 0,
    timeoutMs,
    memoryLimit = '1GB',
    bigint = 'number',
    names = [],
  }: {
    readonly maxRows: number;
    /** Rows that are left out at the beginning. */
    readonly offset?: number;
    readonly timeoutMs: number;
    readonly memoryLimit?: string;
    /** Whole numbers and decimals as numbers where they stay exact, or always as texts. */
    readonly bigint?: 'number' | 'string';
    /** Aliases of vehicles and their VINs: the query sees alias and pseudonym as the relation `aliases`. */
    readonly names?: readonly (readonly [name: string, vin: string])[];
  },
  signal: AbortSignal,
): Promise<{ readonly rows: readonly Row[]; readonly truncated: boolean }> {
  const duckdb = await import('@duckdb/node-api').catch(() => {
    throw new CliError('no-duckdb', '@duckdb/node-api is not installed', {
      hint: 'Install it where vds is: npm install --global @duckdb/node-api, or without --global in a project',
      exitCode: 4,
    });
  });
  const root = resolve(folder);
  const settings = await readFile(join(root, 'archive.json'), 'utf8')
    .then((text): Readonly<Record<'zoneId' | 'format' | 'shape' | 'oneSchema', unknown>> => JSON.parse(text))
    .catch(() => undefined);
  if (settings?.format !== 'parquet' || settings.shape !== 'trips')
    throw usageError('the folder holds no archive of Parquet trips', 'Make one: vds export --format parquet');
  const { duckdbViews } = await import('@vehicle-data/archive');
  duckdb.DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
  // Without a folder for temporary files, the engine cannot write trips outside the archive.
  const limits = { memory_limit: memoryLimit, temp_directory: '' };
  const instance = await duckdb.DuckDBInstance.create(':memory:', limits);
  const connection = await instance.connect();
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  // A mark of patterns in the archive's path stands for itself.
  const pattern = quote(`${root.replace(/[*?[]/g, '[$&]')}/brand=*`);
  const brands = (await readdir(root, { withFileTypes: true })).filter(({ name }) => name.startsWith('brand='));
  // The engine would read whatever a link leads to.
  if (brands.some((folder) => folder.isSymbolicLink())) throw usageError('the folder of a brand is a symbolic link');
  // The pattern of the views is a path of its own to the engine.
  const readable = [pattern, ...brands.map(({ name }) => quote(`${root}/${name}`))];
  const deadline = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, deadline]);
  // An interrupt ends only what runs at that moment, which can be a step before the query, so it is repeated.
  const interrupts = setInterval(() => ended.aborted && connection.interrupt(), interruptEveryMs);
  try {
    // What is computed while a query is planned counts toward no memory limit, and no interrupt ends it.
    await connection.run("SET disabled_optimizers = 'expression_rewriter'");
    await connection.run(`SET TimeZone = ${quote(`${settings.zoneId}`)}`);
    await connection.run(`SET allowed_directories = [${readable.join()}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    // Not the views that the folder holds: they may be anyone's, and there are none until an export ends.
    const found = await findFiles(root);
    const views = duckdbViews([...found.folders.keys()], {
      zoneId: `${settings.zoneId}`,
      isOneSchema: settings.oneSchema === true,
      hasManifest: found.hasManifest,
      query: sql,
    });
    // The engine looks for all files when a view is made, and again when it is asked: with a variable, those of a month are enough at first.
    const variable = (series: string) => `files_of_${series}`;
    const setFiles = async (patternOf: (series: string) => string) => {
      for (const series of found.folders.keys())
        await connection.run(`SET VARIABLE ${variable(series)} = ${patternOf(series)}`);
    };
    const filesOf = (series: string) => `/vehicle=*/series=${series}/month=*/*.parquet'`;
    await setFiles((series) => `${pattern.slice(0, -1)}/${found.folders.get(series)}/*.parquet'`);
    const known = [...found.folders.keys()].reduce(
      (text, series) => text.replaceAll(`'brand=*${filesOf(series)}`, `getvariable('${variable(series)}')`),
      views,
    );
    await connection.run(known.replaceAll("'brand=*", () => pattern.slice(0, -1)));
    await connection.run('CREATE TABLE aliases (vehicle VARCHAR, alias VARCHAR)');
    const rowsOfNames = [...(await namesInFolder(root, names))].map((row) => `(${row.map(quote).join()})`);
    if (rowsOfNames.length > 0) await connection.run(`INSERT INTO aliases VALUES ${rowsOfNames.join()}`);
    await setFiles((series) => pattern.slice(0, -1) + filesOf(series));
    const statements = await connection.extractStatements(sql);
    const parsed = await connection.runAndReadAll(`SELECT json_serialize_sql(${quote(sql)})`);
    const tree = `${parsed.value(0, 0)}`;
    const [, name] = forbidden.exec(tree) ?? [];
    if (name !== undefined) throw usageError(`the query must not call ${name}()`);
    // A pragma has no tree, though the engine may make a SELECT of it.
    const isOne = statements.count === 1 && tree.startsWith('{"error":false');
    const prepared = isOne ? await statements.prepare(0) : undefined;
    if (prepared?.statementType !== duckdb.StatementType.SELECT) throw usageError('the query must be one SELECT');
    const reader = await prepared.streamAndReadUntil(offset + maxRows + 1);
    const read = valueReader(duckdb, bigint);
    const columns = reader.deduplicatedColumnNames().map((name, index) => [name, reader.columnType(index)] as const);
    const rows = reader
      .getRowObjectsJson()
      .slice(offset, offset + maxRows + 1)
      .map((row) => Object.fromEntries(columns.map(([name, type]) => [name, read(row[name] ?? null, type)])));
    return { rows: rows.slice(0, maxRows), truncated: rows.length > maxRows };
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (deadline.aborted) throw new CliError('query-timeout', `the query took longer than ${timeoutMs} ms`);
    // The message of the engine quotes the query, which the person who wrote it may see.
    const message = error instanceof Error ? error.message.split('\n')[0] : 'the engine failed';
    if (message?.startsWith('Out of Memory'))
      throw usageError(`the query needs more memory than ${memoryLimit}`, 'Select fewer days or columns.');
    throw usageError(`the query failed: ${message}`);
  } finally {
    clearInterval(interrupts);
    connection.closeSync();
    instance.closeSync();
  }
}

/** `vds query`: rows as a table or as NDJSON. */
export async function query(
  context: Context,
  options: {
    readonly out: string;
    readonly maxRows: string;
    readonly queryTimeoutMs: string;
    readonly bigint: 'number' | 'string';
  },
  sql: string,
): Promise<void> {
  const limits = {
    maxRows: readNumber(options.maxRows, '--max-rows', 1, 1_000_000),
    timeoutMs: readNumber(options.queryTimeoutMs, '--query-timeout-ms', 1, 3_600_000),
    bigint: options.bigint,
    names: Object.entries(context.aliases),
  };
  const { rows, truncated } = await askArchive(options.out, sql, limits, context.signal);
  context.output.list(rows, Object.keys(rows[0] ?? {}), 'No rows.');
  if (truncated) context.output.note(`Only the first ${limits.maxRows} rows: --max-rows prints more.`);
}
