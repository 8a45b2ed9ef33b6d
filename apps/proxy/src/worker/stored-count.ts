import type { Count } from '../limits/counter.js';
import type { Rate } from '../limits/rate.js';
import type { ObjectStorage } from './object-storage.js';

const key = 'count';

/**
 * The calls of one client or vehicle, counted in one Durable Object. The platform puts an object away ten seconds after its last
 * call, so the count is in its storage as well; what is there is deleted when the span is over.
 */
export class StoredCount {
  readonly #storage: ObjectStorage;
  #loading: Promise<void> | null = null;
  #endMs = 0;
  #calls = 0;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
  }

  /** Counts one call. */
  async take(rate: Rate): Promise<Count> {
    this.#loading ??= this.#load();
    await this.#loading;
    const nowMs = Date.now();
    if (nowMs >= this.#endMs) {
      this.#endMs = nowMs + rate.seconds * 1000;
      this.#calls = 0;
      this.#storage.setAlarm(this.#endMs).catch(() => {});
    }
    const allowed = this.#calls < rate.calls;
    if (allowed) {
      this.#calls++;
      // A refused call changes nothing, and no call waits for the disk: what a crash can lose is the last few milliseconds.
      this.#storage.put(key, [this.#endMs, this.#calls], { allowUnconfirmed: true }).catch(() => {});
    }
    const resetSeconds = Math.max(1, Math.ceil((this.#endMs - nowMs) / 1000));
    return { allowed, left: Math.max(0, rate.calls - this.#calls), resetSeconds };
  }

  /** Deletes what is kept of a span that is over. */
  async forget(): Promise<void> {
    if (Date.now() >= this.#endMs) await this.#storage.deleteAll();
  }

  async #load(): Promise<void> {
    const kept = await this.#storage.get(key);
    if (!Array.isArray(kept)) return;
    const [endMs, calls] = kept as readonly unknown[];
    if (typeof endMs !== 'number' || typeof calls !== 'number') return;
    this.#endMs = endMs;
    this.#calls = calls;
  }
}
