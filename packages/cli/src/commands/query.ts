import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError, usageError } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import type { Streams } from '../streams.js';

/** Bounds of a question. */
export interface QueryLimits {
  readonly maxRows: number;
  readonly timeoutMs: number;
}

/** Options of `vds query`. */
export interface QueryOptions {
  readonly out: string;
  readonly maxRows: string;
  readonly queryTimeoutMs: string;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Asks an archive a question in SQL with DuckDB, in memory, over the views of the archive. Only one SELECT is allowed; it can read
 * the archive's folder and nothing else, and write nothing.
 *
 * @throws CliError `no-duckdb`, `bad-sql`, `query-timeout`
 */
export async function askArchive(
  folder: string,
  sql: string,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const duckdb = await import('@duckdb/node-api').catch(() => {
    throw new CliError('no-duckdb', '@duckdb/node-api is not installed', {
      hint: 'npm install @duckdb/node-api',
      exitCode: 4,
    });
  });
  const root = resolve(folder);
  const views = await readFile(join(root, 'views.duckdb.sql'), 'utf8').catch(() => {
    throw usageError('the folder holds no archive of Parquet trips', 'Make one: vds export --format parquet');
  });
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const quoted = `'${root.replaceAll("'", "''")}'`;
  let isTimeout = false;
  const interrupt = () => connection.interrupt();
  const timer = setTimeout(() => {
    isTimeout = true;
    interrupt();
  }, limits.timeoutMs);
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    await connection.run(views.replaceAll("'brand=", `${quoted.slice(0, -1)}/brand=`));
    await connection.run(`SET allowed_directories = [${quoted}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1) throw usageError('the query must be one SELECT');
    const prepared = await statements.prepare(0);
    if (prepared.statementType !== duckdb.StatementType.SELECT) throw usageError('the query must be one SELECT');
    const reader = await prepared.streamAndReadUntil(limits.maxRows + 1);
    return reader.getRowObjectsJson().slice(0, limits.maxRows);
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (isTimeout) throw new CliError('query-timeout', `the query took longer than ${limits.timeoutMs} ms`);
    // The message of the engine quotes the query, which the person who wrote it may see.
    const message = error instanceof Error ? error.message.split('\n')[0] : 'the engine failed';
    throw usageError(`the query failed: ${message}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

/** `vds query`: rows as a table or as NDJSON. */
export async function query(context: Context, sql: string, options: QueryOptions): Promise<void> {
  const limits = {
    maxRows: readNumber(options.maxRows, '--max-rows', 1, 1_000_000),
    timeoutMs: readNumber(options.queryTimeoutMs, '--query-timeout-ms', 1, 3_600_000),
  };
  const text = sql === '-' ? await readAll(context.streams) : sql;
  const rows = await askArchive(options.out, text, limits, context.signal);
  const names = Object.keys(rows[0] ?? {});
  context.output.list(
    rows,
    names.map((title) => ({ title, value: (row: Row) => row[title], right: typeof rows[0]?.[title] === 'number' })),
    'No rows.',
  );
}

const longestQuery = 100_000;
async function readAll(streams: Streams): Promise<string> {
  let text = '';
  for await (const chunk of streams.stdin) {
    text += String(chunk);
    if (text.length > longestQuery) throw usageError('the query is too long');
  }
  return text;
}
