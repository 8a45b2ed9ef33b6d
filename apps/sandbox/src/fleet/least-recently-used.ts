/** A cache that drops what was not used for the longest time once the sizes of its entries exceed a bound. */
export class LeastRecentlyUsed<Value> {
  readonly #entries = new Map<string, { value: Value; size: number }>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion, so the first entry is always the one unused for the longest time.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, size: number): void {
    this.#bytes += size - (this.#entries.get(key)?.size ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, { value, size });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#mostBytes || oldest === key) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.size;
    }
  }
}
