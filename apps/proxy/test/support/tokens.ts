import type { Store } from '../../src/store/memory-store.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import type { TokenSettings } from '../../src/upstream-token/brand-token.js';
import { ManagedTokens } from '../../src/upstream-token/managed-tokens.js';
import type { Grant, TokenEndpoint } from '../../src/upstream-token/token-endpoint.js';
import { tokenSettings } from './token-settings.ts';

/** What a test changes about the tokens of `brand_a`. */
export interface TokenOptions {
  readonly store?: Store;
  readonly grant?: Grant;
  readonly endpoint?: Partial<TokenEndpoint>;
  readonly upstreamOrigin?: string;
}

/** The tokens that a process manages which is configured for the endpoint at this address. */
export function tokensFor(url: string, options: TokenOptions = {}): ManagedTokens {
  const usual = tokenSettings(url);
  const settings: TokenSettings = {
    ...usual,
    endpoint: { ...usual.endpoint, ...options.endpoint },
    grant: options.grant ?? { kind: 'client-credentials' },
    upstreamOrigin: options.upstreamOrigin ?? usual.upstreamOrigin,
  };
  return new ManagedTokens(new Map([['brand_a', settings]]), options.store ?? new MemoryStore());
}
