// The two databases a ledger runs on: PostgreSQL, and PGlite, which is PostgreSQL in this process.
import type { PGlite } from '@electric-sql/pglite';
import { Pool, type QueryConfig } from 'pg';

/** Runs one statement; `$1` stands for the first parameter. */
export interface Queries {
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
}

/** A database that can do several statements as one. */
export interface Database extends Queries {
  /** Commits when `steps` resolves, rolls back when it rejects. */
  transaction<Result>(steps: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/** A ledger in this process; one process at a time may open the folder of a PGlite database. */
export function onPglite(database: PGlite): Database {
  const queriesOf = (on: Pick<PGlite, 'query'>): Queries => ({
    query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await on.query<Row>(text, [...parameters])).rows,
  });
  return {
    ...queriesOf(database),
    transaction: (steps) => database.transaction((open) => steps(queriesOf(open))),
  };
}

/** Longer than any statement takes, also one that waits for the row of a vehicle whose files are removed. */
const statementMs = 600_000;

/**
 * Connections to PostgreSQL. Every wait for it has an end: a host that is gone without a word ends no connection, and a proxy that hangs before
 * it responds to probes, but to no statement.
 */
export const openPool = (connectionString: string): Pool =>
  new Pool({
    connectionString,
    max: 8,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: statementMs,
  });

/** Nothing that is sent after such a statement is answered before it is. */
const isTooLate = (error: unknown): error is Error => error instanceof Error && error.message === 'Query read timeout';

/** Names of statements: a connection plans one that it has met once. The statements of a ledger are constants, so that they are few. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `vds_${names.size}`;
  names.set(text, name);
  return name;
}

/** After a failover, connections may lead to a server that only reads: those that are made from now on lead to its successor. */
const isReadOnly = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === '25006';

/** A ledger that many processes share. */
export function onPostgres(pool: Pool): Database {
  const queriesOf = (on: { query(statement: QueryConfig): Promise<{ rows: unknown[] }> }): Queries => ({
    // The type of a row is what the statement selects.
    query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await on.query({ text, values: [...parameters], ...(parameters.length > 0 && { name: nameOf(text) }) }))
        .rows as Row[],
  });
  // Without a listener, a connection that the server ends would end the process. The statement under way rejects; the pool makes a new one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    ...queriesOf(pool),
    async transaction(steps) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await steps(queriesOf(client));
        await client.query('commit');
        return result;
      } catch (error) {
        if (isTooLate(error)) broken = error;
        else
          await client.query('rollback').catch((failure: unknown) => {
            broken = failure instanceof Error ? failure : new Error('rollback failed');
          });
        if (isReadOnly(error)) broken = error;
        throw error;
      } finally {
        // A connection that cannot roll back, or to a server that takes no writes any more, is not used again.
        client.release(broken);
      }
    },
  };
}
