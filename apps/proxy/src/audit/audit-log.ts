import { createHmac } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type VinHash, vinHash } from '../auth/vehicle-rights.js';
import type { WithdrawalListener } from '../forward/forward-plan.js';
import type { Warnings } from '../observability/warnings.js';
import { waitForLock } from '../store/file-lock.js';
import { chainStart, lastLink, printEntry, type WithdrawalEntry } from './audit-entry.js';

/** Entries that wait to be written; with more, the disk is not keeping up and the rest is lost. */
const maxWaiting = 10_000;
const lockMs = 10_000;
const giveUpMs = 15_000;

type Waiting = Omit<WithdrawalEntry, 'vehicle'> & { readonly vin: string };

/**
 * The audit log of withdrawals, whatever the log level: a file to which one line is appended for each, on the disk before the next is
 * taken. Each line carries a keyed hash of itself and of the line before it, so that nobody without the key can change, insert or
 * remove one unseen. Several processes can write to one file. While entries cannot be written, a warning says so and withdrawals
 * continue, because an owner's will does not wait for a disk.
 */
export class AuditLog {
  readonly #path: string;
  readonly #key: string;
  readonly #hash: VinHash;
  readonly #warnings: Warnings;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  /** @param key secret of the hashes of VINs and lines */
  constructor(path: string, key: string, warnings: Warnings) {
    this.#path = path;
    this.#key = key;
    this.#hash = vinHash(key);
    this.#warnings = warnings;
  }

  /** Takes a withdrawal; it is written as soon as those before it are. */
  readonly onWithdrawal: WithdrawalListener = (
    { client, address, brand, vehicle, requestId },
    { status, code, attempts, upstreamRequestId },
  ) => {
    const outcome = { status, code, sent: attempts > 0, requestId, upstreamRequestId };
    if (this.#waiting.length >= maxWaiting) this.#lost();
    else this.#waiting.push({ time: new Date().toISOString(), client, address, brand, vin: vehicle, ...outcome });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  };

  /** Resolves when all that was taken is written or lost. */
  async close(): Promise<void> {
    await this.#writing;
  }

  #lost(): void {
    this.#warnings.raise('audit-log', 'VDS_AUDIT_FILE: entries cannot be written and are lost; withdrawals continue');
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      await this.#append(entries).then(
        () => this.#warnings.clear('audit-log'),
        () => this.#lost(),
      );
    }
  }

  async #append(entries: readonly Waiting[]): Promise<void> {
    const unlock = await waitForLock(`${this.#path}.lock`, lockMs, giveUpMs);
    try {
      const file = await open(this.#path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        let link = size === 0 ? chainStart : await lastLink(file, size);
        let text = '';
        for (const { time, client, address, brand, vin, ...outcome } of entries) {
          const vehicle = vin === '' ? null : await this.#hash(vin);
          const entry = { time, client, address, brand, vehicle, ...outcome };
          const { line, next } = printEntry(entry, link, (body) => hashOf(this.#key, body));
          text += line;
          link = next;
        }
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
    } finally {
      await unlock();
    }
  }
}

/** The keyed hash that closes a line. */
export function hashOf(key: string, body: string): string {
  return createHmac('sha256', key).update(body).digest('hex');
}
