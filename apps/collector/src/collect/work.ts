// A worker: claims a vehicle, fetches some of its due windows, and gives it back.
import { ArchiveError } from '@vehicle-data/archive';
import {
  type FetchedWindow,
  type WindowEntry,
  type WindowStores,
  type WindowTask,
  writeWindow,
} from '@vehicle-data/archive/store';
import { writeManifest } from '../lake/ledger-state.js';
import { askForLook, limited, noteAccountWorks, parkAccount } from '../ledger/accounts.js';
import { holdBucket, noteAlive, noteOutage, takeToken } from '../ledger/limits.js';
import {
  type Claim,
  claimVehicle,
  deferWindow,
  dueWindows,
  holds,
  isDenied,
  noteDenied,
  releaseVehicle,
} from '../ledger/windows.js';
import { collectWindow, type StoredWindow } from '../window/collect-window.js';
import { type Failure, failureOf } from './failures.js';
import type { OpenLake } from './open.js';
import type { Run } from './run.js';

/** Windows of one vehicle before another has its turn. */
const mostWindows = 8;
const outageMs = 5_000;
const failedWindowMs = 600_000;
/** A wait for a `Retry-After` up to this is waited for with the vehicle in hand. */
const shortHoldMs = 1_000;

/** Works on one vehicle. `false` where none is due that nobody has. */
export async function workOnce(run: Run): Promise<boolean> {
  const { database } = run.lake;
  const claim = await claimVehicle(database, run.leases.ms);
  if (!claim) return false;
  await run.leases.hold(claim.lease, async () => {
    try {
      for (const task of await dueWindows(database, claim, mostWindows))
        if (run.end.aborted || !(await collectOne(run, claim, task))) break;
      if (run.lake.isBucket) await updateManifest(run, claim);
    } finally {
      // Only now may a purge of the vehicle end: this worker puts nothing any more.
      await releaseVehicle(database, claim);
    }
  });
  return true;
}

/** Writes the manifest in a bucket, if it is behind. One that fails is written by a later sweep. */
async function updateManifest({ lake, note }: Run, claim: Claim): Promise<void> {
  const { database, blobs } = lake;
  if (!(await holds(database, claim))) return;
  try {
    await writeManifest(database, blobs, claim);
  } catch (error) {
    if (failureOf(error)?.of !== 'surroundings') throw error;
    note('A manifest was not written; it is tried again.');
  }
}

/** Fetches one window. `false`: the vehicle is given back. */
async function collectOne(run: Run, claim: Claim, task: WindowTask): Promise<boolean> {
  const { lake, settings } = run;
  const { database, blobs, context } = lake;
  const account = await run.accountOf(claim.account);
  if (!account) return false;
  const failuresBefore = await admit(run, claim);
  if (failuresBefore === undefined) return false;
  const state = lake.readState();
  // `collectWindow` has looked whether the claim holds, just before it writes.
  const lease = {
    scope: `${claim.brand}/${claim.vehicle}`,
    check: async () => undefined,
    release: async () => undefined,
  };
  try {
    const outcome = await collectWindow(
      {
        ...{ database, context, everyMs: settings.everyMs, readWindow: run.serviceOf(account).readWindow },
        write: (window, file) => writeInto(lake, { blobs, state, lease }, window, file),
      },
      claim,
      task,
      run.broken,
    );
    if (failuresBefore > 0) await noteAlive(database, run.upstreamOf(claim.brand));
    if (claim.isAfterFailure) await noteAccountWorks(database, claim.account);
    if (outcome === 'stored') run.counts.collected += 1;
    run.counts.inARow = 0;
    return outcome === 'stored';
  } catch (error) {
    if (run.broken.aborted) return false;
    return onFailure(run, claim, task, error);
  }
}

