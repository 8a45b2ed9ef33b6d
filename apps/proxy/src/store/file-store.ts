import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './atomic-file.js';
import { lockFile } from './file-lock.js';
import type { Store, Unlock } from './memory-store.js';

/** State in a folder of one machine, shared by the processes that use the same folder. */
export class FileStore implements Store {
  readonly #folder: string;

  /** @param folder is made when it does not exist */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(key: string): Promise<string | null> {
    try {
      return await readFile(this.#path(key), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async write(key: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeAtomically(this.#path(key), text);
  }

  async lock(key: string, ttlMs: number): Promise<Unlock | null> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return lockFile(`${this.#path(key)}.lock`, ttlMs);
  }

  nowMs(): number {
    return Date.now();
  }

  async close(): Promise<void> {}

  #path(key: string): string {
    return join(this.#folder, `${key.replaceAll(/[^0-9A-Za-z._-]/g, '_')}.json`);
  }
}
