import type { TokenState } from './token-state.js';

/** A token is not used in the last part of its life, in milliseconds: 30 seconds. */
const safetyMs = 30_000;
/** However short a life an endpoint states, a token is used this long, in milliseconds; otherwise every call would ask for one. */
const leastUseMs = 5000;

/** A token in use, with times of this process's own steady clock: changing the time of day changes nothing for a token that is here. */
export interface HeldToken {
  readonly state: TokenState;
  readonly takenMs: number;
  readonly usableUntilMs: number;
  /** When it is refreshed ahead of its end: another time in each process. */
  readonly refreshAtMs: number;
}

/** The token of a state, or `null` when it is too old to be used. @param nowMs the time of the store, in milliseconds since 1970 */
export function heldToken(state: TokenState, nowMs: number): HeldToken | null {
  const lifeMs = state.expiresMs - state.issuedMs;
  // A state from the future is one of another clock; it lives no longer than its whole life.
  const ageMs = Math.max(0, nowMs - state.issuedMs);
  const useMs = Math.max(leastUseMs, lifeMs / 2, lifeMs - safetyMs);
  const refreshMs = Math.min(useMs, Math.max(leastUseMs * 0.6, lifeMs * (0.7 + Math.random() * 0.1)));
  if (ageMs >= useMs) return null;
  const takenMs = performance.now() - ageMs;
  return { state, takenMs, usableUntilMs: takenMs + useMs, refreshAtMs: takenMs + refreshMs };
}
