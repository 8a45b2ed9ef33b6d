import { type ForwardPlan, type ReplacedToken, withToken } from '../forward/forward-plan.js';
import type { TokenSource } from './token-source.js';

/** Makes what gets another token for a request after the upstream rejected this one. */
export function tokenReplacer(
  tokens: TokenSource,
  { brand, request }: ForwardPlan,
  rejected: string,
): () => Promise<ReplacedToken> {
  return async () => {
    const token = await tokens.replace(brand, rejected);
    if (token === null) return { kind: 'unavailable', retryAfterSeconds: tokens.retryAfterSeconds(brand) };
    return token === rejected ? { kind: 'same' } : { kind: 'request', request: withToken(request, token) };
  };
}
