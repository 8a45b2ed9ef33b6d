import type { Rate } from './rate.js';

/** How far one limit is used up. */
export interface LimitUse {
  readonly name: 'caller' | 'vehicle';
  readonly rate: Rate;
  /** Calls left in the span. */
  readonly left: number;
  /** Time until the span ends, in whole seconds. */
  readonly resetSeconds: number;
}

/**
 * The headers that tell a caller of limits, as name, value, name, value.
 *
 * {@link https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10}
 */
export function rateLimitHeaders(uses: readonly LimitUse[]): readonly string[] {
  if (uses.length === 0) return [];
  const policy = uses.map(({ name, rate }) => `"${name}";q=${rate.calls};w=${rate.seconds}`).join(', ');
  const state = uses.map(({ name, left, resetSeconds }) => `"${name}";r=${left};t=${resetSeconds}`).join(', ');
  return ['ratelimit-policy', policy, 'ratelimit', state];
}
