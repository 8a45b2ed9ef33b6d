import { tokensFrom } from '../../dist/config/domain-options.js';
import { readSettings } from '../../dist/config/read-settings.js';
import { FileStore } from '../../dist/store/file-store.js';
import { ManagedTokens } from '../../dist/upstream-token/managed-tokens.js';

// A process that refreshes and uses tokens as fast as it can, until it is killed.
const isOnce = process.argv[2] === 'once';

/** Makes every token that is found look a day older than it is, so that each has to be refreshed. */
class AgingStore extends FileStore {
  override async read(key: string): Promise<string | null> {
    const text = await super.read(key);
    if (text === null) return null;
    const state = JSON.parse(text) as { issuedMs: number; expiresMs: number };
    return JSON.stringify({ ...state, issuedMs: state.issuedMs - 86_400_000, expiresMs: state.expiresMs - 86_400_000 });
  }
}

const reading = readSettings({ environment: process.env, arguments: [], readFile: () => '' });
if (!reading.ok) throw new Error(reading.mistakes.join('\n'));
const { VDS_STORE_DIR: folder = '', VDS_TOKEN_URL: endpoint = '' } = reading.settings.values;

do {
  const tokens = new ManagedTokens(tokensFrom(reading.settings), new AgingStore(folder));
  const token = await tokens.obtain('brand_a');
  if (token !== null) await fetch(new URL('/use', endpoint), { headers: { authorization: `Bearer ${token}` } });
  process.stdout.write('.');
  if (isOnce) process.exitCode = token === null ? 1 : 0;
} while (!isOnce);
