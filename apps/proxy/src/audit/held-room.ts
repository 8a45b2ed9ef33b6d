import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasEnded, processMark } from '../store/file-lock.js';
import { hashOf } from './chain.js';
import type { AuditEntry } from './entries.js';

// Room on the disk that is taken when the process starts and that nothing else uses: entries that the audit log has no room for wait
// here, in place, so that they survive the process. A file beside the log has the mark of its process, how many entries wait, and the
// entries, a line each, up to the first zero. Head and lines begin with a keyed hash: nobody without the key brings an entry into the log.

/** Bytes of a room: about 600 entries. */
const roomBytes = 262_144;
const headBytes = 256;
/** A process that cannot be looked for, because it runs elsewhere, counts as ended when its room is older than this. */
export const silentMs = 300_000;
const touchMs = 30_000;

const signed = (key: string, text: string) => `${hashOf(key, text)} ${text}`;
/** The text that was signed, or `null` where it was not, or not with this key. */
function verified(key: string, line: string): string | null {
  const text = line.slice(hashDigits + 1);
  return signed(key, text) === line ? text : null;
}
const hashDigits = 64;
const head = (key: string, mark: string, count: number) => `${signed(key, `${mark} ${count}`).padEnd(headBytes - 1)}\n`;

/** The room of one process. */
export class HeldRoom {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #key: string;
  readonly #mark: string;
  readonly #touching: ReturnType<typeof setInterval>;
  #count = 0;
  #usedBytes = headBytes;
  #last: Promise<void> = Promise.resolve();

  private constructor(path: string, file: FileHandle, key: string, mark: string) {
    this.#path = path;
    this.#file = file;
    this.#key = key;
    this.#mark = mark;
    const touch = () => utimes(path, new Date(), new Date()).catch(() => {});
    this.#touching = setInterval(touch, touchMs).unref();
  }

  /** Takes the room beside an audit log. @param key that of the log @throws {Error} when the disk has none */
  static async take(auditFile: string, key: string): Promise<HeldRoom> {
    const path = `${auditFile}.held-${randomUUID()}`;
    const file = await open(path, 'wx+', 0o600);
    const mark = processMark();
    try {
      await file.writeFile(head(key, mark, 0).padEnd(roomBytes, '\0'));
      await file.sync();
    } catch (error) {
      await file.close();
      await unlink(path);
      throw error;
    }
    return new HeldRoom(path, file, key, mark);
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
      const line = `${signed(this.#key, JSON.stringify(entry))}\n`;
      this.#count++;
      if (this.#usedBytes + Buffer.byteLength(line) > roomBytes) continue;
      const at = this.#usedBytes;
      this.#usedBytes += Buffer.byteLength(line);
      await this.#file.write(line, at);
    }
    await this.#file.write(head(this.#key, this.#mark, this.#count), 0);
    await this.#file.datasync();
  }

  async #clear(): Promise<void> {
    if (this.#count === 0) return;
    await this.#file.write(head(this.#key, this.#mark, 0), 0);
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
  readonly entries: readonly AuditEntry[];
  /** Entries that had no room. */
  readonly lost: number;
}

/** The rooms of processes that have ended. Files that were not written with the key of the log are left alone. */
export async function leftRooms(auditFile: string, key: string): Promise<readonly LeftRoom[]> {
  const folder = dirname(auditFile);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(auditFile)}.held-`));
  const rooms = await Promise.all(names.map((name) => readRoom(join(folder, name), key).catch(() => null)));
  return rooms.filter((room) => room !== null);
}

async function readRoom(path: string, key: string): Promise<LeftRoom | null> {
  const { size, mtimeMs } = await stat(path);
  if (size > roomBytes) return null;
  const text = (await readFile(path)).toString('latin1');
  const [, mark, count] = /^(.*) (\d+)$/.exec(verified(key, text.slice(0, headBytes).trimEnd()) ?? '') ?? [];
  const isOver = mark !== undefined && (hasEnded(mark) ?? Date.now() - mtimeMs > silentMs);
  if (!isOver) return null;
  const held = Buffer.from(text.slice(headBytes), 'latin1').toString().split('\0')[0] ?? '';
  // A crash can leave a part of a line.
  const whole = held.split('\n').flatMap((line) => verified(key, line) ?? []);
  const entries = whole.map((line): AuditEntry => JSON.parse(line));
  return { path, entries, lost: Math.max(0, Number(count) - entries.length) };
}
