// The environment of the copies of the program that drills break.
import type { SettingName, Settings } from './settings.js';

/** Settings that decide what the drills show. All others are the scratch copy's own: no address, secret or file of the operator is used. */
const kept = [
  'VDS_AUDIT_READS',
  'VDS_AUDIT_REQUIRED',
  'VDS_BODY_IDLE_MS',
  'VDS_DEADLINE_MS',
  'VDS_DRAIN_MS',
  'VDS_FAST_PATH',
  'VDS_MAX_IN_FLIGHT',
  'VDS_SEND_TIMEOUT_MS',
] as const satisfies readonly SettingName[];

/** Secret of the hashes in the scratch copy. */
export const scratchKey = 'scratch-key-of-the-drills-only-00';

/** @param auditFile where the log of the copy is, if the operator has one */
export function drillEnvironment(
  { texts }: Settings,
  upstream: string,
  auditFile: string,
): Readonly<Record<string, string>> {
  const own = kept.flatMap((name) => (texts[name] === undefined ? [] : [[name, texts[name]] as const]));
  return {
    ...Object.fromEntries(own),
    VDS_UPSTREAM_URL: upstream,
    VDS_PORT: '0',
    VDS_DRAIN_DELAY_MS: '0',
    VDS_VALIDATE_RESPONSES: 'off',
    VDS_VIN_HASH_KEY: scratchKey,
    ...(texts['VDS_AUDIT_FILE'] === undefined ? {} : { VDS_AUDIT_FILE: auditFile }),
  };
}

/** Has the copy log every request. */
export const fullLog = { VDS_LOG_LEVEL: 'info' };

/** Has the copy get its token by a refresh token, and keep it in a folder in place of Redis. */
export function refreshTokenEnvironment(
  brand: string,
  issuer: string,
  folder: string,
): Readonly<Record<string, string>> {
  return {
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_BRANDS: brand,
    VDS_TOKEN_URL: issuer,
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'refresh-0',
    VDS_CLIENT_ID: 'drill',
    VDS_STORE: 'file',
    VDS_STORE_DIR: folder,
  };
}
