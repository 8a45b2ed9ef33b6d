import type { RequestRecord } from '../observability/observer.js';

// What the entries of the audit log say. In the file each also has its number and two hashes: see `chain.ts`.

/** Whose withdrawal an entry is about: what the two entries of one withdrawal have in common. */
export interface Withdrawal {
  readonly client: string;
  readonly address: string;
  readonly brand: string;
  /** Keyed hash of the VIN, or `null` for all vehicles of the brand. */
  readonly vehicle: string | null;
  readonly requestId: string;
}

/** A withdrawal is about to be sent. */
export interface IntentEntry extends Withdrawal {
  readonly time: string;
  readonly kind: 'intent';
}

/** A withdrawal has ended. */
export interface OutcomeEntry extends Withdrawal {
  readonly time: string;
  readonly kind: 'outcome';
  readonly status: number;
  readonly code: string;
  /** Whether the upstream can have received the request. */
  readonly sent: boolean;
  readonly upstreamRequestId: string;
}

/** How many requests to withdraw were rejected before they were sent; or that an older file is continued in this one. */
export interface SummaryEntry {
  readonly time: string;
  readonly kind: 'summary';
  readonly since: string;
  readonly rejected: readonly { readonly client: string; readonly code: string; readonly count: number }[];
}

/** Entries are missing here, or came late: what a process held when it was killed, or had no room for. */
export interface GapEntry {
  readonly time: string;
  readonly kind: 'gap';
  readonly reason: 'no-room' | 'process-killed' | 'reads-no-room';
  readonly since: string;
  /** Entries that are lost. */
  lost: number;
  /** Entries of the killed process that follow this one. */
  readonly recovered: number;
}

/** Requests that read data, a few dozen in a line. */
export interface ReadsEntry {
  readonly time: string;
  readonly kind: 'reads';
  readonly reads: readonly ReadEntry[];
}

/** A request that reads data and was sent to the upstream. */
export interface ReadEntry {
  readonly time: string;
  readonly client: string;
  readonly brand: string;
  /** Keyed hash of the VIN, or `null` for an operation that names no vehicle. */
  readonly vehicle: string | null;
  readonly operation: string;
  /** First and last day that was asked for, or empty for an operation without days. */
  readonly from: string;
  readonly to: string;
  readonly status: number;
  readonly code: string;
  /** Bytes of the response body that were passed. */
  readonly bytes: number;
}

/** The last line of a file that was put aside: a signature of all its bytes before. See `segments.ts`. */
export interface CloseEntry {
  readonly time: string;
  readonly kind: 'close';
  /** SHA-256 of all bytes of the file before this line. */
  readonly sha256: string;
  /** Which key has signed, or empty where none is set. */
  readonly signer: string;
  /** Ed25519 signature of this line up to here, as hexadecimal digits. */
  readonly signature: string;
}

/** Old files were deleted, up to an entry. */
export interface PruneEntry {
  readonly time: string;
  readonly kind: 'prune';
  /** Number of the last entry that was deleted. */
  readonly through: number;
}

export type AuditEntry = IntentEntry | OutcomeEntry | SummaryEntry | GapEntry | ReadsEntry | CloseEntry | PruneEntry;

export function intentOf(withdrawal: Withdrawal): IntentEntry {
  return { time: now(), kind: 'intent', ...withdrawal };
}

export function outcomeOf(withdrawal: Withdrawal, record: RequestRecord): OutcomeEntry {
  const { status, code, attempts, upstreamRequestId } = record;
  // Not without a connection.
  const sent = attempts > 0 && code !== 'upstream-unreachable';
  return { time: now(), kind: 'outcome', ...withdrawal, status, code, sent, upstreamRequestId };
}

/** Clients and codes that a summary counts one by one; all further ones are counted together, so that a line has a bound. */
const maxCounted = 50;
const others = 'others';

/** Counts of requests to withdraw that were rejected, until they are written. */
export class Rejections {
  #counts = new Map<string, { readonly client: string; readonly code: string; count: number }>();
  #since = '';

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(client: string, code: string): void {
    if (this.isEmpty) this.#since = now();
    const key = `${code} ${client}`;
    const isKnown = this.#counts.has(key) || this.#counts.size < maxCounted;
    const known = this.#counts.get(isKnown ? key : others);
    if (known !== undefined) known.count++;
    else if (isKnown) this.#counts.set(key, { client, code, count: 1 });
    else this.#counts.set(others, { client: others, code: others, count: 1 });
  }

  /** The entry of what was counted; the counts begin anew. */
  take(): SummaryEntry {
    const rejected = [...this.#counts.values()];
    this.#counts = new Map();
    return { time: now(), kind: 'summary', since: this.#since, rejected };
  }
}

/** The time of an entry. */
export function now(): string {
  return new Date().toISOString();
}

/** Withdrawals whose outcome has not been read yet, from entries in the order of their file. */
export class OpenWithdrawals {
  // Clients can choose the identifier of a request, and use one twice.
  readonly #open = new Map<string, { requestId: string; time: string; count: number }>();
  /** What was deleted because of its age. */
  readonly prunes: PruneEntry[] = [];
  readonly gaps: Pick<GapEntry, 'time' | 'reason' | 'lost' | 'recovered'>[] = [];

  /** @param text a line of the log */
  read(text: string): void {
    // The usual line by far, and of no withdrawal.
    if (text.includes('"kind":"reads"')) return;
    const entry: Partial<IntentEntry> | OutcomeEntry | GapEntry | PruneEntry = JSON.parse(text);
    if (entry.kind === 'gap') this.gaps.push(entry);
    if (entry.kind === 'prune') this.prunes.push(entry);
    if (entry.kind !== 'intent' && entry.kind !== 'outcome') return;
    const { client, brand, vehicle, requestId = '', time = '' } = entry;
    const key = JSON.stringify([requestId, client, brand, vehicle]);
    const open = this.#open.get(key);
    if (entry.kind === 'intent') this.#open.set(key, { requestId, time, count: (open?.count ?? 0) + 1 });
    else if (open !== undefined && --open.count === 0) this.#open.delete(key);
  }

  all(): readonly { readonly requestId: string; readonly time: string }[] {
    return [...this.#open.values()].flatMap(({ requestId, time, count }) => Array(count).fill({ requestId, time }));
  }
}
