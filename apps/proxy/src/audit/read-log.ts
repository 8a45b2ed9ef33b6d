import { createHmac } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { foldVin } from '../auth/client.js';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';
import type { Warnings } from '../observability/warnings.js';
import { appendToChain, maxLineBytes, type OpenFile, withChainLock } from './chain.js';
import { type GapEntry, now, type ReadEntry, type ReadsEntry } from './entries.js';
import type { ReadAudit } from './read-audit.js';

export interface ReadLogOptions {
  /** Secret of the hashes of VINs and lines. */
  readonly key: string;
  readonly warnings: Pick<Warnings, 'raise' | 'clear'>;
  /** Whether withdrawals wait for the file: they come first. Default: they never do. */
  readonly mustWait?: () => boolean;
  /** Called with how many reads, and how many gaps, were written. */
  readonly onWritten?: (reads: number, gaps: number) => void;
  /** Called with how many reads had no room and will never be written. */
  readonly onLost?: (count: number) => void;
  /** Opens the file, as `open` of `node:fs/promises` does. */
  readonly openFile?: OpenFile;
  /** Bytes that are free on the disk of the file. */
  readonly freeBytes?: () => Promise<number>;
  /** Time between two writes, in milliseconds. Default 1000. */
  readonly everyMs?: number;
}

/** Reads that wait for the file: about 4 MB. Further ones are counted alone. */
export const maxWaitingReads = 20_000;
/** So many are written before the time has come. */
const soonReads = 5000;
/** Bytes of the disk that reads leave to withdrawals: 8 MiB. */
export const reservedBytes = 8_388_608;
/** Hashes of VINs that are kept in memory, so that each is made once; and other texts. */
const maxKnown = 20_000;
/** Reads that are written with one fsync at most; the lock is free for withdrawals after it. */
const maxAtOnce = 5000;
const closeMs = 2000;

const fullWarning =
  'VDS_AUDIT_READS: reads cannot be written; 20000 wait in memory, further ones are lost and counted, and requests continue';

/**
 * Writes reads to the audit log, behind one another in lines of a few dozen, about once a second: no request waits for the disk. While the
 * file cannot be written, or has no room but that of withdrawals, a bounded number waits in memory; how many more there were is in a gap.
 * A process that is killed loses the reads of its last second.
 */
export class ReadLog implements ReadAudit {
  readonly #path: string;
  readonly #options: ReadLogOptions;
  readonly #hashes = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #timer: ReturnType<typeof setInterval>;
  #waiting: ReadEntry[] = [];
  /** Reads without room since the last write. */
  #lost = 0;
  #lostSince = '';
  #writing: Promise<void> | null = null;

  constructor(path: string, options: ReadLogOptions) {
    this.#path = path;
    this.#options = options;
    this.#timer = setInterval(() => this.#start(), options.everyMs ?? 1000).unref();
  }

