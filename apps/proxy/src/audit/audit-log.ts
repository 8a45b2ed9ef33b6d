import { createHmac } from 'node:crypto';
import { open } from 'node:fs/promises';
import { waitForLock } from '../store/file-lock.js';
import { chainStart, lastLink, printEntry, type WithdrawalEntry } from './audit-entry.js';

/** Entries that wait to be written; with more, the disk is not keeping up and the rest is lost. */
const maxWaiting = 10_000;
const lockMs = 10_000;
const giveUpMs = 15_000;

/** What an audit log tells about itself. */
export interface AuditListener {
  /** Entries could not be written and are lost. */
  onLost(entries: number): void;
  /** Entries are written again. */
  onWritten(): void;
}

/**
 * The audit log of withdrawals: a file to which one line is appended for each, on the disk before the next is taken. Each line
 * carries a keyed hash of itself and of the line before it, so that nobody without the key can change, insert or remove one
 * unseen. Several processes can write to one file.
 */
export class AuditLog {
  readonly #path: string;
  readonly #key: string;
  readonly #listener: AuditListener;
  #waiting: WithdrawalEntry[] = [];
  #writing: Promise<void> | null = null;

  constructor(path: string, key: string, listener: AuditListener) {
    this.#path = path;
    this.#key = key;
    this.#listener = listener;
  }

  /** Takes an entry; it is written as soon as those before it are. */
  write(entry: WithdrawalEntry): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#listener.onLost(1);
      return;
    }
    this.#waiting.push(entry);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when all that was taken is written or lost. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting;
      this.#waiting = [];
      await this.#append(entries).then(
        () => this.#listener.onWritten(),
        () => this.#listener.onLost(entries.length),
      );
    }
  }

  async #append(entries: readonly WithdrawalEntry[]): Promise<void> {
    const unlock = await waitForLock(`${this.#path}.lock`, lockMs, giveUpMs);
    try {
      const file = await open(this.#path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        let link = size === 0 ? chainStart : await lastLink(file, size);
        let text = '';
        for (const entry of entries) {
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
