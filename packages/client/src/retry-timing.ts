import type { Clock } from './clock.js';

const firstPauseMs = 500;
const longestBackoffMs = 8_000;

/**
 * Pause before a retry: "full jitter", a random part of a pause that doubles each time, so that clients that failed
 * together do not come back together.
 */
export function backoffMs(attempt: number, clock: Clock): number {
  return clock.random() * Math.min(longestBackoffMs, firstPauseMs * 2 ** (attempt - 1));
}

/** `Retry-After` in milliseconds: seconds or a date. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
export function retryAfterMs(headers: Headers, clock: Clock): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? +text * 1_000 : Date.parse(text) - clock.now();
  return ms >= 0 ? ms : undefined;
}
