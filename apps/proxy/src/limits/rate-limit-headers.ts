import type { Count } from './counter.js';
import type { Rate } from './rate.js';

/** How far one limit is used up. */
export interface LimitUse {
  readonly name: 'client' | 'vehicle';
  readonly rate: Rate;
  readonly count: Count;
}

/**
 * The headers that tell a client of limits, as name, value, name, value.
 *
 * {@link https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10}
 */
export function rateLimitHeaders(uses: readonly LimitUse[]): readonly string[] {
  let policy = '';
  let state = '';
  for (const { name, rate, count } of uses) {
    const comma = policy === '' ? '' : ', ';
    policy += `${comma}"${name}";q=${rate.calls};w=${rate.seconds}`;
    state += `${comma}"${name}";r=${count.left};t=${count.resetSeconds}`;
  }
  return ['ratelimit-policy', policy, 'ratelimit', state];
}
