import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#kit/replace-file.js';
import { waitForLock } from '../store/file-lock.js';
import { makeFolder } from '../store/make-folder.js';
import type { Journal, JournalReading } from './journal.js';

const lockMs = 5000;
const giveUpMs = 2000;
/** Bytes that are searched at once for the end of a line: more than a line has. */
const pieceBytes = 4096;

/** The texts in a file of one machine, a line each, shared by the processes that use the same folder. */
export class FileJournal implements Journal {
  readonly #folder: string;
  readonly #path: string;
  /** Which file was read, and up to where. */
  #inode = 0;
  #readBytes = 0;
  #isFirst = true;

  /** @param folder is made when it does not exist */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'fence.log');
  }

  append(texts: readonly string[]): Promise<void> {
    return this.#locked(async () => {
      const file = await open(this.#path, 'a+', 0o600);
      try {
        await removeCutLine(file);
        await file.writeFile(texts.map((text) => `${text}\n`).join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
    });
  }

  async read(): Promise<JournalReading> {
    const found = await stat(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { ino: 0, size: 0 };
      throw error;
    });
    const isWhole = this.#isFirst || found.ino !== this.#inode || found.size < this.#readBytes;
    // Until it has been read.
    this.#isFirst = isWhole;
    if (isWhole) [this.#inode, this.#readBytes] = [found.ino, 0];
    if (found.size === this.#readBytes) {
      this.#isFirst = false;
      return { texts: [], isWhole };
    }
    const file = await open(this.#path, 'r');
    try {
      const { ino, size } = await file.stat();
      if (ino !== this.#inode) {
        // Replaced just now: the next reading begins anew.
        this.#isFirst = true;
        return { texts: [], isWhole: false };
      }
      const length = size - this.#readBytes;
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, this.#readBytes);
      const end = buffer.lastIndexOf(10) + 1;
      this.#readBytes += end;
      this.#isFirst = false;
      return { texts: linesOf(buffer.toString('latin1', 0, end)), isWhole };
    } finally {
      await file.close();
    }
  }

  remove(texts: readonly string[]): Promise<void> {
    const gone = new Set(texts);
    return this.#locked(async () => {
      const file = await open(this.#path, 'r');
      const kept = await file.readFile('latin1').finally(() => file.close());
      const lines = [...new Set(linesOf(kept))].filter((line) => !gone.has(line));
      await replaceFile(this.#path, lines.map((line) => `${line}\n`).join(''));
    });
  }

  async #locked<T>(step: () => Promise<T>): Promise<T> {
    await makeFolder(this.#folder);
    const unlock = await waitForLock(`${this.#path}.lock`, lockMs, giveUpMs);
    try {
      return await step();
    } finally {
      await unlock();
    }
  }
}

/**
 * Removes what a crash or a full disk has left of a line: as a line of its own, it would be a text that nobody has written. Readers have not
 * come further than the last end of a line, so whole lines stay, also those of a batch that was cut.
 */
async function removeCutLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - pieceBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const lineEnd = buffer.subarray(0, bytesRead).lastIndexOf(10);
    end = start + lineEnd + 1;
    if (lineEnd !== -1) break;
  }
  if (end < size) await file.truncate(end);
}

/** The whole lines of a text. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '');
}
