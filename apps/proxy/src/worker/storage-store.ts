import { MemoryStore } from '../store/memory-store.js';
import type { ObjectStorage } from './object-storage.js';

/** A store in the storage of one Durable Object; no other can write there, so its locks are its own affair. */
export class StorageStore extends MemoryStore {
  readonly #storage: ObjectStorage;

  constructor(storage: ObjectStorage) {
    super();
    this.#storage = storage;
  }

  override async read(key: string): Promise<string | null> {
    const found = await this.#storage.get(key);
    return typeof found === 'string' ? found : null;
  }

  override async write(key: string, text: string): Promise<void> {
    await this.#storage.put(key, text);
  }
}
