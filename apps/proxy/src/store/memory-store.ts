/** Gives a lock back. */
export type Unlock = () => Promise<void>;

/**
 * State that outlives a process or is shared by several: tokens, and who refreshes them. Everything can fail, and a failure says
 * nothing about what was stored.
 */
export abstract class Store {
  /** Whether all of it can be lost while the processes that use it run, as when a Redis is emptied or fails over. */
  readonly canBeEmptied: boolean = false;

  /** What was last written under a key, or `null`. */
  abstract read(key: string): Promise<string | null>;
  /** Resolves when the text is kept. */
  abstract write(key: string, text: string): Promise<void>;
  /** Takes a lock that lasts at most `ttlMs` milliseconds; `null` when somebody else has it. */
  abstract lock(key: string, ttlMs: number): Promise<Unlock | null>;

  /** The time that all users of the store agree on, in milliseconds since 1970. */
  nowMs(): number {
    return Date.now();
  }

  async close(): Promise<void> {}
}

/** Where a store of one process keeps its texts. */
interface Texts {
  get(key: string): unknown;
  set(key: string, text: string): unknown;
}

/** State of this process alone; by default it is gone when the process ends. */
export class MemoryStore extends Store {
  readonly #texts: Texts;
  readonly #locks = new Map<string, number>();

  constructor(texts: Texts = new Map<string, string>()) {
    super();
    this.#texts = texts;
  }

  async read(key: string): Promise<string | null> {
    const found = await this.#texts.get(key);
    return typeof found === 'string' ? found : null;
  }

  async write(key: string, text: string): Promise<void> {
    await this.#texts.set(key, text);
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
}
