// prove:interleavings: workers, a withdrawal, a sweep, leases that run out and a return of the vehicle, step by step in random orders.
// What the ledger and the store hold afterwards is what a model says.
import { createHash } from 'node:crypto';
import { vehiclePrefix } from '@vehicle-data/archive/format';
import { Pool } from 'pg';
import { randomFrom } from '../../../../scripts/seeded-random.ts';
import { ledgerState } from '../../dist/lake/ledger-state.js';
import { addAccount } from '../../dist/ledger/accounts.js';
import { type Database, onPostgres } from '../../dist/ledger/database.js';
import { migrate } from '../../dist/ledger/migrations.js';
import { sweep } from '../../dist/ledger/sweep.js';
import { addVehicle, addWindows, claimVehicle, dueWindows, releaseVehicle } from '../../dist/ledger/windows.js';
import { beginPurge, claimPurge, continuePurge, PurgeNotEmpty, PurgeTakenOver } from '../../dist/ledger/withdrawal.js';
import { collectWindow, type Lake } from '../../dist/window/collect-window.js';
import { MemoryStore } from '../support/memory-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { endWithChildren, isMain, numbersOf, printRow } from './processes.ts';
import { type Turn, takeTurns } from './turns.ts';

/** What was found in so many runs. */
export interface InterleavingsReport {
  readonly runs: number;
  /** Runs at whose end the vehicle was gone. */
  readonly gone: number;
  /** Runs in which the vehicle came back. */
  readonly returned: number;
  /** Windows that became part of a lake. */
  readonly stored: number;
  /** Windows that were fetched and not stored, because the claim was lost. */
  readonly lost: number;
  /** Seeds of runs that ended otherwise than the model, with what was wrong. */
  readonly wrong: readonly string[];
}

const brand = 'brand_a';
const days = { from: '2026-02-01', to: '2026-02-08' };
const series = ['driving', 'powertrain'] as const;
/** A lease that no run outlives. */
const leaseMs = 3_600_000;
const killEvery = 60;
const { signal } = new AbortController();

/** A ledger each of whose statements and transactions is one step. */
const inSteps = (database: Database, turn: Turn): Database => ({
  async query(text, parameters) {
    await turn();
    return database.query(text, parameters);
  },
  async transaction(steps) {
    await turn();
    return database.transaction(steps);
  },
});

/** One run. Returns what ended otherwise than the model. */
async function runOnce(database: Database, seed: number, counts: Counts): Promise<readonly string[]> {
  const random = randomFrom(seed);
  const vehicle = seed.toString(16).padStart(32, '0');
  const name = { brand, vehicle };
  const vin = `TESTVEHICLE${`${seed % 1_000_000}`.padStart(6, '0')}`;
  const prefix = vehiclePrefix(name);
  const blobs = new MemoryStore();
  const add = async (on: Database) => {
    await addVehicle(on, { ...name, vin }, 'owner');
    await addWindows(
      on,
      name,
      series.map((one) => ({ series: one, ...days })),
      days,
    );
  };
  await add(database);
  const wrong: string[] = [];
  /** Whether the owner shares the vehicle; set in the step that says so to the ledger. */
  let isShared = true;
  /** Whether its last purge has said that nothing is left. */
  let isPurged = false;
  /** Leases that ran out while their workers slept. */
  const ranOut = new Set<string>();

  const worker = async (turn: Turn) => {
    const ledger = inSteps(database, turn);
    const claim = await claimVehicle(ledger, leaseMs, name);
    if (!claim) return;
    const lake: Lake = {
      ...{ database: ledger, everyMs: leaseMs },
      context: { format: 'ndjson', shape: 'trips', codec: 'SNAPPY', zoneId: 'UTC' },
      readWindow: async () => [{ triggerStartTime: '2026-02-03T07:00:00.000Z', tripLength: 1_000 }],
      async write(_, { path, content }) {
        await turn();
        if (path && content) await blobs.put(path, content);
        if (isPurged && !ranOut.has(claim.lease)) wrong.push('a file after the end of a purge');
        return { settled: true };
      },
    };
    for (const task of await dueWindows(ledger, claim, 2)) counts[await collectWindow(lake, claim, task, signal)] += 1;
    await releaseVehicle(ledger, claim);
  };
  const owner = async (turn: Turn) => {
    for (let wait = Math.floor(random() * 16); wait >= 0; wait -= 1) await turn();
    if (await beginPurge(database, name)) isShared = false;
  };
  const purger = async (turn: Turn) => {
    const ledger = inSteps(database, turn);
    for (let time = 0; time < 20; time += 1) {
      const claim = await claimPurge(ledger, leaseMs);
      if (!claim) continue;
      const result = await continuePurge(ledger, blobs, claim).catch((error: unknown) => {
        // A worker that slept past its lease has put a file in between, or another process has purged it: both are tried again.
        if (!(error instanceof PurgeTakenOver || error instanceof PurgeNotEmpty)) throw error;
      });
      if (result?.done) {
        isPurged = true;
        return;
      }
    }
  };
  const sweeper = async (turn: Turn) => {
    await sweep(inSteps(database, turn), blobs, ledgerState(database, blobs));
  };
  const sleeper = async (turn: Turn) => {
    for (let wait = Math.floor(random() * 12); wait >= 0; wait -= 1) await turn();
    for (const lease of await expireLeases(database, vehicle)) ranOut.add(lease);
  };
  const returner = async (turn: Turn) => {
    for (let time = 0; time < 30; time += 1) {
      await turn();
      const gone = `select from vds.vehicles where vehicle = $1 and state = 'gone'`;
      if ((await database.query(gone, [vehicle])).length === 0) continue;
      [isShared, isPurged] = [true, false];
      counts.returned += 1;
      return await add(database);
    }
  };
  const others = [worker, owner, purger, purger, sweeper, sweeper, sleeper, sleeper, returner];
  const chosen = others.filter(() => random() < 0.7);
  await takeTurns([worker, worker, ...chosen], random, killEvery);

  // Every process of before is dead or done. What is left to do is done by others.
  await expireLeases(database, vehicle);
  await settle(database, blobs, name, worker);
  const [row] = await database.query<{ state: string; vin: string | null }>(
    'select state, vin from vds.vehicles where vehicle = $1',
    [vehicle],
  );
  const windows = await database.query<{ path: string | null; hash: string | null; due: boolean }>(
    `select path, encode(sha256, 'hex') as hash, due_at is not null as due from vds.windows where vehicle = $1`,
    [vehicle],
  );
  const objects = [...blobs.objects.keys()].filter((key) => key.startsWith(prefix));
  if (row?.state !== (isShared ? 'active' : 'gone')) wrong.push(`the vehicle is ${row?.state}`);
  if (!isShared) {
    counts.gone += 1;
    if (objects.length > 0) wrong.push('files of a vehicle that is gone');
    if (windows.length > 0) wrong.push('windows of a vehicle that is gone');
    if (row?.vin !== null) wrong.push('the VIN of a vehicle that is gone');
  } else {
    if (windows.length !== series.length) wrong.push(`${windows.length} windows`);
    for (const { path, hash, due } of windows) {
      const content = path === null ? undefined : blobs.objects.get(path);
      if (due || !content) wrong.push('a window without its file');
      else if (createHash('sha256').update(content).digest('hex') !== hash) wrong.push('a window with another file');
    }
    if (objects.length !== windows.length) wrong.push('a file without its window');
  }
  await database.query('delete from vds.windows where vehicle = $1', [vehicle]);
  await database.query('delete from vds.vehicles where vehicle = $1', [vehicle]);
  return wrong;
}

