/** Whether a time has a year from 0 to 9999, the years of a timestamp: https://www.rfc-editor.org/rfc/rfc3339#section-1 */
export const isTime = (ms: number): boolean => ms >= -62_167_219_200_000 && ms < 253_402_300_800_000;

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

  /** Sets the time to a date, or to milliseconds since 1970, in the years 0 to 9999. A running clock runs on from there. @throws RangeError if it is not valid. */
  set(time: Date | number): void {
    const ms = new Date(time).getTime();
    if (!isTime(ms)) throw new RangeError('the time must be a Date or milliseconds since 1970, in the years 0 to 9999');
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
