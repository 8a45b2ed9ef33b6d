import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#kit/replace-file.js';

/** Vehicles whose data the proxy has passed, as keyed hashes. With it, an error for a vehicle that it never served emits nothing. */
export interface ServedVehicles {
  /** Notes that data of a vehicle were passed. Returns at once. */
  note(hash: string): void;
  has(hash: string): Promise<boolean>;
  forget(hash: string): Promise<void>;
  close(): Promise<void>;
}

/** Vehicles that are kept. Of more, those that were noted first are forgotten, and the end of their consent emits nothing. */
export const maxServed = 250_000;

const flushMs = 1000;

/** Vehicles that the processes of one machine have served: a line for each, and a line with a minus for one that is forgotten. */
export class FolderServed implements ServedVehicles {
  readonly #path: string;
  readonly #known = new Set<string>();
  #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(path: string) {
    this.#path = path;
    this.#timer = setInterval(() => this.#flush(), flushMs).unref();
  }

  /** @param folder that of the queue @throws {Error} when it cannot be written */
  static async open(folder: string): Promise<FolderServed> {
    const path = join(folder, 'served');
    const served = new FolderServed(path);
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      if (/^[\w-]{22}$/.test(line)) served.#add(line);
      else if (/^![\w-]{22}$/.test(line)) served.#known.delete(line.slice(1));
    }
    const lines = [...served.#known].map((hash) => `${hash}\n`);
    await replaceFile(path, lines.join(''));
    return served;
  }

  note(hash: string): void {
    if (this.#known.has(hash)) return;
    this.#add(hash);
    this.#lines.push(hash);
  }

  async has(hash: string): Promise<boolean> {
    return this.#known.has(hash);
  }

  async forget(hash: string): Promise<void> {
    if (this.#known.delete(hash)) this.#lines.push(`!${hash}`);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  #add(hash: string): void {
    this.#known.add(hash);
    if (this.#known.size > maxServed) this.#known.delete(this.#known.values().next().value ?? '');
  }

  #flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    // A disk that is full loses lines of a hint, and nothing else.
    const write = () => appendFile(this.#path, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    if (lines.length > 0) this.#writing = this.#writing.then(write).catch(() => {});
    return this.#writing;
  }
}
