import { ApiKeys } from '../callers/api-keys.js';
import type { CallerCheck } from '../callers/caller.js';
import { jwtRules } from '../settings/jwt-rules.js';
import type { Settings } from '../settings/read-settings.js';

/** Who may call, as the settings say, and how to let go of it; `null` for anyone. */
export interface OpenedCallers {
  readonly check: CallerCheck | null;
  close(): void;
}

/**
 * Makes the check of callers that the settings name.
 *
 * @param say tells the operator of a key file that can no longer be read
 * @throws {Error} when the key file cannot be read
 */
export async function openCallers({ values, byBrand }: Settings, say: (line: string) => void): Promise<OpenedCallers> {
  const way = values.get('VDS_CLIENT_AUTH');
  if (way === 'jwt') {
    const { JwtCallers } = await import('../callers/jwt.js');
    return { check: new JwtCallers(jwtRules(values)), close() {} };
  }
  if (way !== 'api-key') return { check: null, close() {} };
  const { readKeyFile, watchKeyFile } = await import('./key-file.js');
  const path = values.get('VDS_KEYS_FILE') ?? '';
  const forwards = [values, ...byBrand.values()].some((each) => each.get('VDS_UPSTREAM_AUTH') === 'forward');
  const { hash } = process.getBuiltinModule('node:crypto');
  const keys = new ApiKeys((text) => hash('sha256', text, 'hex'), !forwards);
  const records = readKeyFile(path);
  if (records === null) throw new Error('VDS_KEYS_FILE: the file cannot be read, or is not a key file');
  keys.use(records);
  const close = watchKeyFile(path, (changed) => {
    if (changed === null) say('VDS_KEYS_FILE: the file can no longer be read; the keys known so far stay valid');
    else keys.use(changed);
  });
  return { check: keys, close };
}
