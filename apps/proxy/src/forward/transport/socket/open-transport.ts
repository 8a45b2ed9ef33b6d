import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import type { SettingName, SettingValues } from '../../../config/settings.js';
import { tls } from '../../../node/builtin.js';
import { SocketTransport } from './socket-transport.js';

/**
 * Makes the transport that the settings name.
 *
 * @throws {Error} when a certificate or key cannot be read or used; the text names the setting
 */
export function openTransport(values: SettingValues): SocketTransport {
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
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${name}: the file cannot be read`);
  }
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
