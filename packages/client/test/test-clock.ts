import type { Clock } from '../src/index.js';

/** A clock whose timers run at once, in order, and which notes how long each would have taken. */
export function instantClock(random = 0.5): Clock & { readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  let time = Date.parse('2026-03-09T07:00:05.000Z');
  return {
    pauses,
    now: () => time,
    random: () => random,
    after(delayMs, run) {
      // Deadlines, thirty seconds by default, are left alone: only pauses before retries pass at once.
      if (delayMs >= 30_000) return () => undefined;
      pauses.push(delayMs);
      time += delayMs;
      queueMicrotask(run);
      return () => undefined;
    },
  };
}