/** Ends what actors left unfinished: purges, then windows, then files of workers that slept. */
async function settle(
  database: Database,
  blobs: MemoryStore,
  name: { readonly brand: string; readonly vehicle: string },
  worker: (turn: Turn) => Promise<void>,
): Promise<void> {
  const claim = await claimPurge(database, leaseMs);
  if (claim) await continuePurge(database, blobs, claim);
  for (let time = 0; time < 3; time += 1) await worker(async () => {});
  await sweep(database, blobs, ledgerState(database, blobs));
  await expireLeases(database, name.vehicle);
}

/** Lets the leases of a vehicle run out; returns them. */
async function expireLeases(database: Database, vehicle: string): Promise<readonly string[]> {
  const rows = await database.query<{ lease: string }>(
    'update vds.vehicles set lease_until = clock_timestamp() where vehicle = $1 and lease is not null returning lease',
    [vehicle],
  );
  return rows.map(({ lease }) => lease);
}

interface Counts {
  stored: number;
  lost: number;
  gone: number;
  returned: number;
}

/** Runs so many random orders from a seed on in an empty database, or as many as there is time for. */
export async function interleavings({
  database: url,
  runs,
  seed,
  seconds = Number.POSITIVE_INFINITY,
}: {
  database: string;
  runs: number;
  seed: number;
  seconds?: number;
}): Promise<InterleavingsReport> {
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const pool = new Pool({ connectionString: url, max: 4 });
  const database = onPostgres(pool);
  const counts: Counts = { stored: 0, lost: 0, gone: 0, returned: 0 };
  const wrong: string[] = [];
  try {
    await migrate(database);
    await addAccount(database, { name: 'owner', brand, tokenFile: null });
    for (; done < runs && performance.now() < until; done += 1)
      for (const what of await runOnce(database, seed + done, counts)) wrong.push(`seed ${seed + done}: ${what}`);
  } finally {
    await pool.end();
  }
  return { runs: done, ...counts, wrong };
}

if (isMain(import.meta.url)) {
  endWithChildren();
  const options = numbersOf({ runs: 100_000, seed: 1, seconds: 540 });
  const postgres = await startPostgres();
  const report = await interleavings({ ...options, database: postgres.url }).finally(postgres.stop);
  console.log(JSON.stringify({ ...options, ...report }, null, 2));
  const { runs, stored, lost, gone, returned, wrong } = report;
  const found = `${runs} orders, ${stored} windows stored, ${lost} kept out, ${gone} vehicles gone, ${returned} back, ${wrong.length} wrong`;
  printRow('interleavings', { seed: options.seed, next: options.seed + runs }, found);
  if (report.wrong.length > 0) throw new Error('the proof failed');
}
