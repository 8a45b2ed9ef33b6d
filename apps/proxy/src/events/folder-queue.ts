import { readdir, readFile, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#kit/replace-file.js';
import { lockFile } from '../store/file-lock.js';
import { makeFolder } from '../store/make-folder.js';
import type { Unlock } from '../store/memory-store.js';
import { type EventQueue, maxQueued, type QueuedEvent } from './event-queue.js';

/** Another process delivers when this one has not touched its lock for so long, in milliseconds. */
const lockMs = 60_000;
const touchMs = 10_000;
const fileForm = /^(\d{13})-(evt_[0-9A-Za-z_-]{1,64})\.event$/;

const fileOf = ({ id, createdMs }: QueuedEvent) => `${String(createdMs).padStart(13, '0')}-${id}.event`;

/** A queue in a folder of one machine: a file for each event. Of several processes that share the folder, one delivers. */
export class FolderQueue implements EventQueue {
  readonly #folder: string;
  /** When each event that was tried is due again. */
  readonly #dueMs = new Map<string, number>();
  #unlock: Unlock | null = null;
  #touchedMs = 0;
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws {Error} when the folder cannot be made or read */
  static async open(folder: string): Promise<FolderQueue> {
    await makeFolder(folder);
    const queue = new FolderQueue(folder);
    const names = await queue.#names();
    // What a process that was killed has left of a file that it wrote.
    for (const name of await readdir(folder))
      if (/\.event\.[0-9a-f-]+\.tmp$/.test(name)) await unlink(join(folder, name)).catch(() => {});
    queue.#count = names.length;
    return queue;
  }

  async add(event: QueuedEvent): Promise<boolean> {
    if (this.#count >= maxQueued && (await this.#names()).length >= maxQueued) return false;
    this.#count++;
    await replaceFile(join(this.#folder, fileOf(event)), event.text);
    return true;
  }

  async claim(leaseMs: number): Promise<QueuedEvent | null> {
    if (!(await this.#leads())) return null;
    const nowMs = Date.now();
    for (const name of await this.#names()) {
      const [, created = '', id = ''] = fileForm.exec(name) ?? [];
      if ((this.#dueMs.get(id) ?? 0) > nowMs) continue;
      const text = await readFile(join(this.#folder, name), 'utf8');
      this.#dueMs.set(id, nowMs + leaseMs);
      return { id, createdMs: Number(created), text };
    }
    return null;
  }

  async done(event: QueuedEvent): Promise<void> {
    await unlink(join(this.#folder, fileOf(event))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    this.#dueMs.delete(event.id);
  }

  async later({ id }: QueuedEvent, pauseMs: number): Promise<void> {
    this.#dueMs.set(id, Date.now() + pauseMs);
  }

  async state() {
    const names = await this.#names();
    const [oldest] = names;
    return { queued: names.length, oldestMs: oldest === undefined ? null : Number(oldest.slice(0, 13)) };
  }

  async close(): Promise<void> {
    await this.#unlock?.();
  }

  /** The files of events, the oldest first. */
  async #names(): Promise<readonly string[]> {
    const names = (await readdir(this.#folder)).filter((name) => fileForm.test(name)).sort();
    this.#count = names.length;
    return names;
  }

  /** Whether this process is the one that delivers. */
  async #leads(): Promise<boolean> {
    const path = join(this.#folder, 'sender.lock');
    const sinceMs = performance.now() - this.#touchedMs;
    // Whoever slept for so long may have been replaced.
    if (this.#unlock !== null && sinceMs > lockMs / 2) this.#unlock = null;
    if (this.#unlock !== null && sinceMs < touchMs) return true;
    if (this.#unlock === null) this.#unlock = await lockFile(path, lockMs);
    else await utimes(path, new Date(), new Date());
    if (this.#unlock === null) return false;
    this.#touchedMs = performance.now();
    return true;
  }
}
