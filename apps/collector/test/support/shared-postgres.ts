// The PostgreSQL of a run of tests: making and starting one takes most of a second of a processor, a database in it nearly nothing.
import { createDatabase, hasPostgres, startPostgres } from './postgres.ts';

const variable = 'VDS_TEST_POSTGRES';

/** Of vitest: starts it, and ends it with the run. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (!hasPostgres) {
    console.log('skipped on PostgreSQL: this machine has none of version 15');
    return undefined;
  }
  const { folder, stop } = await startPostgres();
  process.env[variable] = folder;
  return stop;
}

let count = 0;
/** A new database in it. Returns its address. */
export function newDatabase(): Promise<string> {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error('only tests share a PostgreSQL');
  count += 1;
  return createDatabase(folder, `test_${process.pid}_${count}`);
}