  /** Reads that are not on the disk yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  read({ client, status, code, bytes }: RequestRecord, { brand, vehicle, operationId, days }: ForwardPlan): void {
    if (this.#waiting.length >= maxWaitingReads) {
      this.#lose(1);
      return;
    }
    this.#waiting.push({
      time: timeOf(Date.now()),
      client: this.#shared(client),
      brand: this.#shared(brand),
      vehicle: vehicle === '' ? null : this.#hashOf(vehicle),
      operation: operationId,
      from: this.#shared(days[0]),
      to: this.#shared(days[1]),
      status,
      code,
      bytes,
    });
    if (this.#waiting.length === soonReads) this.#start();
  }

  /** Writes what waits, as far as the disk takes it in two seconds. Returns how many reads are lost. */
  async close(): Promise<number> {
    clearInterval(this.#timer);
    const patience = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
    await Promise.race([this.#writing, patience]);
    // What came during the last write.
    for (let turn = 0; turn < 2 && this.#waiting.length > 0; turn++) {
      this.#start();
      await Promise.race([this.#writing, patience]);
    }
    const left = this.#waiting.length;
    if (left > 0) this.#options.onLost?.(left);
    return left + this.#lost;
  }

  #lose(count: number): void {
    if (this.#lost === 0) this.#lostSince = now();
    this.#lost += count;
    this.#options.onLost?.(count);
    this.#options.warnings.raise('audit-reads', fullWarning);
  }

  #start(): void {
    if (this.#waiting.length === 0 && this.#lost === 0) return;
    this.#writing ??= this.#write()
      .catch(() => this.#options.warnings.raise('audit-reads', fullWarning))
      .finally(() => {
        this.#writing = null;
      });
  }

  /** Writes what waits, in its order. @throws {Error} when the file cannot be written; then all of it waits on */
  async #write(): Promise<void> {
    const { key, warnings, mustWait, openFile, freeBytes = () => freeBytesAt(this.#path) } = this.#options;
    // What comes meanwhile waits for the next time, unless it is much: a write for every few reads would cost more than they do.
    for (let most = 1; this.#waiting.length >= most || this.#lost > 0; most = soonReads) {
      // While withdrawals wait for a full disk, reads take none of what becomes free.
      if (mustWait?.()) throw new Error('withdrawals wait');
      if ((await freeBytes()) < reservedBytes) throw new Error('no room');
      const batch = this.#waiting.slice(0, maxAtOnce);
      // Behind all that had room, and before what comes later.
      const lost = batch.length === this.#waiting.length ? this.#lost : 0;
      const entries: (ReadsEntry | GapEntry)[] = linesOf(batch);
      if (lost > 0) entries.push(gapOf(lost, this.#lostSince));
      await withChainLock(this.#path, () => appendToChain(this.#path, key, entries, openFile));
      this.#waiting = this.#waiting.slice(batch.length);
      this.#lost -= lost;
      this.#options.onWritten?.(batch.length, lost > 0 ? 1 : 0);
    }
    warnings.clear('audit-reads');
  }

  #hashOf(vin: string): string {
    const known = this.#hashes.get(vin);
    if (known !== undefined) return known;
    const made = hashOfVin(this.#options.key, vin);
    if (this.#hashes.size >= maxKnown) this.#hashes.clear();
    this.#hashes.set(ownCopy(vin), made);
    return made;
  }

  /** The one copy of a text that many requests have: what waits would otherwise keep their heads in memory, for the collector to carry. */
  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= maxKnown) this.#texts.clear();
    const copy = ownCopy(text);
    this.#texts.set(copy, copy);
    return copy;
  }
}

/** A copy that is no part of a longer text. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** As `vinHash` makes it, at once. */
export function hashOfVin(key: string, vin: string): string {
  return createHmac('sha256', key).update(foldVin(vin)).digest('hex').slice(0, 32);
}

async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}

let lastMs = 0;
let lastTime = '';

/** The text of a time; many requests have the same. */
function timeOf(ms: number): string {
  if (ms === lastMs) return lastTime;
  lastMs = ms;
  lastTime = new Date(ms).toISOString();
  return lastTime;
}

/** Room for number, hashes and the names around the reads of a line. */
const frameBytes = 512;
/** More than a read has besides what its client can choose, which is nothing but the identifier. */
const readBytes = 320;

/** Divides reads among lines with a bound. */
function linesOf(reads: readonly ReadEntry[]): ReadsEntry[] {
  const entries: ReadsEntry[] = [];
  const most = Math.floor((maxLineBytes - frameBytes) / readBytes);
  for (let index = 0; index < reads.length; index += most)
    entries.push({ time: now(), kind: 'reads', reads: reads.slice(index, index + most) });
  return entries;
}

function gapOf(lost: number, since: string): GapEntry {
  return { time: now(), kind: 'gap', reason: 'reads-no-room', since, lost, recovered: 0 };
}
