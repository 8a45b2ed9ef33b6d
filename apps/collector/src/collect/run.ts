// What the loops of one process share.
import type { Settings } from '../config/settings.js';
import type { Account } from '../ledger/accounts.js';
import type { Leases } from './leases.js';
import type { OpenLake } from './open.js';
import type { Service } from './service.js';

/** What happened since the process started. */
export interface Counts {
  /** Windows that became part of the lake. */
  collected: number;
  /** Attempts that failed. */
  failed: number;
  /** Of those, the last ones without a success in between. */
  inARow: number;
  /** Milliseconds that workers waited for a limit. */
  throttledMs: number;
  /** Vehicles that this process purged. */
  purged: number;
  readonly failures: Map<string, number>;
}

/** A collector that runs. */
export interface Run {
  readonly lake: OpenLake;
  readonly settings: Settings;
  readonly leases: Leases;
  readonly counts: Counts;
  readonly isOnce: boolean;
  /** With `--once`, so many failures in a row end the run. */
  readonly mostFailures: number;
  /** Aborted: no window is begun any more. */
  readonly end: AbortSignal;
  /** Aborted: those under way end as well. */
  readonly broken: AbortSignal;
  readonly note: (text: string) => void;
  readonly accountOf: (name: string) => Promise<Account | undefined>;
  readonly serviceOf: (account: Account) => Service;
  /** Whose calls are counted: those of an account, or of the API key at a brand. */
  readonly bucketOf: (of: { readonly account: string; readonly brand: string }) => string;
  readonly upstreamOf: (brand: string) => string;
  readonly fails: (code: string) => void;
  /** Waits, unless the run ends. Returns the milliseconds. */
  readonly pause: (ms: number) => Promise<number>;
}
