// Limits that all processes share: a bucket of tokens for each account or API key, by the clock of the database.
import type { Queries } from './database.js';

/** Makes a bucket, or changes its limits. `rate` is in tokens a second, `burst` in tokens. */
export async function setBucket(database: Queries, name: string, rate: number, burst: number): Promise<void> {
  await database.query(
    `insert into vds.buckets as b (name, rate, burst, tokens, filled_at) values ($1, $2, $3, $3, clock_timestamp())
     on conflict (name) do update set rate = $2, burst = $3, tokens = least(b.tokens, $3)`,
    [name, rate, burst],
  );
}

/** Takes one token in one statement. `false`: none is left, or the service asked to wait. */
export async function takeToken(database: Queries, name: string): Promise<boolean> {
  // Refilled from the row as it is locked: two processes never take the same token. A clock that jumps back adds nothing.
  const filled = `least(burst, tokens + rate * greatest(0, extract(epoch from clock_timestamp() - filled_at)::float8))`;
  const rows = await database.query(
    `update vds.buckets set tokens = ${filled} - 1, filled_at = clock_timestamp()
     where name = $1 and not_before <= clock_timestamp() and ${filled} >= 1 returning name`,
    [name],
  );
  return rows.length === 1;
}

/** Keeps every process from taking a token for some milliseconds, after a `Retry-After`. Never shortens an earlier wait. */
export async function holdBucket(database: Queries, name: string, ms: number): Promise<void> {
  await database.query(
    `update vds.buckets set not_before = greatest(not_before, clock_timestamp() + $2::float8 * interval '1 millisecond')
     where name = $1`,
    [name, ms],
  );
}
