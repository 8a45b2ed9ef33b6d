/** Mixes text and whole numbers into one 32-bit seed (FNV-1a over UTF-16 units, then the finaliser of MurmurHash3). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    if (typeof part === 'string') {
      for (let i = 0; i < part.length; i++) hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193);
    } else {
      hash = Math.imul(hash ^ (part | 0), 0x01000193);
      hash = Math.imul(hash ^ (hash >>> 15) ^ ((part | 0) >>> 16), 0x01000193);
    }
    hash = Math.imul(hash ^ 0xff, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A small seeded generator (mulberry32): integer arithmetic only, so every engine draws the same numbers. */
export class Random {
  #state: number;

  constructor(...seed: readonly (string | number)[]) {
    this.#state = seedOf(...seed);
  }

  /** A number of 0 or more, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
