// The loop of a collector: lists vehicles at an interval, and keeps workers busy with the windows that are due.
import { setTimeout as wait } from 'node:timers/promises';
import { ArchiveError } from '@vehicle-data/archive';
import { writeWindow } from '@vehicle-data/archive/store';
import { isVehicleDataError } from '@vehicle-data/client';
import type { Settings } from '../command/settings.js';
import { holdBucket, setBucket, takeToken } from '../ledger/buckets.js';
import { sweep } from '../ledger/sweep.js';
import { claimNext, deferWindow } from '../ledger/windows.js';
import { collectWindow, type Lake } from '../window/collect-window.js';
import type { OpenLake } from './open.js';
import { finishPurges } from './purge.js';
import type { Service } from './service.js';
import { applyList } from './vehicles.js';

/** Longer than a call and its put: a call ends after 30 s. */
const leaseMs = 120_000;
/** How often an idle worker looks for a window that is due. */
const idleMs = 500;
const outageMs = 5_000;
const rejectedMs = 60_000;
const failedWindowMs = 600_000;
/** With `--once`, so many failures in a row end the run. */
const mostFailures = 10;
const bucket = 'service';

/** What a collector tells its operator. */
export type Note = (text: string) => void;

/** What a run came to. */
export interface RunResult {
  /** Windows that were collected in this run. */
  readonly collected: number;
  /** Attempts that failed in this run. */
  readonly failed: number;
}

/**
 * Collects until `stop` is aborted, and with `once` until nothing is due. A window that fails stays due and keeps no other waiting.
 *
 * @param stop No window is begun any more; those under way end.
 * @param abort Ends those under way as well. They stay due.
 * @throws ArchiveError `archive-locked` where another program took the archive over; errors of the disk.
 */
export async function collect(
  lake: OpenLake,
  service: Service,
  settings: Settings,
  { stop, abort, note }: { readonly stop: AbortSignal; readonly abort: AbortSignal; readonly note: Note },
): Promise<RunResult> {
  const { database, blobs, state, lease, context } = lake;
  const { once, everyMs, brand, since, confirmPurge } = settings;
  const fatal = new AbortController();
  const end = AbortSignal.any([stop, abort, fatal.signal]);
  const broken = AbortSignal.any([abort, fatal.signal]);
  let [collected, failed, failedInARow] = [0, 0, 0];
  let lookAt = 0;
  await setBucket(database, bucket, settings.maxRate, settings.concurrency);

  /** Waits, unless the run ends. */
  const pause = (ms: number) => wait(ms, undefined, { signal: end }).catch(() => undefined);

  /** What a failure says about the calls after it. */
  async function onFailure(error: unknown): Promise<void> {
    if (!isVehicleDataError(error)) throw error;
    failed += 1;
    failedInARow += 1;
    if (error.resolution === 'ask-consent') {
      // Only the list says whether the owner withdrew.
      lookAt = 0;
      return;
    }
    const isRejected = error.resolution === 'fix-credentials' || error.resolution === 'refresh-token';
    if (!isRejected && !error.isTemporary) return;
    // Nothing but a person changes that: with `once`, the run ends.
    if (isRejected) failedInARow = mostFailures;
    const ms = error.retryAfterMs ?? (isRejected ? rejectedMs : outageMs);
    note(`The service failed (${error.code}); the next call is in ${Math.ceil(ms / 1000)} s.`);
    await holdBucket(database, bucket, ms);
  }

  /** One look at the list of vehicles, and what follows from it. */
  async function look(): Promise<void> {
    lookAt = Date.now() + everyMs;
    try {
      const fleet = { database, state, pseudonymOf: lake.pseudonymOf, brand, since, confirmPurge };
      const seen = await applyList(fleet, await service.listVins(broken), Date.now());
      if (seen.unconfirmed)
        note(
          `${seen.unconfirmed.missing} of ${seen.unconfirmed.of} vehicles are missing from the list; nothing is purged. If their owners withdrew: --confirm-purge ${seen.unconfirmed.missing}`,
        );
      const purged = await finishPurges(lake, broken);
      if (purged > 0) note(`${purged} vehicles no longer share data; their files are gone.`);
      await sweep(database, blobs);
    } catch (error) {
      if (broken.aborted) return;
      lookAt = Date.now() + Math.min(everyMs, rejectedMs);
      await onFailure(error);
    }
  }

  const parts: Lake = {
    ...{ database, context, everyMs, readWindow: service.readWindow },
    write: (window, file) => writeWindow({ blobs, state, lease }, window, file),
  };

  async function work(): Promise<void> {
    while (!end.aborted) {
      if (once && failedInARow >= mostFailures) return;
      if (!(await takeToken(database, bucket))) {
        await pause(Math.max(10, Math.min(idleMs, 1000 / settings.maxRate)));
        continue;
      }
      const claim = await claimNext(database, leaseMs);
      if (!claim) {
        if (once) return;
        await pause(idleMs);
        continue;
      }
      try {
        if ((await collectWindow(parts, claim, broken)) === 'stored') {
          collected += 1;
          failedInARow = 0;
        }
      } catch (error) {
        if (broken.aborted) return;
        await onFailure(error);
        const isItsOwn = isVehicleDataError(error) && !error.isTemporary;
        await deferWindow(database, claim.task, isItsOwn ? failedWindowMs : outageMs);
      }
    }
  }

  async function looks(): Promise<void> {
    while (!end.aborted) {
      if (Date.now() >= lookAt) await look();
      await pause(idleMs);
    }
  }

  const guarded = (run: () => Promise<void>) => run().catch((error: unknown) => fatal.abort(error));
  // The first look before any work: vehicles that withdrew while nobody looked are purged first.
  await guarded(look);
  const workers = Array.from({ length: settings.concurrency }, () => guarded(work));
  const looking = once ? Promise.resolve() : guarded(looks);
  await Promise.all([...workers, looking]);
  if (once && !end.aborted && lookAt === 0) await guarded(look);
  if (fatal.signal.aborted) throw fatal.signal.reason;
  return { collected, failed };
}

/** What the operator reads of an error that ended a run. Errors of the database may quote values, so that only their code is told. */
export function reasonOf(error: unknown): string {
  if (error instanceof ArchiveError || isVehicleDataError(error)) return error.message;
  if (error instanceof Error && 'severity' in error) return 'the database failed; see its log';
  return error instanceof Error ? error.message : 'the collector failed';
}
