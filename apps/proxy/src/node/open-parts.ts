import { hash } from 'node:crypto';
import { ApiKeys } from '../auth/api-keys.js';
import { type ClientAuth, vinHash } from '../auth/client.js';
import { watchKeyFile } from '../auth/key-file.js';
import { configFrom } from '../config/proxy-config.js';
import { type Settings, type SettingValues, usesAnywhere } from '../config/settings.js';
import type { ProxyConfig } from '../config.js';
import { openTransport } from '../forward/transport/socket/open-transport.js';
import { CountedLimits, WindowCounter } from '../limits/rate-limits.js';
import type { Warnings } from '../observability/warnings.js';
import type { PipelineParts } from '../pipeline.js';
import type { SharedCounting } from '../store/open-store.js';

/** What settings ask for and a reload replaces. */
export interface OpenedParts {
  readonly config: ProxyConfig;
  readonly parts: Pick<PipelineParts, 'transport' | 'clientAuth' | 'limits'>;
  readonly limits: CountedLimits | null;
  /** Lets go of files. */
  close(): void;
}

/** What outlives a reload. */
export interface LastingParts {
  readonly counting: SharedCounting | null;
  readonly warnings: Warnings;
  /** Receives every failure of Redis to count. */
  readonly onAway: () => void;
}

/**
 * Opens what the settings ask for.
 *
 * @param before what was in use until now: counts continue, and so do the keys of an unchanged issuer
 * @throws {Error} when a file cannot be used; the text names the setting
 */
export async function openParts(
  settings: Settings,
  { counting, warnings, onAway }: LastingParts,
  before: OpenedParts | null = null,
): Promise<OpenedParts> {
  const { values } = settings;
  const transport = openTransport(values);
  const { clientAuth, close } = await openClientAuth(settings, warnings, before?.parts.clientAuth);
  const limits = openLimits(values, counting, onAway, before?.limits ?? null);
  const parts = { transport, ...(clientAuth && { clientAuth }), ...(limits && { limits }) };
  return { config: configFrom(settings), limits, parts, close };
}

async function openClientAuth(
  settings: Settings,
  warnings: Warnings,
  before: ClientAuth | undefined,
): Promise<{ readonly clientAuth?: ClientAuth; close(): void }> {
  const way = settings.values.VDS_CLIENT_AUTH;
  if (way === 'none') return { close() {} };
  if (way === 'api-key') return openKeys(settings, warnings);
  const { JwtClients } = await import('../auth/jwt.js');
  const known = before instanceof JwtClients ? before : null;
  return { clientAuth: new JwtClients(settings.values, known), close() {} };
}

/**
 * The limits that the settings name; `null` when nothing has to be counted.
 *
 * @param shared counts for many processes; `null` when this process counts alone
 * @param onAway receives every failure of Redis
 * @param before limits whose counts continue
 */
export function openLimits(
  values: SettingValues,
  shared: SharedCounting | null,
  onAway: () => void,
  before: CountedLimits | null = null,
): CountedLimits | null {
  const rates = { perClient: values.VDS_LIMIT_PER_CLIENT ?? null, perVehicle: values.VDS_LIMIT_PER_VEHICLE ?? null };
  // A key can have a rate of its own.
  if (rates.perClient === null && rates.perVehicle === null && values.VDS_CLIENT_AUTH !== 'api-key') return null;
  if (before !== null) return Object.assign(before, { rates });
  if (shared === null)
    return new CountedLimits(
      rates,
      (rate) => new WindowCounter(rate),
      (vin) => vin,
    );
  // Redis belongs to others as well, so a VIN is not its key.
  const hashed = (vin: string) => hash('sha256', vin, 'hex').slice(0, 32);
  return new CountedLimits(rates, (rate) => shared(rate, onAway), hashed);
}

/** The keys of the key file, as it is from now on. @throws {Error} when it cannot be used */
function openKeys(settings: Settings, warnings: Warnings) {
  const { VDS_KEYS_FILE: path = '', VDS_VIN_HASH_KEY: hashKey } = settings.values;
  const digest = (text: string) => hash('sha256', text, 'hex');
  const keys = new ApiKeys(digest, !usesAnywhere(settings, 'forward'), hashKey === undefined ? null : vinHash(hashKey));
  const broken = 'VDS_KEYS_FILE: the file cannot be read, or is not a key file';
  const { records, close } = watchKeyFile(path, (changed) => {
    if (changed === null) {
      warnings.raise('keys-file', `${broken}; the keys known so far stay valid, and no revocation is seen`);
      return;
    }
    keys.use(changed);
    warnings.clear('keys-file');
  });
  const needsHash = hashKey === undefined && records?.some(({ vehicles }) => vehicles !== null);
  if (records === null || needsHash) {
    close();
    throw new Error(
      records === null ? broken : 'VDS_VIN_HASH_KEY: must be set, because the key file holds keys for single vehicles',
    );
  }
  keys.use(records);
  return { clientAuth: keys, close };
}
