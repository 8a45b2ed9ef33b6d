/** The sandbox's own time. It runs with the machine's until it is set, moved or frozen. */
export class Clock {
  /** Added to the machine's time while the clock runs. */
  #offsetMs = 0;
  #frozenMs: number | undefined;

  /** Now, in milliseconds since 1970, UTC. */
  now(): number {
    return this.#frozenMs ?? Date.now() + this.#offsetMs;
  }

  get frozen(): boolean {
    return this.#frozenMs !== undefined;
  }

  /** Sets the time to a date, or to milliseconds since 1970. A running clock runs on from there. @throws RangeError if it is not valid. */
  set(time: Date | number): void {
    const ms = new Date(time).getTime();
    if (Number.isNaN(ms)) throw new RangeError('the time must be a valid Date or milliseconds since 1970');
    if (this.frozen) this.#frozenMs = ms;
    else this.#offsetMs = ms - Date.now();
  }

  /** Moves the time by milliseconds, forwards or backwards. */
  advance(ms: number): void {
    this.set(this.now() + ms);
  }

  /** Stops the time where it is. */
  freeze(): void {
    this.#frozenMs = this.now();
  }

  /** Lets the time run on from where it is. */
  run(): void {
    this.#offsetMs = this.now() - Date.now();
    this.#frozenMs = undefined;
  }

  /** Back to the machine's time. */
  reset(): void {
    this.#offsetMs = 0;
    this.#frozenMs = undefined;
  }
}
