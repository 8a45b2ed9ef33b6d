/** Text and whole numbers from which a seed is mixed. */
export type SeedParts = readonly (string | number)[];

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** Goes on with a hash (FNV-1a over UTF-16 units) over more parts. */
function hashed(start: number, parts: SeedParts): number {
  let hash = start;
  for (const part of parts) hash = typeof part === 'string' ? hashedText(hash, part) : hashedNumber(hash, part);
  return hash;
}

function hashedText(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), prime);
  return Math.imul(hash ^ 0xff, prime);
}

function hashedNumber(start: number, whole: number): number {
  let hash = Math.imul(start ^ (whole | 0), prime);
  hash = Math.imul(hash ^ (hash >>> 15) ^ ((whole | 0) >>> 16), prime);
  return Math.imul(hash ^ 0xff, prime);
}

/** Spreads the bits of a hash (the finaliser of MurmurHash3). */
function finished(start: number): number {
  let hash = start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A small seeded generator (mulberry32): integer arithmetic only, so every engine draws the same numbers. */
export class Random {
  #state: number;

  constructor(...seed: SeedParts) {
    this.#state = finished(hashed(offsetBasis, seed));
  }

  /** A maker of generators that share the first parts of their seeds and differ in a last number. */
  static family(...shared: SeedParts): (last: number) => Random {
    const hash = hashed(offsetBasis, shared);
    return (last) => {
      const random = new Random();
      random.#state = finished(hashedNumber(hash, last));
      return random;
    };
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
