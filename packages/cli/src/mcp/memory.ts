// What an agent asked for is kept for the questions that follow, so that a conversation downloads the same trips once.

/** A vehicle's trips of 92 days can take 100 MB: few ranges are kept, and trips arrive late, so none for long. */
const mostRanges = 2;
const longestMs = 10 * 60_000;

export type Memory = ReturnType<typeof createMemory>;

export function createMemory(now: () => number = Date.now) {
  const kept = new Map<string, { readonly value: unknown; readonly endMs: number }>();
  return {
    /** The value of a question, asked for where it is not kept. A failure is not kept. */
    async remember<Value>(question: readonly string[], ask: () => Promise<Value>): Promise<Value> {
      const key = JSON.stringify(question);
      const known = kept.get(key);
      kept.delete(key);
      const entry = known && now() < known.endMs ? known : { value: await ask(), endMs: now() + longestMs };
      kept.set(key, entry);
      for (const oldest of kept.keys()) if (kept.size > mostRanges) kept.delete(oldest);
      return entry.value as Value;
    },
    /** Nothing is kept of a vehicle that no longer shares data. */
    forget: () => kept.clear(),
  };
}
