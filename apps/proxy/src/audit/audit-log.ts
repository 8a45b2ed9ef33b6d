import { open, unlink } from 'node:fs/promises';
import { vinHash } from '../auth/client.js';
import type { RequestRecord } from '../observability/observer.js';
import type { Warnings } from '../observability/warnings.js';
import { appendToChain, withChainLock } from './chain.js';
import { type AuditEntry, type GapEntry, intentOf, now, outcomeOf, Rejections, type SummaryEntry } from './entries.js';
import { HeldRoom, type LeftRoom, leftRooms, silentMs } from './held-room.js';
import { segmentsOf } from './segments.js';
import type { BegunWithdrawal, WithdrawalAudit } from './withdrawal-audit.js';

export interface AuditLogOptions {
  /** Secret of the hashes of VINs and lines. */
  readonly key: string;
  readonly warnings: Pick<Warnings, 'raise' | 'clear'>;
  /** Writes a line to the log of the program. */
  readonly say: (line: string) => void;
  /** Whether a withdrawal is rejected when its intent cannot be written. Default: it is sent, and its entries are held. */
  readonly isRequired?: boolean;
  /** Called for each entry that had no room and will never be written. */
  readonly onLost?: () => void;
  /** Called with the kind of each entry that is on the disk. */
  readonly onWritten?: (kind: AuditEntry['kind']) => void;
  /** Opens the file, as `open` of `node:fs/promises` does. */
  readonly openFile?: typeof open;
  /** Time between two attempts to write after a failure, in milliseconds. Default 1000. */
  readonly retryMs?: number;
}

/** An entry on its way to the disk. */
interface Waiting {
  readonly entry: AuditEntry;
  isHeld: boolean;
  /** Called once: with `true` when it is on the disk in the log, with `false` when it is held because it could not be written. */
  readonly settle: (isWritten: boolean) => void;
}

/** Entries of withdrawals that wait. Rejected requests never take their room. */
const maxWaiting = 10_000;
/** Entries that are written at once. */
const maxBatch = 500;
/** Rejected requests are written as one entry no more often than this, in milliseconds. */
const summaryMs = 60_000;
const closeMs = 5_000;
const roomMs = 500;
/** What is read of the end of a log to find out which entries it has. */
const tailBytes = 4_194_304;

const heldWarning = 'VDS_AUDIT_FILE: entries cannot be written; they are held, and withdrawals continue';
const requiredWarning = 'VDS_AUDIT_FILE: entries cannot be written; withdrawals are rejected until they can';
const lostWarning =
  'VDS_AUDIT_FILE: entries cannot be written and have no room; some are lost, and withdrawals continue';

/**
 * The audit log of withdrawals, whatever the log level: an intent before a withdrawal is sent, an outcome after it, both on the disk in a
 * chain (`chain.ts`). While the file cannot be written, the owner's will does not wait for a disk: the withdrawal is sent, its entries are
 * held in room that nothing else uses (`held-room.ts`), printed on the log of the program, and written in their order as soon as the file
 * can be written again. Entries that even that room cannot take leave a `gap` with their number.
 */
export class AuditLog implements WithdrawalAudit {
  readonly #path: string;
  readonly #options: AuditLogOptions;
  readonly #hashVin: (vin: string) => Promise<string>;
  readonly #room: HeldRoom | null;
  readonly #rejections = new Rejections();
  readonly #waiting: Waiting[] = [];
  #summary: SummaryEntry | null = null;
  #summaryTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | null = null;
  #recovering: ReturnType<typeof setInterval> | undefined;
  #isFailing = false;

  private constructor(path: string, options: AuditLogOptions, room: HeldRoom | null) {
    this.#path = path;
    this.#options = options;
    this.#hashVin = vinHash(options.key);
    this.#room = room;
  }

