import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#kit/replace-file.js';
import { waitForLock } from '../store/file-lock.js';
import { makeFolder } from '../store/make-folder.js';
import type { Journal, JournalReading } from './journal.js';

const lockMs = 5000;
const giveUpMs = 2000;

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
        const { size } = await file.stat();
        // What a crash has left of a line stays alone on it.
        const last = size === 0 ? '\n' : (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString('latin1');
        await file.writeFile(`${last === '\n' ? '' : '\n'}${texts.join('\n')}\n`);
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

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
