// Keeps the requests of an export below a rate that a person chose, however many are under way at once.
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Returns a function that waits for the next free start. Starts are evenly apart: `perSecond` of them in a second, no burst.
 * The wait ends with an error when `signal` is aborted.
 */
export function createPace(perSecond: number, signal: AbortSignal): () => Promise<void> {
  const stepMs = 1000 / perSecond;
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, nextMs);
    nextMs = startMs + stepMs;
    if (startMs > nowMs) await wait(startMs - nowMs, undefined, { signal });
  };
}
