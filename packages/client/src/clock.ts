/** Time and chance as the client uses them. */
export interface Clock {
  /** Milliseconds since 1 January 1970 UTC. */
  now(): number;
  /** Runs a function once after a number of milliseconds; the result cancels it. */
  after(delayMs: number, run: () => void): () => void;
  /** A number from 0 up to, and without, 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    // A longer delay than 32 bits hold would pass at once; this one is 24 days.
    const timer = setTimeout(run, Math.min(delayMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
