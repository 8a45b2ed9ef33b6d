import { tokensFrom } from '../../src/config/domain-options.js';
import { readSettings } from '../../src/config/read-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { MemoryStore, type Store } from '../../src/store/memory-store.js';
import type { TokenRequestListener } from '../../src/upstream-token/brand-token.js';
import { ManagedTokens } from '../../src/upstream-token/managed-tokens.js';

/** Reads settings as the program does, with these files alone. */
function read(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
) {
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`no file ${path}`);
    return text;
  };
  return readSettings({ environment, arguments: flags, readFile });
}

export function mistakesOf(...sources: Parameters<typeof read>): readonly string[] {
  const reading = read(...sources);
  return reading.ok ? [] : reading.mistakes;
}

/** @throws {Error} when there is a mistake in them */
export function settingsOf(...sources: Parameters<typeof read>): Settings {
  const reading = read(...sources);
  if (!reading.ok) throw new Error(reading.mistakes.join('\n'));
  return reading.settings;
}

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
  readonly onRequest?: TokenRequestListener;
}

/** The tokens that a process manages which is configured for the endpoint at this address. */
export function tokensFor(
  url: string,
  { store = new MemoryStore(), settings, onRequest }: TokenOptions = {},
): ManagedTokens {
  return new ManagedTokens(tokensFrom(settingsOf({ ...tokenSettings(url), ...settings })), store, onRequest);
}
