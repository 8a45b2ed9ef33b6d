import { contractBrands } from '../config.js';
import { isLoopback } from '../request/client-address.js';
import { urlOf } from './setting.js';
import { type SettingName, type SettingPlace, type Settings, type SettingValues, usesAnywhere } from './settings.js';

type Say = (name: SettingName, text: string, place?: string) => void;

/** What one value of a setting needs, and what else it alone can use. */
interface Use {
  readonly of: SettingName;
  readonly value: string;
  readonly needs: readonly SettingName[];
  readonly takes?: readonly SettingName[];
}

const uses: readonly Use[] = [
  { of: 'VDS_CLIENT_AUTH', value: 'api-key', needs: ['VDS_KEYS_FILE'] },
  {
    of: 'VDS_CLIENT_AUTH',
    value: 'jwt',
    needs: ['VDS_JWKS_URL', 'VDS_JWT_ISSUER', 'VDS_JWT_AUDIENCE'],
    takes: ['VDS_JWT_OPERATIONS', 'VDS_JWT_CLAIMS'],
  },
  { of: 'VDS_STORE', value: 'file', needs: ['VDS_STORE_DIR'] },
  { of: 'VDS_STORE', value: 'redis', needs: ['VDS_REDIS_URL'], takes: ['VDS_REDIS_SENTINELS', 'VDS_REDIS_CLUSTER'] },
];

const upstreamUses: readonly Use[] = [
  { of: 'VDS_UPSTREAM_AUTH', value: 'static', needs: ['VDS_ACCESS_TOKEN'] },
  {
    of: 'VDS_UPSTREAM_AUTH',
    value: 'token-endpoint',
    needs: ['VDS_TOKEN_URL', 'VDS_CLIENT_ID'],
    takes: ['VDS_TOKEN_REFRESH_URL', 'VDS_CLIENT_SECRET', 'VDS_AUTHORIZATION_CODE', 'VDS_REFRESH_TOKEN'],
  },
];

const grantSecrets = {
  'client-credentials': 'VDS_CLIENT_SECRET',
  'authorization-code': 'VDS_AUTHORIZATION_CODE',
  'refresh-token': 'VDS_REFRESH_TOKEN',
} as const;

/** Rejects combinations that would be unsafe or do nothing. */
export function checkTogether(settings: Settings, mistakes: string[]): void {
  const say: Say = (name, text, place = '') => {
    // One mistake for each setting: what is wrong by itself has been said.
    if (!mistakes.some((mistake) => new RegExp(`^${name}(?:_FILE)?[: ]`).test(mistake)))
      mistakes.push(`${name}${place}: ${text}`);
  };
  const { values, byBrand } = settings;
  for (const use of uses) checkUse(use, settings, say);
  checkClients(settings, say);
  checkServer(values, say);
  checkPlaintext(values, say);
  const fetches = [...byBrand.values()].some((own) => own.values.VDS_UPSTREAM_AUTH === 'token-endpoint');
  checkUpstreamAuth(settings, '', say, fetches);
  const served = values.VDS_BRANDS ?? contractBrands();
  for (const [brand, own] of byBrand) {
    if (!served.includes(brand)) say('VDS_CONFIG_FILE', 'by-brand: names a brand that is not served');
    checkUpstreamAuth(own, ' (by-brand)', say);
  }
}

function checkUse({ of, value, needs, takes = [] }: Use, { values, texts }: SettingPlace, say: Say, place = ''): void {
  const chosen = values[of];
  if (chosen === value) {
    for (const name of needs) if (values[name] === undefined) say(name, `must be set while ${of} is ${value}`, place);
  } else
    for (const name of [...needs, ...takes])
      if (texts[name] !== undefined) say(name, `is set, but ${of} is ${String(chosen)} and would never use it`, place);
}

function checkClients(settings: Settings, say: Say): void {
  const { values } = settings;
  const { VDS_CLIENT_AUTH: way } = values;
  if (way === 'none' && !isLoopback(values.VDS_HOST))
    say(
      'VDS_HOST',
      'must be a loopback address while VDS_CLIENT_AUTH is none, or everyone who reaches the port could call',
    );
  if (way === 'jwt' && usesAnywhere(settings, 'forward'))
    say(
      'VDS_UPSTREAM_AUTH',
      'must not be forward while VDS_CLIENT_AUTH is jwt, or tokens that are meant for the proxy would reach the upstream',
    );
  if (way === 'jwt' && isOpen(values.VDS_JWKS_URL, 'http:'))
    say('VDS_JWKS_URL', 'must start with https:// unless it is on this machine, or keys could be exchanged on the way');
  if (values.VDS_AUDIT_FILE !== undefined && values.VDS_VIN_HASH_KEY === undefined)
    say('VDS_VIN_HASH_KEY', 'must be set while VDS_AUDIT_FILE is, because VINs are kept there as hashes');
}

