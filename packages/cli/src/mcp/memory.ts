// What an agent asked for is kept for the questions that follow, so that a conversation downloads the same trips once.

/** A trip takes about 0.3 MB, so few are kept beside the last range, and trips arrive late, so none is kept for long. */
const mostResults = 6;
const mostTrips = 300;
const longestMs = 10 * 60_000;

/** How many trips these results are made of; a week is a few numbers. */
function tripsIn(results: Iterable<{ readonly value: unknown }>): number {
  let trips = 0;
  for (const { value } of results) if (Array.isArray(value)) trips += value.length;
  return trips;
}

export type Memory = ReturnType<typeof createMemory>;

export function createMemory(now: () => number = Date.now) {
  const kept = new Map<string, { readonly value: unknown; readonly endMs: number }>();
  let timesForgotten = 0;
  return {
    /** The value of a question, asked for where it is not kept. A failure is not kept. */
    async remember<Value>(question: readonly string[], ask: () => Promise<Value>): Promise<Value> {
      const key = JSON.stringify(question);
      const known = kept.get(key);
      kept.delete(key);
      const before = timesForgotten;
      const entry = known && now() < known.endMs ? known : { value: await ask(), endMs: now() + longestMs };
      // What was on its way when consent ended is not kept.
      if (before !== timesForgotten) return entry.value as Value;
      kept.set(key, entry);
      for (const oldest of kept.keys())
        if (oldest !== key && (kept.size > mostResults || tripsIn(kept.values()) > mostTrips)) kept.delete(oldest);
      return entry.value as Value;
    },
    /** Nothing is kept of a vehicle that no longer shares data. */
    forget() {
      timesForgotten += 1;
      kept.clear();
    },
  };
}
