import { tokensFrom } from '../../src/config/proxy-config.js';
import type { Store } from '../../src/store/memory-store.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import { ManagedTokens } from '../../src/upstream-token/managed-tokens.js';
import { settingsOf } from './settings.ts';
import { tokenSettings } from './token-settings.ts';

/** What a test changes about the tokens of `brand_a`. */
export interface TokenOptions {
  readonly store?: Store;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The tokens that a process manages which is configured for the endpoint at this address. */
export function tokensFor(url: string, { store = new MemoryStore(), settings }: TokenOptions = {}): ManagedTokens {
  return new ManagedTokens(tokensFrom(settingsOf({ ...tokenSettings(url), ...settings })), store);
}
