/** The sandbox's own time. It runs with the machine's until it is set, moved or frozen. */
export class Clock {
  #offsetMs = 0;
  #frozenAtMs: number | null = null;

  /** Now, in milliseconds since 1970, UTC. */
  now(): number {
    return this.#frozenAtMs ?? Date.now() + this.#offsetMs;
  }

  get frozen(): boolean {
    return this.#frozenAtMs !== null;
  }

  /**
   * Sets the time. A frozen clock stays frozen, a running one runs on from there.
   *
   * @param time A date, or milliseconds since 1970.
   * @throws RangeError if it is not a valid time.
   */
  set(time: Date | number): void {
    const ms = new Date(time).getTime();
    if (Number.isNaN(ms)) throw new RangeError('the time must be a valid Date or milliseconds since 1970');
    if (this.frozen) this.#frozenAtMs = ms;
    else this.#offsetMs = ms - Date.now();
  }

  /** Moves the time by milliseconds, forwards or backwards. */
  advance(ms: number): void {
    this.set(this.now() + ms);
  }

  /** Stops the time where it is. */
  freeze(): void {
    this.#frozenAtMs = this.now();
  }

  /** Lets the time run on from where it is. */
  run(): void {
    const now = this.now();
    this.#frozenAtMs = null;
    this.set(now);
  }

  /** Back to the machine's time. */
  reset(): void {
    this.#frozenAtMs = null;
    this.#offsetMs = 0;
  }
}
