// The heartbeat of a process: as long as it runs, the vehicles that it works on stay its own.
import type { Queries } from '../ledger/database.js';
import { renewClaims } from '../ledger/windows.js';

/** The leases of a process. */
export interface Leases {
  /** How long one lasts without a heartbeat, in milliseconds. */
  readonly ms: number;
  /** Renews a lease while `work` goes on. */
  hold<Result>(lease: string, work: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

export function startLeases(database: Queries, ms: number): Leases {
  const held = new Set<string>();
  let [isRenewing, sinceMs] = [false, 0];
  const timer = setInterval(async () => {
    // One that hangs for longer than a lease is not waited for: its connection may be dead, and another one works.
    if (held.size === 0 || (isRenewing && performance.now() - sinceMs < ms)) return;
    [isRenewing, sinceMs] = [true, performance.now()];
    // One that fails is missed; the next one may work.
    await renewClaims(database, [...held], ms).catch(() => undefined);
    isRenewing = false;
  }, ms / 5);
  timer.unref();
  return {
    ms,
    async hold(lease, work) {
      held.add(lease);
      try {
        return await work();
      } finally {
        held.delete(lease);
      }
    },
    stop: () => clearInterval(timer),
  };
}
