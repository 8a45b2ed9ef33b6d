// Which process has the lock of a lake in a folder. The others work beside it: for programs that know nothing of the ledger, the lake is locked.
import type { Queries } from './database.js';

const lastsMs = 30_000;

/** Writes down that this process has the lock, for half a minute. */
export async function noteHolder(database: Queries, process: string): Promise<void> {
  await database.query(
    `insert into vds.holder (process, until) values ($1, clock_timestamp() + ${lastsMs} * interval '1 millisecond')
     on conflict (one) do update set process = excluded.process, until = excluded.until`,
    [process],
  );
}

/** Whether a process of this ledger has the lock. */
export async function hasHolder(database: Queries): Promise<boolean> {
  return (await database.query('select from vds.holder where until > clock_timestamp()')).length === 1;
}

/** Ends it at once. */
export async function endHolder(database: Queries, process: string): Promise<void> {
  await database.query('delete from vds.holder where process = $1', [process]);
}
