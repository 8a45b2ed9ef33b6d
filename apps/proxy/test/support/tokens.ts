import { tokensFrom } from '../../src/config/proxy-config.js';
import type { Store } from '../../src/store/memory-store.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import { ManagedTokens } from '../../src/upstream-token/managed-tokens.js';
import { settingsOf } from './settings.ts';

/** Settings with which the tokens of `brand_a` come from the endpoint at this address. */
export const tokenSettings = (url: string) => ({
  VDS_UPSTREAM_URL: 'https://vehicle-data.invalid',
  VDS_UPSTREAM_AUTH: 'token-endpoint',
  VDS_BRANDS: 'brand_a',
  VDS_TOKEN_URL: `${url}/token`,
  VDS_TOKEN_TIMEOUT_MS: '10000',
  VDS_CLIENT_ID: 'the-client',
  VDS_CLIENT_SECRET: 'the-secret',
  // One that outlives the process, as some grants need; the tests make it themselves.
  VDS_STORE: 'file',
  VDS_STORE_DIR: '/nowhere',
});

/** What a test changes about the tokens of `brand_a`. */
export interface TokenOptions {
  readonly store?: Store;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The tokens that a process manages which is configured for the endpoint at this address. */
export function tokensFor(url: string, { store = new MemoryStore(), settings }: TokenOptions = {}): ManagedTokens {
  return new ManagedTokens(tokensFrom(settingsOf({ ...tokenSettings(url), ...settings })), store);
}
