import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { attempt } from '../attempt.js';
import { ApiKeys, hashMissing } from '../auth/api-keys.js';
import type { ClientAuth } from '../auth/client.js';
import { watchKeyFile } from '../auth/key-file.js';
import { countsFrom, limitRatesFrom } from '../config/domain-options.js';
import {
  type ClientAuthOptions,
  clientAuthFrom,
  type UpstreamOptions,
  upstreamOptionsFrom,
} from '../config/program-options.js';
import { configFrom } from '../config/proxy-config.js';
import type { SettingName, Settings } from '../config/settings.js';
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
  const transport = openTransport(upstreamOptionsFrom(values));
  const { clientAuth, close } = await openClientAuth(clientAuthFrom(values), warnings, before?.parts.clientAuth);
  // A client can have a rate of its own.
  const counts = countsFrom(values);
  limits.rates = limitRatesFrom(values);
  return {
    config: configFrom(settings),
    parts: { transport, ...(clientAuth && { clientAuth }), ...(counts && { limits }) },
    close,
  };
}

async function openClientAuth(
  options: ClientAuthOptions,
  warnings: Warnings,
  before: ClientAuth | undefined,
): Promise<{ readonly clientAuth?: ClientAuth; close(): void }> {
  if (options.kind === 'none') return { close() {} };
  if (options.kind === 'api-key') return openKeys(options.keysFile, options.hashKey, warnings);
  const { JwtClients } = await import('../auth/jwt.js');
  const known = before instanceof JwtClients ? before : null;
  return { clientAuth: new JwtClients(options.jwt, known), close() {} };
}

/** The keys of the key file, as it is from now on. @throws {Error} when it cannot be used */
function openKeys(path: string, hashKey: string | undefined, warnings: Warnings) {
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
function openTransport({ url, caFile, certFile, keyFile, minTls, egress }: UpstreamOptions): SocketTransport {
  const ca = pemOf(caFile, 'VDS_UPSTREAM_CA_FILE');
  const cert = pemOf(certFile, 'VDS_UPSTREAM_CERT_FILE');
  const key = pemOf(keyFile, 'VDS_UPSTREAM_KEY_FILE');
  const authorities = ca && check('VDS_UPSTREAM_CA_FILE', { ca });
  const certificate = cert && key && check('VDS_UPSTREAM_CERT_FILE', { cert, key });
  return new SocketTransport(url, {
    tls: {
      minVersion: minTls,
      ...(authorities && { ca: [...tls().rootCertificates, authorities.ca] }),
      ...certificate,
    },
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
