const mostLevels = 2 ** 20;
const none = new Uint8Array(0);

/** The open brackets of a value about which the contract says nothing: one bit a level, so that depth costs next to nothing. */
export class Nesting {
  depth = 0;
  #bits = none;

  /** Opens an object or a list; false when that would be deeper than a million levels. */
  open(isObject: boolean): boolean {
    if (this.depth >= mostLevels) return false;
    const index = this.depth >> 3;
    if (index >= this.#bits.length) {
      const wider = new Uint8Array(Math.max(8, this.#bits.length * 2));
      wider.set(this.#bits);
      this.#bits = wider;
    }
    const bit = 1 << (this.depth & 7);
    this.#bits[index] = isObject ? (this.#bits[index] as number) | bit : (this.#bits[index] as number) & ~bit;
    this.depth++;
    return true;
  }

  get isObject(): boolean {
    const level = this.depth - 1;
    return ((this.#bits[level >> 3] as number) & (1 << (level & 7))) !== 0;
  }
}
