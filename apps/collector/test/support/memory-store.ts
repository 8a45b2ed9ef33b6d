// A store for files in memory, with moments to step in.
import type { BlobStore } from '@vehicle-data/archive/store';

/** A store in memory. `beforePut` and `afterPut` run around each put; what they throw, the put throws. */
export class MemoryStore implements BlobStore {
  readonly objects = new Map<string, Uint8Array>();
  beforePut: () => Promise<void> = async () => {};
  afterPut: () => Promise<void> = async () => {};

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.beforePut();
    this.objects.set(key, bytes);
    await this.afterPut();
  }
  async get(key: string): Promise<Uint8Array | undefined> {
    return this.objects.get(key);
  }
  async head(key: string) {
    const bytes = this.objects.get(key)?.byteLength;
    return bytes === undefined ? undefined : { key, bytes };
  }
  async list(prefix: string) {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    return { blobs: keys.map((key) => ({ key, bytes: this.objects.get(key)?.byteLength ?? 0 })) };
  }
  async remove(key: string): Promise<void> {
    this.objects.delete(key);
  }
  async removeAll(prefix: string, mayRemove?: () => Promise<void>): Promise<number> {
    const { blobs } = await this.list(prefix);
    for (const { key } of blobs) {
      await mayRemove?.();
      this.objects.delete(key);
    }
    return blobs.length;
  }
}
