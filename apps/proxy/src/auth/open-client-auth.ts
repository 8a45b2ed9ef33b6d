import { hash } from 'node:crypto';
import { jwtRules } from '../config/proxy-config.js';
import type { Settings } from '../config/read-settings.js';
import type { Warnings } from '../observability/warnings.js';
import { ApiKeys } from './api-keys.js';
import type { ClientAuth } from './client.js';
import { watchKeyFile } from './key-file.js';
import { vinHash } from './vehicle-rights.js';

/** Who may call, as the settings say, and how to let go of it; `null` for anyone. */
export interface OpenedClientAuth {
  readonly check: ClientAuth | null;
  close(): void;
}

/**
 * Makes the check of clients that the settings name.
 *
 * @param warnings receives a key file that can no longer be read
 * @param before what was in use until now, whose keys of the issuer stay in use
 * @throws {Error} when the key file cannot be read
 */
export async function openClientAuth(
  { values, byBrand }: Settings,
  warnings: Warnings,
  before: OpenedClientAuth | null = null,
): Promise<OpenedClientAuth> {
  const way = values.VDS_CLIENT_AUTH;
  if (way === 'jwt') {
    const { JwtClients } = await import('./jwt.js');
    const rules = jwtRules(values);
    const check = before?.check instanceof JwtClients ? before.check.withRules(rules) : new JwtClients(rules);
    return { check, close() {} };
  }
  if (way !== 'api-key') return { check: null, close() {} };
  const path = values.VDS_KEYS_FILE ?? '';
  const forwards = [values, ...byBrand.values()].some((each) => each.VDS_UPSTREAM_AUTH === 'forward');
  const hashKey = values.VDS_VIN_HASH_KEY;
  const keys = new ApiKeys(
    (text) => hash('sha256', text, 'hex'),
    !forwards,
    hashKey === undefined ? null : vinHash(hashKey),
  );
  const { records, close } = watchKeyFile(path, (changed) => {
    if (changed === null) {
      const kept = 'the keys known so far stay valid, and no revocation is seen';
      warnings.raise('keys-file', `VDS_KEYS_FILE: the file cannot be read, or is not a key file; ${kept}`);
      return;
    }
    keys.use(changed);
    warnings.clear('keys-file');
  });
  const fail = (problem: string) => {
    close();
    throw new Error(problem);
  };
  if (records === null) return fail('VDS_KEYS_FILE: the file cannot be read, or is not a key file');
  if (hashKey === undefined && records.some(({ vehicles }) => vehicles !== null))
    return fail('VDS_VIN_HASH_KEY: must be set, because the key file holds keys for single vehicles');
  keys.use(records);
  return { check: keys, close };
}
