import { stat } from 'node:fs/promises';
import { msPerDay } from '#kit/calendar.js';
import type { Warnings } from '../observability/warnings.js';
import { now } from './entries.js';
import { beginOf, closeSegment, pruneSegments } from './segments.js';
import type { Signer } from './signing-key.js';

export interface SegmentRules {
  readonly key: string;
  readonly signer: Signer | null;
  /** Size from which a file is put aside, in bytes. */
  readonly maxBytes: number;
  /** Days for which files are kept that were put aside; `null` for ever. */
  readonly keepDays: number | null;
  readonly warnings: Pick<Warnings, 'raise' | 'clear'>;
  /** The time. Default: the clock of the machine. */
  readonly nowMs?: () => number;
}

/** How often the file is looked at, in milliseconds. */
const lookMs = 2000;
const pruneEveryMs = 3_600_000;

const closeWarning = 'VDS_AUDIT_FILE: the file cannot be put aside; it grows until it can, and entries are written';

/** The first entry of a file that continues another one. */
export const continuation = () => ({ time: now(), kind: 'summary', since: now(), rejected: [] });

/** Puts the audit log aside when it is large enough or its day (UTC) is over, and deletes what is older than it is to be kept. */
export class SegmentKeeper {
  readonly #path: string;
  readonly #rules: SegmentRules;
  readonly #timer: ReturnType<typeof setInterval>;
  #looking: Promise<void> | null = null;
  #prunedMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, rules: SegmentRules) {
    this.#path = path;
    this.#rules = rules;
    this.#timer = setInterval(() => this.look(), lookMs).unref();
  }

  /** Does what is due now. Never rejects. */
  look(): Promise<void> {
    const { warnings } = this.#rules;
    this.#looking ??= this.#look()
      .then(
        () => warnings.clear('audit-segments'),
        () => warnings.raise('audit-segments', closeWarning),
      )
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { key, signer, keepDays } = this.#rules;
    const mustClose = () => this.#mustClose();
    const isClosed =
      (await mustClose()) && (await closeSegment(this.#path, key, continuation(), signer, mustClose)) !== null;
    const nowMs = this.#nowMs();
    if (keepDays === null || !(isClosed || nowMs - this.#prunedMs >= pruneEveryMs)) return;
    await pruneSegments(this.#path, key, nowMs - keepDays * msPerDay);
    this.#prunedMs = nowMs;
  }

  async #mustClose(): Promise<boolean> {
    const { size } = await stat(this.#path).catch(() => ({ size: 0 }));
    if (size === 0) return false;
    if (size >= this.#rules.maxBytes) return true;
    const begin = await beginOf(this.#path);
    return begin !== null && Math.floor(begin / msPerDay) < Math.floor(this.#nowMs() / msPerDay);
  }

  #nowMs(): number {
    return this.#rules.nowMs?.() ?? Date.now();
  }
}
