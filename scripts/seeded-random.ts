// Choices of tests and drills that can be made again: moments of kills, orders of events. `SEED=123` makes those of an earlier run.

/** Runs what makes random choices, and says the seed when it fails. When things happen is the machine's: a seed repeats the choices alone. */
export async function withSeed<Result>(work: (seed: number) => Promise<Result>): Promise<Result> {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  try {
    return await work(seed);
  } catch (error) {
    console.error(`SEED=${seed} makes the same random choices again`);
    throw error;
  }
}

/** Numbers from 0 to below 1 (mulberry32). Things that go on at the same time take one each, or their turns would be part of the choice. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A list in another order. */
export function shuffled<Item>(list: Iterable<Item>, random: () => number): readonly Item[] {
  const items = [...list];
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other] as Item, items[at] as Item];
  }
  return items;
}
