import type { Clock } from './clock.js';

/** When requests may be sent: after a rate limit, and at most so many at a time. Shared by all calls of a client. */
export interface RateGate {
  /** How long the rate limit lasts, in milliseconds; 0 where there is none. */
  opensInMs(): number;
  /** A random pause beside it, in milliseconds, so that the calls that wait do not come back together. */
  spreadMs(): number;
  /** Lets no request pass for a time, and spreads those that wait over another. */
  close(forMs: number, spreadMs: number): void;
  /** Waits for a free place, or until the signal aborts. The result gives the place back. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createRateGate(maxConcurrency: number, clock: Clock): RateGate {
  let opensAt = 0;
  let spread = 0;
  let freePlaces = maxConcurrency;
  // Calls that wait, in order; each is bounded by its own deadline.
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else freePlaces += 1;
  };
  return {
    opensInMs: () => Math.max(0, opensAt - clock.now()),
    spreadMs: () => clock.random() * spread,
    close(forMs, spreadMs) {
      const until = clock.now() + forMs;
      if (until > opensAt) [opensAt, spread] = [until, spreadMs];
    },
    enter(signal) {
      if (freePlaces > 0) {
        freePlaces -= 1;
        return Promise.resolve(leave);
      }
      return new Promise((resolve) => {
        const take = () => {
          waiting.delete(take);
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        };
        const giveUp = () => {
          waiting.delete(take);
          resolve(() => undefined);
        };
        waiting.add(take);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
