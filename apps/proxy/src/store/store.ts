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
