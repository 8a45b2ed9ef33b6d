import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasEnded, processMark } from '../store/file-lock.js';
import type { AuditEntry } from './entries.js';

// Room on the disk that is taken when the process starts and that nothing else uses: entries that the audit log has no room for wait
// here, in place, so that they survive the process. A file beside the log has the mark of its process, how many entries wait, and the
// entries, a line each, up to the first zero.

/** Bytes of a room: about 600 entries. */
const roomBytes = 262_144;
const headBytes = 256;
/** A process that cannot be looked for, because it runs elsewhere, counts as ended when its room is older than this. */
export const silentMs = 300_000;
const touchMs = 30_000;

const head = (mark: string, count: number) =>
  `${`${mark}\n${String(count).padStart(12, '0')}\n`.padEnd(headBytes - 1)}\n`;

/** The room of one process. */
export class HeldRoom {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #mark: string;
  readonly #touching: ReturnType<typeof setInterval>;
  #count = 0;
  #usedBytes = headBytes;
  #last: Promise<void> = Promise.resolve();

  private constructor(path: string, file: FileHandle, mark: string) {
    this.#path = path;
    this.#file = file;
    this.#mark = mark;
    const touch = () => utimes(path, new Date(), new Date()).catch(() => {});
    this.#touching = setInterval(touch, touchMs).unref();
  }

  /** Takes the room beside an audit log. @throws {Error} when the disk has none */
  static async take(auditFile: string): Promise<HeldRoom> {
    const path = `${auditFile}.held-${randomUUID()}`;
    const file = await open(path, 'wx+', 0o600);
    const mark = processMark();
    try {
      await file.writeFile(head(mark, 0).padEnd(roomBytes, '\0'));
      await file.sync();
    } catch (error) {
      await file.close();
      await unlink(path);
      throw error;
    }
    return new HeldRoom(path, file, mark);
  }

  /** Keeps entries until the room is cleared. Those that do not fit are counted alone. */
  hold(entries: readonly AuditEntry[]): Promise<void> {
    return this.#inTurn(() => this.#hold(entries));
  }

  /** What was held is in the log. */
  clear(): Promise<void> {
    return this.#inTurn(() => this.#clear());
  }

  /** One step after the other, so that the count never goes back. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(step, step);
    return this.#last;
  }

  async #hold(entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) {
      const line = `${JSON.stringify(entry)}\n`;
      this.#count++;
      if (this.#usedBytes + Buffer.byteLength(line) > roomBytes) continue;
      const at = this.#usedBytes;
      this.#usedBytes += Buffer.byteLength(line);
      await this.#file.write(line, at);
    }
    await this.#file.write(head(this.#mark, this.#count), 0);
    await this.#file.datasync();
  }

  async #clear(): Promise<void> {
    if (this.#count === 0) return;
    await this.#file.write(head(this.#mark, 0), 0);
    await this.#file.write(Buffer.alloc(this.#usedBytes - headBytes), 0, null, headBytes);
    await this.#file.datasync();
    this.#count = 0;
    this.#usedBytes = headBytes;
  }

  /** Gives the room back, or leaves what it holds to the next process. */
  async close(): Promise<void> {
    clearInterval(this.#touching);
    await this.#file.close();
    if (this.#count === 0) await unlink(this.#path).catch(() => {});
  }
}

/** What a process that was killed has held. */
export interface LeftRoom {
  readonly path: string;
  readonly entries: readonly object[];
  /** Entries that had no room. */
  readonly lost: number;
}

/** The rooms of processes that have ended. */
export async function leftRooms(auditFile: string): Promise<readonly LeftRoom[]> {
  const folder = dirname(auditFile);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(auditFile)}.held-`));
  const rooms = await Promise.all(names.map((name) => readRoom(join(folder, name)).catch(() => null)));
  return rooms.filter((room) => room !== null);
}

async function readRoom(path: string): Promise<LeftRoom | null> {
  const text = await readFile(path, 'latin1');
  const [mark = '', count = ''] = text.slice(0, headBytes).split('\n');
  const isOver = hasEnded(mark) ?? Date.now() - (await stat(path)).mtimeMs > silentMs;
  if (!isOver) return null;
  const held = Buffer.from(text.slice(headBytes), 'latin1').toString().split('\0')[0] ?? '';
  const entries = held.split('\n').flatMap((line) => entryIn(line) ?? []);
  return { path, entries, lost: Math.max(0, Number(count) - entries.length) };
}

/** A whole line: a crash can leave a part of one. */
function entryIn(line: string): object | null {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' ? entry : null;
  } catch {
    return null;
  }
}
