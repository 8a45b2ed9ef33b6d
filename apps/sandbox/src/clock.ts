/** The sandbox's own time. It runs with the machine's until it is set, moved or frozen. */
export class Clock {
  #frozen = false;
  /** Added to the machine's time, or the time itself while the clock is frozen. */
  #offsetMs = 0;

  /** Now, in milliseconds since 1970, UTC. */
  now(): number {
    return this.#offsetMs + (this.#frozen ? 0 : Date.now());
  }

  get frozen(): boolean {
    return this.#frozen;
  }

  /** Sets the time to a date, or to milliseconds since 1970. A running clock runs on from there. @throws RangeError if it is not valid. */
  set(time: Date | number): void {
    const ms = new Date(time).getTime();
    if (Number.isNaN(ms)) throw new RangeError('the time must be a valid Date or milliseconds since 1970');
    this.#offsetMs = ms - (this.#frozen ? 0 : Date.now());
  }

  /** Moves the time by milliseconds, forwards or backwards. */
  advance(ms: number): void {
    this.set(this.now() + ms);
  }

  /** Stops the time where it is. */
  freeze(): void {
    this.#offsetMs = this.now();
    this.#frozen = true;
  }

  /** Lets the time run on from where it is. */
  run(): void {
    this.#offsetMs = this.now() - Date.now();
    this.#frozen = false;
  }

  /** Back to the machine's time. */
  reset(): void {
    this.#frozen = false;
    this.#offsetMs = 0;
  }
}
