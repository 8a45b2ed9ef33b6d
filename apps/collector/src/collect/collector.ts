// The loops of a collector: lists of accounts, purges, and workers that fetch what is due. Every process of a ledger runs the same.
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../config/settings.js';
import {
  type Account,
  claimLook,
  finishLook,
  lookNow,
  nextAfterLease,
  nextAfterLimit,
  renewListMs,
  renewLook,
} from '../ledger/accounts.js';
import { sweep } from '../ledger/sweep.js';
import { failureOf } from './failures.js';
import { startLeases } from './leases.js';
import type { OpenLake } from './open.js';
import { finishPurges } from './purge.js';
import type { Counts, Run } from './run.js';
import type { Service } from './service.js';
import { applyList, secondLookMs } from './vehicles.js';
import { pauseAfter, workOnce } from './work.js';

/** How often an idle worker looks for a window that is due. */
const idleMs = 500;
/** After a failure of the database or the store. */
const surroundingsMs = 1_000;
/** A list that failed is fetched again after one second, then two, four and so on, up to this. */
const failedLookMs = 60_000;
const sweepEveryMs = 600_000;
const refreshEveryMs = 15_000;
const accountTtlMs = 5_000;

/** Signals and messages of a run. */
export interface Control {
  /** No window is begun any more; those under way end. */
  readonly stop: AbortSignal;
  /** Ends those under way as well. They stay due. */
  readonly abort: AbortSignal;
  readonly note: (text: string) => void;
}

/** A collector before it runs. */
export interface Collector {
  readonly counts: Counts;
  /**
   * Collects until `stop` is aborted, and with `once` until nothing is due. What fails stays due and keeps no other waiting.
   *
   * @throws ArchiveError where another program took the archive over, or the lake is damaged.
   */
  run(): Promise<void>;
}