function checkServer(values: SettingValues, say: Say): void {
  const { VDS_PORT: port, VDS_ADMIN_PORT: adminPort, VDS_PROBE_PORT: probePort, VDS_REDIS_CLUSTER: cluster } = values;
  if (values.VDS_UPSTREAM_URL === undefined) say('VDS_UPSTREAM_URL', 'must be set to the base address of the upstream');
  for (const [one, other] of [
    ['VDS_UPSTREAM_CERT_FILE', 'VDS_UPSTREAM_KEY_FILE'],
    ['VDS_UPSTREAM_KEY_FILE', 'VDS_UPSTREAM_CERT_FILE'],
  ] as const)
    if (values[one] !== undefined && values[other] === undefined) say(other, `must be set while ${one} is`);
  // Each process has an admin port of its own.
  const lastAdminPort = adminPort ? adminPort + values.VDS_WORKERS - 1 : 0;
  const isAdminPort = (other: number) => adminPort !== undefined && other >= adminPort && other <= lastAdminPort;
  if (port !== 0 && isAdminPort(port))
    say('VDS_ADMIN_PORT', 'must not be VDS_PORT for any of VDS_WORKERS, or clients could see what is for operators');
  if (lastAdminPort > 65_535) say('VDS_ADMIN_PORT', 'must leave a port for each of VDS_WORKERS');
  if (probePort !== undefined && probePort !== 0 && (probePort === port || isAdminPort(probePort)))
    say('VDS_PROBE_PORT', 'must not be VDS_PORT, nor VDS_ADMIN_PORT for any of VDS_WORKERS');
  if (cluster && values.VDS_REDIS_SENTINELS !== undefined)
    say('VDS_REDIS_CLUSTER', 'must not be set together with VDS_REDIS_SENTINELS');
  const { pathname = '', search = '' } = urlOf(values.VDS_REDIS_URL) ?? {};
  if (!/^(\/\d*)?$/.test(pathname + search))
    say('VDS_REDIS_URL', 'must have the number of a database, or nothing, behind its host and port');
  if (cluster && /[1-9]/.test(pathname))
    say(
      'VDS_REDIS_URL',
      'must not name a database while VDS_REDIS_CLUSTER is true, because a cluster has only database 0',
    );
}

/** Rejects connections that would show tokens on the way. */
function checkPlaintext(values: SettingValues, say: Say): void {
  if (values.VDS_ALLOW_PLAINTEXT) return;
  const clear = 'tokens would travel in the clear. Set VDS_ALLOW_PLAINTEXT=true if nobody else is on that network';
  if (isOpen(values.VDS_UPSTREAM_URL, 'http:'))
    say('VDS_UPSTREAM_URL', `must start with https:// unless it is on this machine, or ${clear}`);
  // With Sentinels the host is a name and no place.
  const sentinels = values.VDS_REDIS_SENTINELS?.map((each) => each.replace(/:\d+$/, ''));
  if (sentinels?.every(isLoopback) !== true && isOpen(values.VDS_REDIS_URL, 'redis:'))
    say('VDS_REDIS_URL', `must start with rediss:// unless it is on this machine, or ${clear}`);
}

/** @param inherited whether brands with exceptions of their own use what is given here */
function checkUpstreamAuth(here: SettingPlace, place: string, say: Say, inherited = false): void {
  const { values } = here;
  for (const use of upstreamUses)
    if (!inherited || use.value !== 'token-endpoint' || values.VDS_UPSTREAM_AUTH === use.value)
      checkUse(use, here, say, place);
  if (values.VDS_UPSTREAM_AUTH !== 'token-endpoint') return;
  const grant = values.VDS_TOKEN_GRANT;
  const secret = grantSecrets[grant];
  if (values[secret] === undefined) say(secret, `must be set while VDS_TOKEN_GRANT is ${grant}`, place);
  for (const name of ['VDS_TOKEN_URL', 'VDS_TOKEN_REFRESH_URL'] as const)
    if (isOpen(values[name], 'http:'))
      say(name, 'must start with https:// unless it is on this machine, or secrets would travel in the clear', place);
  const lost = 'must not be memory for this VDS_TOKEN_GRANT, or a rotated refresh token would be lost with the process';
  if (grant !== 'client-credentials' && values.VDS_STORE === 'memory') say('VDS_STORE', lost, place);
}

/** Whether an address leads to another machine without TLS. */
function isOpen(address: string | undefined, scheme: string): boolean {
  const url = urlOf(address);
  return url?.protocol === scheme && !isLoopback(url.hostname);
}
