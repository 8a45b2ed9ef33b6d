export type Range = readonly [low: number, high: number];

/** A small seeded generator (mulberry32 behind an FNV-1a hash). The same seed parts give the same numbers. */
export class Random {
  #state = 0x811c9dc5;

  constructor(...seed: readonly (string | number)[]) {
    for (const character of seed.join('\n')) {
      this.#state = Math.imul(this.#state ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    this.#state = Math.imul(this.#state ^ (this.#state >>> 15), 0x85ebca6b);
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return mixed ^ (mixed >>> 14);
  }

  next(): number {
    return (this.#bits() >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A bell-shaped number around 0 with a standard deviation of 1, never beyond 3.5. */
  bell(): number {
    return (this.next() + this.next() + this.next() + this.next() - 2) * 1.732;
  }

  /** As `bell`, but of one draw, whose four bytes are added: for the noise of every sample. */
  noise(): number {
    const bits = this.#bits();
    return ((bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510) / 147.8;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.whole(0, items.length - 1)];
    if (item === undefined) throw new RangeError('the list is empty');
    return item;
  }
}
