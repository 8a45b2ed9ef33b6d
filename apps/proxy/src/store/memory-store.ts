import type { Store, Unlock } from './store.js';

/** State of this process alone; it is gone when the process ends. */
export class MemoryStore implements Store {
  readonly #texts = new Map<string, string>();
  readonly #locks = new Map<string, number>();

  async read(key: string): Promise<string | null> {
    return this.#texts.get(key) ?? null;
  }

  async write(key: string, text: string): Promise<void> {
    this.#texts.set(key, text);
  }

  async lock(key: string, ttlMs: number): Promise<Unlock | null> {
    const nowMs = performance.now();
    if ((this.#locks.get(key) ?? 0) > nowMs) return null;
    const untilMs = nowMs + ttlMs;
    this.#locks.set(key, untilMs);
    return async () => {
      if (this.#locks.get(key) === untilMs) this.#locks.delete(key);
    };
  }

  nowMs(): number {
    return Date.now();
  }

  async close(): Promise<void> {}
}
