import { readFileSync } from 'node:fs';
import type { SettingValues } from '../../../config/settings.js';
import { tls } from '../../../node/builtin.js';
import type { EgressProxy } from './connect-upstream.js';
import { SocketTransport } from './socket-transport.js';

/**
 * Makes the transport that the settings name.
 *
 * @throws {Error} when a certificate or key cannot be read or used; the text names the setting
 */
export function openTransport(values: SettingValues): SocketTransport {
  const ca = pemOf(values, 'VDS_UPSTREAM_CA_FILE');
  const cert = pemOf(values, 'VDS_UPSTREAM_CERT_FILE');
  const key = pemOf(values, 'VDS_UPSTREAM_KEY_FILE');
  const certificate = cert === null || key === null ? null : { cert, key };
  const minVersion = values.VDS_UPSTREAM_MIN_TLS;
  check('VDS_UPSTREAM_CA_FILE', () => ca !== null && tls().createSecureContext({ ca }));
  check('VDS_UPSTREAM_CERT_FILE', () => certificate !== null && tls().createSecureContext(certificate));
  return new SocketTransport(values.VDS_UPSTREAM_URL ?? '', {
    security: { ca, certificate, minVersion },
    egress: egressOf(values.VDS_UPSTREAM_PROXY),
  });
}

function pemOf(
  values: SettingValues,
  name: 'VDS_UPSTREAM_CA_FILE' | 'VDS_UPSTREAM_CERT_FILE' | 'VDS_UPSTREAM_KEY_FILE',
) {
  const path = values[name];
  if (path === undefined) return null;
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${name}: the file cannot be read`);
  }
  if (!text.includes('-----BEGIN ')) throw new Error(`${name}: the file is not in PEM form`);
  return text;
}

function check(name: string, use: () => unknown): void {
  try {
    use();
  } catch {
    // The library's own message can quote the file.
    throw new Error(`${name}: the file cannot be used; certificate and key must be whole and belong together`);
  }
}

function egressOf(address: string | undefined): EgressProxy | null {
  if (address === undefined) return null;
  const { hostname, port, username, password } = new URL(address);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 80 : Number(port),
    authorization: username === '' ? '' : `Basic ${Buffer.from(pair).toString('base64')}`,
  };
}
