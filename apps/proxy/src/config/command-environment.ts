// What the environment says to the commands that take flags of their own.
import { readFileSync } from 'node:fs';
import type { Environment } from '#kit/settings/read.js';
import { attempt } from '../attempt.js';
import { contractBrands } from '../contract.js';

/** Where the commands find what their flags do not name. */
export interface CommandEnvironment {
  readonly keysFile: string | undefined;
  readonly auditFile: string | undefined;
  readonly signingKeyFile: string | undefined;
  readonly brands: readonly string[];
  /** The secret of the hashes of VINs, of a variable or of the file that another one names. @throws {Error} when that cannot be read */
  vinHashKey(): string | undefined;
}

export function commandEnvironment(environment: Environment): CommandEnvironment {
  const { VDS_VIN_HASH_KEY: key, VDS_VIN_HASH_KEY_FILE: path, VDS_BRANDS: brands } = environment;
  return {
    keysFile: environment['VDS_KEYS_FILE'] || undefined,
    auditFile: environment['VDS_AUDIT_FILE'] || undefined,
    signingKeyFile: environment['VDS_AUDIT_SIGNING_KEY_FILE'] || undefined,
    brands: brands ? brands.split(',') : contractBrands(),
    vinHashKey() {
      if (!path) return key;
      const text = attempt(() => readFileSync(path, 'utf8').trim());
      if (text === null) throw new Error('VDS_VIN_HASH_KEY_FILE: the file cannot be read');
      return text;
    },
  };
}