  /** Opens the log, and writes what processes that were killed have held. */
  static async open(path: string, options: AuditLogOptions): Promise<AuditLog> {
    const room = await HeldRoom.take(path, options.key).catch(() => {
      options.warnings.raise(
        'audit-log',
        'VDS_AUDIT_FILE: there is no room beside the file for entries that must wait',
      );
      return null;
    });
    const log = new AuditLog(path, options, room);
    const recover = () =>
      log.#recover().catch(() => options.say('VDS_AUDIT_FILE: what an earlier process held stays beside the file'));
    await recover();
    // A process that was killed in another container is known by its silence alone.
    log.#recovering = setInterval(recover, silentMs).unref();
    return log;
  }

  /** Entries of withdrawals that are not on the disk yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether the file cannot be written: withdrawals wait, and come first when it can. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  async begin(
    record: RequestRecord,
    brand: string,
    vehicle: string,
    withinMs: number,
  ): Promise<BegunWithdrawal | null> {
    const { isRequired = false } = this.#options;
    // The request that finds the fault has waited for it; the others need not.
    if (isRequired && this.#isFailing) return null;
    const { client, address, requestId } = record;
    const hash = vehicle === '' ? null : await this.#hashVin(vehicle);
    const withdrawal = { client, address, brand, vehicle: hash, requestId };
    const isWritten = await this.#take(intentOf(withdrawal), withinMs);
    const end = (ended: RequestRecord) => void this.#take(outcomeOf(withdrawal, ended), withinMs);
    if (isWritten || !isRequired) return { end };
    // The intent is held, and written later: an outcome must say that nothing was sent.
    end({ ...record, status: 503, code: 'audit-unavailable', attempts: 0 });
    return null;
  }

  rejected({ client, code }: RequestRecord): void {
    this.#rejections.add(client, code);
    this.#summaryTimer ??= setTimeout(() => this.#summarize(), summaryMs).unref();
  }

  /** Writes what waits, as far as the disk takes it; what it does not take stays in the room for the next process. */
  async close(): Promise<void> {
    clearTimeout(this.#retryTimer);
    this.#summarize();
    const patience = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
    const written = async () => {
      while (this.#writing !== null) await this.#writing;
    };
    await Promise.race([written(), patience]);
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#summaryTimer);
    clearInterval(this.#recovering);
    if (this.#waiting.length > 0) {
      // Also those that a slow disk has neither taken nor rejected yet.
      await this.#hold();
      this.#options.say(`${this.#waiting.length} entries of the audit log are held`);
    }
    await Promise.race([this.#room?.close().catch(() => {}), patience]);
  }

  /** @returns whether the entry is in the log: `false` when it is held, or when that takes longer than `withinMs` */
  #take(entry: AuditEntry, withinMs: number): Promise<boolean> {
    if (this.#waiting.length >= maxWaiting) {
      this.#lose();
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const slow = setTimeout(() => {
        this.#fail();
        void this.#hold();
        resolve(false);
      }, withinMs);
      const settle = (isWritten: boolean) => {
        clearTimeout(slow);
        resolve(isWritten);
      };
      this.#waiting.push({ entry, isHeld: false, settle });
      if (this.#isFailing) void this.#hold();
      else this.#start();
    });
  }

  /** Counts an entry that has no room, in a gap behind those that wait. */
  #lose(): void {
    this.#options.onLost?.();
    this.#fail();
    const last = this.#waiting.at(-1)?.entry;
    if (last?.kind === 'gap') last.lost++;
    else this.#waiting.push({ entry: gapOf('no-room', 1, 0), isHeld: false, settle: () => {} });
  }

  #summarize(): void {
    clearTimeout(this.#summaryTimer);
    this.#summaryTimer = undefined;
    if (!this.#rejections.isEmpty) this.#summary ??= this.#rejections.take();
    this.#start();
  }

  #start(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      // What came after the last look.
      if (this.#waiting.length === 0) return;
      if (!this.#isFailing) this.#start();
      // The time for the next attempt can have come while entries were still being held.
      else this.#fail();
    });
  }

  /** Writes what waits, in its order, until nothing does or the file cannot be written. */
  async #writeAll(): Promise<void> {
    const { key, warnings, openFile } = this.#options;
    while (this.#waiting.length > 0 || this.#summary !== null) {
      const batch = this.#waiting.slice(0, maxBatch);
      const summary = this.#summary;
      const entries = [...batch.map(({ entry }) => entry), ...(summary === null ? [] : [summary])];
      try {
        const wasCut = await withChainLock(this.#path, () => appendToChain(this.#path, key, entries, openFile));
        if (wasCut) warnings.raise('audit-log', 'VDS_AUDIT_FILE: what a crash has left of a line is removed');
      } catch {
        this.#fail();
        await this.#hold();
        return;
      }
      this.#waiting.splice(0, batch.length);
      if (this.#summary === summary) this.#summary = null;
      for (const { kind } of entries) this.#options.onWritten?.(kind);
      for (const { settle } of batch) settle(true);
    }
    this.#isFailing = false;
    warnings.clear('audit-log');
    await this.#room?.clear().catch(() => {});
  }

  #fail(): void {
    const { warnings, isRequired = false, retryMs = 1000 } = this.#options;
    this.#isFailing = true;
    const hasLost = this.#waiting.some(({ entry }) => entry.kind === 'gap');
    warnings.raise('audit-log', isRequired ? requiredWarning : hasLost ? lostWarning : heldWarning);
    // With nothing to write, a summary of what was rejected finds out whether the file is good again.
    const retry = () => {
      this.#retryTimer = undefined;
      if (!this.#rejections.isEmpty) this.#summary ??= this.#rejections.take();
      this.#start();
    };
    this.#retryTimer ??= setTimeout(retry, retryMs).unref();
  }

  /** Prints all that waits, and keeps it in the room. */
  async #hold(): Promise<void> {
    const fresh = this.#waiting.filter(({ isHeld }) => !isHeld);
    for (const waiting of fresh) waiting.isHeld = true;
    for (const { entry } of fresh) this.#options.say(`audit entry held: ${JSON.stringify(entry)}`);
    // The disk of the room may hang as well.
    const patience = new Promise<void>((resolve) => setTimeout(resolve, roomMs).unref());
    await Promise.race([this.#room?.hold(fresh.map(({ entry }) => entry)).catch(() => {}), patience]);
    for (const { settle } of fresh) settle(false);
  }

  /** Writes what processes that were killed have held. */
  async #recover(): Promise<void> {
    const { key, openFile } = this.#options;
    await withChainLock(this.#path, async () => {
      for (const room of await leftRooms(this.#path, key)) {
        const entries = await this.#missing(room);
        if (entries.length + room.lost > 0) {
          const gap = gapOf('process-killed', room.lost, entries.length);
          await appendToChain(this.#path, key, [gap, ...entries], openFile);
          for (const { kind } of [gap, ...entries]) this.#options.onWritten?.(kind);
          this.#options.say('VDS_AUDIT_FILE: a process was killed while it held entries; a gap says how many');
        }
        await unlink(room.path);
      }
    });
  }

  /** The entries of a room that are not in the log: a process can be killed between writing them and clearing its room. */
  async #missing({ entries }: LeftRoom): Promise<readonly AuditEntry[]> {
    if (entries.length === 0) return [];
    // They can have been written just before the file was put aside.
    const files = (await segmentsOf(this.#path)).slice(-2);
    const log = (await Promise.all(files.map(tailOf))).join('\n');
    return entries.filter((entry) => !log.includes(JSON.stringify(entry).slice(1, -1)));
  }
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await file.close();
  }
}

function gapOf(reason: GapEntry['reason'], lost: number, recovered: number): GapEntry {
  const time = now();
  return { time, kind: 'gap', reason, since: time, lost, recovered };
}