/** Writes a window, and says what the ledger keeps of it where the lake is in a bucket. */
async function writeInto(
  { isBucket }: OpenLake,
  { blobs, state, lease }: WindowStores,
  window: WindowTask,
  file: FetchedWindow,
): Promise<StoredWindow> {
  let earlier: WindowEntry | undefined;
  const find: WindowStores['state']['find'] = async (key) => {
    earlier = await state.find(key);
    return earlier;
  };
  const entry = await writeWindow({ blobs, state: { ...state, find }, lease }, window, file);
  const { settled, sha256 } = entry;
  // Another time of fetching alone is no reason to write a manifest.
  const isNew = !earlier || earlier.sha256 !== sha256 || earlier.settled !== settled;
  return isBucket ? { settled, entry: { ...entry, isNew } } : { settled };
}

/** Waits for the right to call. Returns the failures of the upstream before; `undefined` where the vehicle is given back meanwhile. */
async function admit(run: Run, claim: Claim): Promise<number | undefined> {
  const { settings, lake } = run;
  const [bucket, upstream] = [run.bucketOf(claim), run.upstreamOf(claim.brand)];
  while (!run.end.aborted) {
    const limit = { bucket, upstream, rate: settings.maxRate, burst: settings.concurrency };
    const { ok, heldMs, failures } = await takeToken(lake.database, limit);
    if (ok) return failures;
    run.counts.throttledMs += await run.pause(Math.min(heldMs || 1000 / settings.maxRate, 250));
    if (run.isOnce ? run.counts.inARow >= run.mostFailures : heldMs > shortHoldMs) return undefined;
  }
  return undefined;
}

/** What a failure says about the calls after it. `true` where the next window of the vehicle may be fetched. */
async function onFailure(run: Run, claim: Claim, task: WindowTask, error: unknown): Promise<boolean> {
  const { database } = run.lake;
  const failure =
    error instanceof ArchiveError
      ? ({ of: 'surroundings', code: error.code, reason: undefined } as const)
      : failureOf(error);
  if (!failure) throw error;
  run.fails(failure.code);
  if (failure.of === 'surroundings') {
    run.note(`A window was not stored (${failure.reason ?? failure.code}); it is tried again.`);
    await deferWindow(database, task, outageMs, failure.code);
    return false;
  }
  await deferWindow(database, task, await pauseAfter(run, claim, failure), failure.code);
  return failure.of === 'window';
}

/** Parks what a failure concerns. Returns the milliseconds until the window is tried again. */
export async function pauseAfter(
  run: Run,
  { account, brand, vehicle }: Pick<Claim, 'account' | 'brand'> & { readonly vehicle?: string },
  failure: Exclude<Failure, { readonly of: 'surroundings' }>,
): Promise<number> {
  const { database } = run.lake;
  const { error, code } = failure;
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
  switch (failure.of) {
    case 'window':
      return failedWindowMs;
    case 'consent':
      // Only the list says whether the owner withdrew. It is asked for once, however many windows the service denies until it is there.
      if (vehicle === undefined || !(await isDenied(database, { brand, vehicle }))) await askForLook(database, account);
      if (vehicle !== undefined) await noteDenied(database, { brand, vehicle });
      return failedWindowMs;
    case 'account': {
      const ms = await parkAccount(database, account, code, error.retryAfterMs);
      run.note(`The service failed (${code}); account ${account} is parked for ${seconds(ms)}.`);
      return 0;
    }
    case 'limit': {
      const ms = error.retryAfterMs ?? outageMs;
      const bucket = run.bucketOf({ account, brand });
      await holdBucket(database, bucket, ms);
      // With a key, all accounts of the brand wait at its bucket.
      if (settingsHaveNoKey(run)) await parkAccount(database, account, limited, ms);
      run.note(`The service failed (${code}); the next call is in ${seconds(ms)}.`);
      return ms;
    }
    case 'upstream':
      await noteOutage(database, run.upstreamOf(brand));
      run.note(`The service failed (${code}); the window is tried again in ${seconds(outageMs)}.`);
      return outageMs;
  }
}

const settingsHaveNoKey = ({ settings }: Run) => settings.apiKey === undefined;
