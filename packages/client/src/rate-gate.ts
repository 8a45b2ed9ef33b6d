import type { Clock } from './clock.js';

/** When requests may be sent: after a rate limit, and at most so many at a time. Shared by all calls of a client. */
export interface RateGate {
  /** How long the rate limit lasts, in milliseconds; not above 0 where there is none. */
  opensInMs(): number;
  /** A random pause beside it, in milliseconds, so that the calls that wait do not come back together. */
  spreadMs(): number;
  /** Lets no request pass for a time, and spreads those that wait over another. */
  close(forMs: number, spreadMs: number): void;
  /** Runs an attempt once a place is free, in order. One whose call has ended meanwhile must return at once. */
  run<Result>(attempt: () => Promise<Result>): Promise<Result>;
}

export function createRateGate(maxConcurrency: number, clock: Clock): RateGate {
  let opensAt = 0;
  let spread = 0;
  let freePlaces = maxConcurrency;
  const waiting: (() => void)[] = [];
  return {
    opensInMs: () => opensAt - clock.now(),
    spreadMs: () => clock.random() * spread,
    close(forMs, spreadMs) {
      const until = clock.now() + forMs;
      if (until > opensAt) [opensAt, spread] = [until, spreadMs];
    },
    async run(attempt) {
      if (freePlaces > 0) freePlaces -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await attempt();
      } finally {
        // A place goes to the next one that waits.
        const next = waiting.shift();
        if (next) next();
        else freePlaces += 1;
      }
    },
  };
}
