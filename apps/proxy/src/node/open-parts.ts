import { hash } from 'node:crypto';
import { ApiKeys, hashMissing } from '../auth/api-keys.js';
import { type ClientAuth, vinHash } from '../auth/client.js';
import { watchKeyFile } from '../auth/key-file.js';
import { configFrom } from '../config/proxy-config.js';
import type { Rate } from '../config/setting.js';
import type { Settings, SettingValues } from '../config/settings.js';
import type { ProxyConfig } from '../config.js';
import { openTransport } from '../forward/transport/socket/open-transport.js';
import { CountedLimits, type Counter, WindowCounter } from '../limits/rate-limits.js';
import type { Warnings } from '../observability/warnings.js';
import type { PipelineParts } from '../pipeline.js';

/** What settings ask for and a reload replaces. */
export interface OpenedParts {
  readonly config: ProxyConfig;
  readonly parts: Pick<PipelineParts, 'transport' | 'clientAuth' | 'limits'>;
  close(): void;
}

/**
 * Opens what the settings ask for.
 *
 * @param limits take over the rates of the settings; what was counted before still counts
 * @param before what was in use until now: the keys of an unchanged issuer stay
 * @throws {Error} when a file cannot be used; the text names the setting
 */
export async function openParts(
  settings: Settings,
  warnings: Warnings,
  limits: CountedLimits,
  before: OpenedParts | null = null,
): Promise<OpenedParts> {
  const { values } = settings;
  const { VDS_LIMIT_PER_CLIENT: perClient = null, VDS_LIMIT_PER_VEHICLE: perVehicle = null } = values;
  const transport = openTransport(values);
  const { clientAuth, close } = await openClientAuth(values, warnings, before?.parts.clientAuth);
  // A client can have a rate of its own.
  const counts = perClient !== null || perVehicle !== null || values.VDS_CLIENT_AUTH !== 'none';
  limits.rates = { perClient, perVehicle };
  return {
    config: configFrom(settings),
    parts: { transport, ...(clientAuth && { clientAuth }), ...(counts && { limits }) },
    close,
  };
}

async function openClientAuth(
  values: SettingValues,
  warnings: Warnings,
  before: ClientAuth | undefined,
): Promise<{ readonly clientAuth?: ClientAuth; close(): void }> {
  const way = values.VDS_CLIENT_AUTH;
  if (way === 'none') return { close() {} };
  if (way === 'api-key') return openKeys(values, warnings);
  const { JwtClients } = await import('../auth/jwt.js');
  const known = before instanceof JwtClients ? before : null;
  return { clientAuth: new JwtClients(values, known), close() {} };
}

/** Limits without rates yet. @param counting makes counters for many processes; `null` when this process counts alone */
export function openLimits(counting: ((rate: Rate) => Counter) | null): CountedLimits {
  // Redis belongs to others as well, so a VIN is not its key.
  const vehicleKey = (vin: string) => (counting === null ? vin : hash('sha256', vin, 'hex').slice(0, 32));
  const none = { perClient: null, perVehicle: null };
  return new CountedLimits(none, counting ?? ((rate) => new WindowCounter(rate)), vehicleKey);
}

/** The keys of the key file, as it is from now on. @throws {Error} when it cannot be used */
function openKeys(values: SettingValues, warnings: Warnings) {
  const { VDS_KEYS_FILE: path = '', VDS_VIN_HASH_KEY: hashKey } = values;
  const digest = (text: string) => hash('sha256', text, 'hex');
  const keys = new ApiKeys(digest, hashKey === undefined ? null : vinHash(hashKey));
  const broken = 'VDS_KEYS_FILE: the file cannot be read, or is not a key file';
  const { records, close } = watchKeyFile(path, (changed) => {
    if (changed !== null) keys.use(changed, warnings);
    else warnings.raise('keys-file', `${broken}; the keys known so far stay valid, and no revocation is seen`);
  });
  if (records === null || keys.lacksHash(records)) {
    close();
    throw new Error(records === null ? broken : hashMissing);
  }
  keys.use(records);
  return { clientAuth: keys, close };
}
