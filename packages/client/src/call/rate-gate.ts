// When a request may be sent: at most `maxConcurrency` at a time, and none while a rate limit lasts.
import { callError } from '../call-error.js';
import { RateLimitError } from '../errors.js';
import type { Call, RateGate } from './call.js';
import { pause } from './deadline.js';
import { report } from './report.js';

/** A `Retry-After` that is longer ends the call at once. */
export const longestPauseMs = 20_000;

/** A longer rate limit may be a mistake: after this time, a call asks again. */
const longestLimitMs = 300_000;

export const createRateGate = (maxConcurrency: number): RateGate => ({
  freePlaces: maxConcurrency,
  waiting: [],
  limits: new Map(),
});

/** What a limit holds for. One user's limit says nothing about another's, unless the operator says so. */
function scopeOf({ rateLimitScope, brand, apiKey, accessToken, tokenStores }: Call): string {
  if (rateLimitScope === 'client') return '';
  if (rateLimitScope === 'brand') return brand;
  return JSON.stringify([brand, apiKey, tokenStores.nameOf(accessToken)]);
}

/** Notes a rate limit that a call has met, so that the calls for which it holds wait as well. */
export function closeGate(call: Call, delayMs: number): void {
  const { gate, clock } = call;
  const now = clock.now();
  // Those that have ended go, so that the map holds no more than the limits of five minutes.
  for (const [scope, { opensAt }] of gate.limits) if (opensAt <= now) gate.limits.delete(scope);
  const scope = scopeOf(call);
  const lastsMs = Math.min(delayMs, longestLimitMs);
  const opensAt = now + lastsMs;
  if (opensAt > (gate.limits.get(scope)?.opensAt ?? 0)) gate.limits.set(scope, { opensAt, lastsMs });
}

/**
 * Waits until no rate limit holds for a call any more.
 *
 * @returns Whether it had to wait.
 */
export async function waitForRateLimit(call: Call): Promise<boolean> {
  const { gate, clock, deadlineAt, operation } = call;
  for (let waits = false; ; waits = true) {
    // An observer can end the call, and it may have ended in the queue.
    call.signal.throwIfAborted();
    // Most calls meet no limit, and need no name of what holds for them.
    const scope = gate.limits.size ? scopeOf(call) : '';
    const limit = gate.limits.get(scope);
    if (!limit) return waits;
    const { lastsMs } = limit;
    const now = clock.now();
    // Where the clock was set back, it lasts no longer than it was stated.
    const opensAt = Math.min(limit.opensAt, now + lastsMs);
    const leastMs = opensAt - now;
    if (leastMs <= 0) {
      gate.limits.delete(scope);
      return waits;
    }
    gate.limits.set(scope, { opensAt, lastsMs });
    if (opensAt >= deadlineAt || leastMs > longestPauseMs) {
      // A withdrawal is rather sent too early than not at all.
      if (operation.method !== 'GET') return waits;
      const reason = 'a rate limit outlasts the call';
      throw callError(call, RateLimitError, '429', 'retry', reason, { retryAfterMs: leastMs });
    }
    // Spread, but with time left for the response.
    const delayMs = leastMs + clock.random() * Math.min(lastsMs / 4, (deadlineAt - opensAt) / 2);
    report(call, 'onThrottle', { delayMs });
    await pause(call, delayMs);
  }
}

/**
 * Waits for a place among the requests under way, and for the rate limit.
 *
 * @param attempt The place is free again when it has settled.
 * @returns Whether it had to wait.
 */
export async function takePlace(call: Call, attempt: Promise<unknown>): Promise<boolean> {
  const { gate } = call;
  gate.freePlaces -= 1;
  const isFull = gate.freePlaces < 0;
  if (isFull) await new Promise<void>((resolve) => gate.waiting.push(resolve));
  const free = () => {
    gate.freePlaces += 1;
    gate.waiting.shift()?.();
  };
  attempt.then(free, free);
  return (await waitForRateLimit(call)) || isFull;
}
