// What all processes share about the service: how fast it may be called, until when it asked to wait, and whether it is down.
import type { Queries } from './database.js';

/** So many failures in a row, of whatever process and account, and only one call at a time tries again. */
export const opensAfter = 5;
/** How long nobody else calls while one process does. */
const probeMs = 5_000;

/** Who is about to call whom, how often. */
export interface CallLimit {
  /** Whose calls are counted: an account, or all that share an API key at a brand. */
  readonly bucket: string;
  /** Tokens a second. */
  readonly rate: number;
  /** Most tokens at once. */
  readonly burst: number;
  /** Where it calls; its breaker. */
  readonly upstream: string;
}

/** Whether a call may begin. */
export interface Admission {
  readonly ok: boolean;
  /** Milliseconds for which the bucket is held after a `Retry-After`. */
  readonly heldMs: number;
  /** Failures in a row before this call. */
  readonly failures: number;
}

/** Asks for one call, in one statement: two processes never take the same token, and one process at a time probes a dead upstream. */
export async function takeToken(database: Queries, { bucket, rate, burst, upstream }: CallLimit): Promise<Admission> {
  // Refilled from the row as it is locked. A clock that jumps back adds nothing.
  const filled = `least($3, b.tokens + $2 * greatest(0, extract(epoch from clock_timestamp() - b.filled_at)::float8))`;
  const [row] = await database.query<Admission & { readonly isAhead: boolean }>(
    `with probe as (
       update vds.breakers set open_until = clock_timestamp() + ${probeMs} * interval '1 millisecond'
       where name = $4 and failures >= ${opensAfter} and open_until <= clock_timestamp() returning name),
     taken as (
       insert into vds.buckets as b (name, rate, burst, tokens, filled_at)
       select $1, $2::float8, $3::float8, $3::float8 - 1, clock_timestamp()
       where exists (select from probe) or not exists (select from vds.breakers where name = $4 and failures >= ${opensAfter})
       on conflict (name) do update set rate = $2, burst = $3, tokens = ${filled} - 1, filled_at = clock_timestamp()
       where b.not_before <= clock_timestamp() and ${filled} >= 1 returning name)
     select exists (select from taken) as ok,
       coalesce((select extract(epoch from b.not_before - clock_timestamp()) * 1000 from vds.buckets b
         where b.name = $1 and b.not_before > clock_timestamp()), 0)::float8 as "heldMs",
       coalesce((select failures from vds.breakers where name = $4), 0) as failures,
       exists (select from vds.buckets where name = $1 and filled_at > clock_timestamp()) as "isAhead"`,
    [bucket, rate, burst, upstream],
  );
  if (!row) throw new Error('The database gave no answer about a limit.');
  const { isAhead, ...admission } = row;
  // After a clock has jumped back, a bucket that is empty would not be filled until it is there again.
  if (isAhead && !admission.ok)
    await database.query(
      'update vds.buckets set filled_at = clock_timestamp() where name = $1 and filled_at > clock_timestamp()',
      [bucket],
    );
  return admission;
}

/** Keeps every process from taking a token for some milliseconds, after a `Retry-After`. Never shortens an earlier wait. */
export async function holdBucket(database: Queries, bucket: string, ms: number): Promise<void> {
  await database.query(
    `insert into vds.buckets as b (name, rate, burst, tokens, filled_at, not_before)
     values ($1, 1, 1, 0, clock_timestamp(), clock_timestamp() + $2::float8 * interval '1 millisecond')
     on conflict (name) do update set not_before = greatest(b.not_before, excluded.not_before)`,
    [bucket, ms],
  );
}

/** One more failure of an upstream that nothing but the upstream explains. */
export async function noteOutage(database: Queries, upstream: string): Promise<void> {
  await database.query(
    `insert into vds.breakers as b values ($1, 1, clock_timestamp() + ${probeMs} * interval '1 millisecond')
     on conflict (name) do update set failures = b.failures + 1, open_until = greatest(b.open_until, excluded.open_until)`,
    [upstream],
  );
}

/** The upstream works. */
export async function noteAlive(database: Queries, upstream: string): Promise<void> {
  await database.query('update vds.breakers set failures = 0 where name = $1 and failures > 0', [upstream]);
}
