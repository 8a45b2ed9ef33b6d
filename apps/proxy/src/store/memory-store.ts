/** Gives a lock back. */
export type Unlock = () => Promise<void>;

/**
 * State that outlives a process or is shared by several: rotated refresh tokens, who refreshes, hints of trouble. Everything
 * can fail, and a failure says nothing about what was stored.
 */
export interface Store {
  /** What was last written under a key, or `null`. */
  read(key: string): Promise<string | null>;
  /** Resolves when the text is kept. @param ttlMs time after which it may vanish, in milliseconds; `null` for never */
  write(key: string, text: string, ttlMs: number | null): Promise<void>;
  /** Takes a lock that lasts at most `ttlMs` milliseconds; `null` when somebody else has it. */
  lock(key: string, ttlMs: number): Promise<Unlock | null>;
  /** The time that all users of the store agree on, in milliseconds since 1970. */
  nowMs(): number;
  close(): Promise<void>;
}

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
