import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#kit/replace-file.js';
import { lockFile } from './file-lock.js';
import { makeFolder } from './make-folder.js';
import { Store, type Unlock } from './memory-store.js';

/** State in a folder of one machine, shared by the processes that use the same folder. */
export class FileStore extends Store {
  readonly #folder: string;

  /** @param folder is made when it does not exist */
  constructor(folder: string) {
    super();
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
    await makeFolder(this.#folder);
    await replaceFile(this.#path(key), text);
  }

  async lock(key: string, ttlMs: number): Promise<Unlock | null> {
    await makeFolder(this.#folder);
    return lockFile(`${this.#path(key)}.lock`, ttlMs);
  }

  #path(key: string): string {
    return join(this.#folder, `${key.replaceAll(/[^0-9A-Za-z._-]/g, '_')}.json`);
  }
}