export function createCollector(
  lake: OpenLake,
  serviceOf: (account: Account) => Service,
  settings: Settings,
  { stop, abort, note }: Control,
): Collector {
  const { database, blobs } = lake;
  const fatal = new AbortController();
  const end = AbortSignal.any([stop, abort, fatal.signal]);
  const broken = AbortSignal.any([abort, fatal.signal]);
  const counts: Counts = { collected: 0, failed: 0, inARow: 0, throttledMs: 0, purged: 0, failures: new Map() };
  /** How often the list of an account has failed in a row. */
  const failedLooks = new Map<string, number>();
  const accounts = new Map<string, { readonly account: Account | undefined; readonly at: number }>();
  const run: Run = {
    ...{ lake, settings, counts, end, broken, note, serviceOf },
    leases: startLeases(database, settings.leaseMs),
    isOnce: settings.once,
    mostFailures: 10,
    async accountOf(name) {
      const known = accounts.get(name);
      if (known && performance.now() - known.at < accountTtlMs) return known.account;
      const [account] = await database.query<Account>(
        `select name, brand, token_file as "tokenFile" from vds.accounts where name = $1 and state = 'active'`,
        [name],
      );
      if (accounts.size > 10_000) accounts.clear();
      accounts.set(name, { account, at: performance.now() });
      return account;
    },
    bucketOf: ({ account, brand }) => (settings.apiKey === undefined ? `account/${account}` : `key/${brand}`),
    upstreamOf: (brand) => `${settings.baseUrl} ${brand}`,
    fails(code) {
      counts.failed += 1;
      counts.inARow += 1;
      counts.failures.set(code, (counts.failures.get(code) ?? 0) + 1);
    },
    async pause(ms) {
      const from = performance.now();
      await wait(ms, undefined, { signal: end }).catch(() => undefined);
      return performance.now() - from;
    },
  };
  let [nextViews, nextSweep] = [0, 0];
  const gaveUp = () => settings.once && counts.inARow >= run.mostFailures;

  /** Runs a step again and again. One that fails because of the database or the store is tried again a little later. */
  async function repeat(step: () => Promise<number | undefined>): Promise<void> {
    while (!end.aborted && !gaveUp()) {
      let pauseMs: number | undefined;
      try {
        pauseMs = await step();
      } catch (error) {
        if (broken.aborted) return;
        const failure = failureOf(error);
        if (failure?.of !== 'surroundings') throw error;
        run.fails(failure.code);
        note(
          `The ${failure.code} failed${failure.reason ? ` (${failure.reason})` : ''}; the next try is in ${surroundingsMs / 1000} s.`,
        );
        pauseMs = surroundingsMs;
      }
      if (pauseMs === undefined) return;
      if (pauseMs > 0) await run.pause(pauseMs);
    }
  }

  /** One look at the list of one account, and what follows from it. `false` where no list is due. */
  async function look(): Promise<boolean> {
    const claim = await claimLook(database);
    if (!claim) return false;
    let [againMs, done, renewals] = [settings.everyMs, true, 0];
    const renewing = setInterval(async () => {
      const isRenewed = await renewLook(database, claim).catch(() => false);
      if (isRenewed) renewals += 1;
    }, renewListMs);
    try {
      const vins = await serviceOf(claim).listVins(broken);
      const fleet = { database, state: lake.readState(), pseudonymOf: lake.pseudonymOf, since: settings.since };
      const confirmed = claim.confirmPurge ?? settings.confirmPurge ?? null;
      const { unconfirmed, isDoubtful } = await applyList(
        fleet,
        { ...claim, confirmPurge: confirmed },
        vins,
        Date.now(),
      );
      if (unconfirmed)
        note(
          `${unconfirmed.missing} of ${unconfirmed.of} vehicles are missing from the list of account ${claim.name}; nothing is purged. If their owners withdrew: --confirm-purge ${unconfirmed.missing}`,
        );
      failedLooks.delete(claim.name);
      if (isDoubtful) againMs = Math.min(againMs, secondLookMs + idleMs);
    } catch (error) {
      if (broken.aborted) return false;
      const failure = failureOf(error);
      if (!failure || failure.of === 'surroundings') throw error;
      run.fails(failure.code);
      const failed = failedLooks.get(claim.name) ?? 0;
      if (failedLooks.size > 10_000) failedLooks.clear();
      failedLooks.set(claim.name, failed + 1);
      [againMs, done] = [Math.min(settings.everyMs, failedLookMs, 1000 * 2 ** failed), false];
      if (failure.of === 'consent') note(`The list of account ${claim.name} failed (${failure.code}).`);
      else if (failure.of !== 'window')
        againMs = Math.max(againMs, await pauseAfter(run, { account: claim.name, brand: claim.brand }, failure));
    } finally {
      clearInterval(renewing);
    }
    await finishLook(database, claim, againMs, done, renewals);
    return true;
  }

  async function purge(waitFor?: AbortSignal): Promise<void> {
    const purged = await finishPurges(lake, run.leases, waitFor);
    counts.purged += purged;
    if (purged > 0) note(`${purged} vehicles no longer share data; their files are gone.`);
  }

  // Each by itself: a store that fails keeps purges waiting, and not the lists that say who has withdrawn.
  const looker = () => repeat(async () => ((await look()) ? 0 : idleMs));
  const purger = () => repeat(() => purge().then(() => idleMs));
  /** With `once`: every list that is due, and what follows from it to its end. */
  const lookAndPurge = () =>
    repeat(async () => {
      const didLook = await look();
      await purge(broken);
      return didLook ? 0 : undefined;
    });
  const worker = () =>
    repeat(async () => {
      if (!(await lake.isOurs())) return idleMs;
      if (await workOnce(run)) return 0;
      if (!settings.once) return idleMs;
      // Also for vehicles of a process that was killed, or still works.
      const ms = (await nextAfterLimit(database)) ?? (await nextAfterLease(database));
      return ms === undefined ? undefined : Math.min(Math.max(ms, 10), idleMs);
    });
  const sweeper = () =>
    repeat(async () => {
      const now = performance.now();
      // First what readers need: files of a forgotten vehicle that cannot be removed keep nothing else waiting.
      const areViewsDue = now >= nextViews;
      await lake.refresh(areViewsDue);
      if (areViewsDue) nextViews = now + sweepEveryMs;
      if (now >= nextSweep) {
        await sweep(database, blobs, lake.readState());
        nextSweep = now + sweepEveryMs;
      }
      return settings.once ? undefined : refreshEveryMs;
    });
  const guarded = (loop: () => Promise<void>) => loop().catch((error: unknown) => fatal.abort(error));

  return {
    counts,
    async run() {
      // Vehicles that withdrew while nobody looked are purged before any work.
      if (settings.once || lake.isAlone) await lookNow(database);
      if (settings.once) await guarded(lookAndPurge);
      const workers = Array.from({ length: settings.concurrency }, () => guarded(worker));
      const looking = settings.once ? [] : [guarded(looker), guarded(purger)];
      await Promise.all([...workers, ...looking, guarded(sweeper)]);
      if (settings.once && !end.aborted && !gaveUp()) await guarded(lookAndPurge);
      run.leases.stop();
      if (fatal.signal.aborted) throw fatal.signal.reason;
    },
  };
}
