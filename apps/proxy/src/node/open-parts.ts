import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { attempt } from '../attempt.js';
import { ApiKeys, hashMissing } from '../auth/api-keys.js';
import type { ClientAuth } from '../auth/client.js';
import { watchKeyFile } from '../auth/key-file.js';
import { jwtOptionsFrom, limitRatesFrom } from '../config/domain-options.js';
import { configFrom } from '../config/proxy-config.js';
import type { SettingName, Settings, SettingValues } from '../config/settings.js';
import type { ProxyConfig } from '../config.js';
import { SocketTransport } from '../forward/transport/socket/socket-transport.js';
import type { CountedLimits } from '../limits/rate-limits.js';
import type { Warnings } from '../observability/warnings.js';
import type { PipelineParts } from '../pipeline-parts.js';
import { tls } from '../platform/builtin.js';

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
  const transport = openTransport(values);
  const { clientAuth, close } = await openClientAuth(values, warnings, before?.parts.clientAuth);
  // A client can have a rate of its own.
  const counts = values.VDS_LIMIT_PER_CLIENT || values.VDS_LIMIT_PER_VEHICLE || values.VDS_CLIENT_AUTH !== 'none';
  limits.rates = limitRatesFrom(values);
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
  return { clientAuth: new JwtClients(jwtOptionsFrom(values), known), close() {} };
}

/** The keys of the key file, as it is from now on. @throws {Error} when it cannot be used */
function openKeys(values: SettingValues, warnings: Warnings) {
  const { VDS_KEYS_FILE: path = '', VDS_VIN_HASH_KEY: hashKey } = values;
  const keys = new ApiKeys((text) => hash('sha256', text, 'hex'), hashKey);
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

/**
 * Makes the transport that the settings name.
 *
 * @throws {Error} when a certificate or key cannot be read or used; the text names the setting
 */
function openTransport(values: SettingValues): SocketTransport {
  const { VDS_UPSTREAM_URL: url = '', VDS_UPSTREAM_MIN_TLS: minVersion, VDS_UPSTREAM_PROXY: egress } = values;
  const ca = pemOf(values.VDS_UPSTREAM_CA_FILE, 'VDS_UPSTREAM_CA_FILE');
  const cert = pemOf(values.VDS_UPSTREAM_CERT_FILE, 'VDS_UPSTREAM_CERT_FILE');
  const key = pemOf(values.VDS_UPSTREAM_KEY_FILE, 'VDS_UPSTREAM_KEY_FILE');
  const authorities = ca && check('VDS_UPSTREAM_CA_FILE', { ca });
  const certificate = cert && key && check('VDS_UPSTREAM_CERT_FILE', { cert, key });
  return new SocketTransport(url, {
    tls: { minVersion, ...(authorities && { ca: [...tls().rootCertificates, authorities.ca] }), ...certificate },
    egress: egress === undefined ? null : new URL(egress),
  });
}

function pemOf(path: string | undefined, name: SettingName): string | undefined {
  if (path === undefined) return undefined;
  const text = attempt(() => readFileSync(path, 'utf8'));
  if (text === null) throw new Error(`${name}: the file cannot be read`);
  if (!text.includes('-----BEGIN ')) throw new Error(`${name}: the file is not in PEM form`);
  return text;
}

function check<Options extends SecureContextOptions>(name: SettingName, options: Options): Options {
  try {
    tls().createSecureContext(options);
    return options;
  } catch {
    // The library's own message can quote the file.
    throw new Error(`${name}: the file cannot be used; certificate and key must be whole and belong together`);
  }
}
