import { urlOf } from '#kit/settings/kinds.js';
import type { SettingPlace } from '#kit/settings/read.js';
import { contractBrands } from '../contract.js';
import { isLoopback } from '../request/client-address.js';
import { flagOf, type SettingName, type Settings, type SettingValues } from './settings.js';

type Say = (name: SettingName, text: string) => void;

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

/** Rejects combinations that would be unsafe or do nothing, in the settings for all brands and in those of each that differs. */
export function checkTogether(settings: Settings, mistakes: string[]): void {
  const brands = [...settings.byBrand.values()];
  const served = settings.values.VDS_BRANDS ?? contractBrands();
  // What is set for all brands needs no token of its own when every brand has its section.
  const users = served.every((brand) => settings.byBrand.has(brand)) ? brands : [settings, ...brands];
  for (const here of [settings, ...brands]) {
    const place = here === settings ? '' : ' (by-brand)';
    const say: Say = (name, text) => {
      // One mistake for each setting: what is wrong by itself, or for all brands, has been said.
      if (!mistakes.some((mistake) => new RegExp(`^${name}(?:_FILE)?[: ]`).test(mistake)))
        mistakes.push(`${name}${place}: ${text}`);
    };
    checkUses(here, here === settings ? [settings, ...brands] : [here], say);
    checkClients(here.values, say);
    if (here === settings) checkStore(here.values, say);
    if (here === settings) checkEvents(here.values, say);
    if (here === settings) checkReceipts(here.values, say);
    checkServer(here.values, say);
    checkAddresses(here.values, say);
    checkTokens(here.values, users.includes(here), say);
  }
  checkRotation(settings, served, mistakes);
  if ([...settings.byBrand.keys()].some((brand) => !served.includes(brand)))
    mistakes.push('VDS_CONFIG_FILE: by-brand: names a brand that is not served');
}

/** @param users all places where what is set here holds: brands have what is set for all */
function checkUses(
  { values, texts }: SettingPlace<SettingValues>,
  users: readonly SettingPlace<SettingValues>[],
  say: Say,
): void {
  for (const { of, value, needs, takes = [] } of uses) {
    if (values[of] === value)
      for (const name of needs) if (values[name] === undefined) say(name, `must be set while ${of} is ${value}`);
    if (users.every((user) => user.values[of] !== value))
      for (const name of [...needs, ...takes])
        if (texts[name] !== undefined) say(name, `is set, but ${of} is ${String(values[of])} and would never use it`);
  }
}

function checkClients(values: SettingValues, say: Say): void {
  const { VDS_CLIENT_AUTH: way } = values;
  if (way === 'none' && !isLoopback(values.VDS_HOST))
    say(
      'VDS_HOST',
      'must be a loopback address while VDS_CLIENT_AUTH is none, or everyone who reaches the port could call',
    );
  if (way === 'none')
    for (const name of ['VDS_LIMIT_UNAUTHENTICATED', 'VDS_MAX_IN_FLIGHT_PER_CLIENT'] as const)
      if (values[name] !== undefined) say(name, 'is set, but VDS_CLIENT_AUTH is none and would never use it');
  if (way === 'jwt' && values.VDS_UPSTREAM_AUTH === 'forward')
    say(
      'VDS_UPSTREAM_AUTH',
      'must not be forward while VDS_CLIENT_AUTH is jwt, or tokens that are meant for the proxy would reach the upstream',
    );
  if (values.VDS_AUDIT_FILE !== undefined && values.VDS_VIN_HASH_KEY === undefined)
    say('VDS_VIN_HASH_KEY', 'must be set while VDS_AUDIT_FILE is, because VINs are kept there as hashes');
  if (values.VDS_AUDIT_REQUIRED && values.VDS_AUDIT_FILE === undefined)
    say('VDS_AUDIT_FILE', 'must be set while VDS_AUDIT_REQUIRED is on');
  if (values.VDS_AUDIT_READS && values.VDS_AUDIT_FILE === undefined)
    say('VDS_AUDIT_FILE', 'must be set while VDS_AUDIT_READS is on');
  const closes = values.VDS_AUDIT_READS || values.VDS_AUDIT_SEGMENT_MB !== undefined;
  for (const name of ['VDS_AUDIT_SEGMENT_MB', 'VDS_AUDIT_KEEP_DAYS', 'VDS_AUDIT_SIGNING_KEY_FILE'] as const)
    if (values[name] !== undefined && (values.VDS_AUDIT_FILE === undefined || !closes))
      say(name, 'is set, but needs VDS_AUDIT_FILE, and VDS_AUDIT_READS or VDS_AUDIT_SEGMENT_MB');
}

function checkStore({ VDS_STORE: store, VDS_STORE_KEY: key, VDS_STORE_KEY_READ: readKey }: SettingValues, say: Say) {
  if (store === 'memory' || store === 'durable-object')
    for (const [name, value] of [
      ['VDS_STORE_KEY', key],
      ['VDS_STORE_KEY_READ', readKey],
    ] as const)
      if (value !== undefined) say(name, `is set, but VDS_STORE is ${store} and would never use it`);
  if (key !== undefined && key === readKey) say('VDS_STORE_KEY_READ', 'must be another key than VDS_STORE_KEY');
}

function checkEvents(values: SettingValues, say: Say): void {
  const { VDS_EVENTS_URL: urls, VDS_EVENTS_DIR: folder, VDS_STORE: store } = values;
  if (urls === undefined) {
    for (const name of ['VDS_EVENTS_SECRET', 'VDS_EVENTS_DIR'] as const)
      if (values[name] !== undefined) say(name, 'is set, but VDS_EVENTS_URL is not and would never use it');
    return;
  }
  if (values.VDS_EVENTS_SECRET === undefined) say('VDS_EVENTS_SECRET', 'must be set while VDS_EVENTS_URL is');
  if (values.VDS_VIN_HASH_KEY === undefined)
    say('VDS_VIN_HASH_KEY', 'must be set while VDS_EVENTS_URL is, because vehicles are remembered as hashes');
  if (store === 'redis' && folder !== undefined)
    say('VDS_EVENTS_DIR', 'is set, but VDS_STORE is redis, and the queue of events is there');
  if (store !== 'redis' && folder === undefined)
    say('VDS_EVENTS_DIR', 'must be set while VDS_EVENTS_URL is, or VDS_STORE must be redis: events wait there');
  if (store !== 'redis' && values.VDS_WORKERS > 1)
    say('VDS_STORE', 'must be redis while VDS_EVENTS_URL is set and VDS_WORKERS is more than 1');
  const isOpen = (url: URL | null) => url?.protocol === 'http:' && !isLoopback(url.hostname);
  if (!values.VDS_ALLOW_PLAINTEXT && urls.some((url) => isOpen(urlOf(url))))
    say(
      'VDS_EVENTS_URL',
      'must start with https:// unless it is on this machine, or VINs would travel in the clear. Set VDS_ALLOW_PLAINTEXT=true if nobody else is on that network',
    );
}

function checkReceipts(values: SettingValues, say: Say): void {
  const { VDS_RECEIPTS_DIR: folder, VDS_RECEIPTS_KEY_FILE: key, VDS_STORE: store } = values;
  if (folder === undefined) {
    if (key !== undefined) say('VDS_RECEIPTS_KEY_FILE', 'is set, but VDS_RECEIPTS_DIR is not and would never use it');
    return;
  }
  if (key === undefined)
    say('VDS_RECEIPTS_KEY_FILE', 'must be set while VDS_RECEIPTS_DIR is: vds-proxy audit new-key makes such a file');
  if (values.VDS_VIN_HASH_KEY === undefined)
    say('VDS_VIN_HASH_KEY', 'must be set while VDS_RECEIPTS_DIR is, because receipts have hashes of VINs');
  if (store !== 'file' && store !== 'redis')
    say('VDS_STORE', 'must be file or redis while VDS_RECEIPTS_DIR is set, or no withdrawal would outlive the process');
}

function checkServer(values: SettingValues, say: Say): void {
  const { VDS_PORT: port, VDS_ADMIN_PORT: adminPort, VDS_PROBE_PORT: probePort } = values;
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
}

function checkAddresses(values: SettingValues, say: Say): void {
  /** Rejects an address that leads to another machine without TLS. */
  const checkTls = (name: SettingName, scheme: 'http' | 'redis', danger: string) => {
    const url = urlOf(String(values[name]));
    if (url?.protocol === `${scheme}:` && !isLoopback(url.hostname))
      say(name, `must start with ${scheme}s:// unless it is on this machine, or ${danger}`);
  };
  checkTls('VDS_JWKS_URL', 'http', 'keys could be exchanged on the way');
  for (const name of ['VDS_TOKEN_URL', 'VDS_TOKEN_REFRESH_URL'] as const)
    checkTls(name, 'http', 'secrets would travel in the clear');
  const { VDS_REDIS_CLUSTER: cluster, VDS_REDIS_SENTINELS: sentinels } = values;
  if (cluster && sentinels) say('VDS_REDIS_CLUSTER', 'must not be set together with VDS_REDIS_SENTINELS');
  const { pathname = '', search = '' } = urlOf(values.VDS_REDIS_URL) ?? {};
  if (!/^(\/\d*)?$/.test(pathname + search))
    say('VDS_REDIS_URL', 'must have the number of a database, or nothing, behind its host and port');
  if (cluster && /[1-9]/.test(pathname))
    say(
      'VDS_REDIS_URL',
      'must not name a database while VDS_REDIS_CLUSTER is true, because a cluster has only database 0',
    );
  if (values.VDS_ALLOW_PLAINTEXT) return;
  const clear = 'tokens would travel in the clear. Set VDS_ALLOW_PLAINTEXT=true if nobody else is on that network';
  checkTls('VDS_UPSTREAM_URL', 'http', clear);
  // With Sentinels the host is a name and no place.
  if (!sentinels?.every((each) => isLoopback(each.replace(/:\d+$/, '')))) checkTls('VDS_REDIS_URL', 'redis', clear);
}

/** @param isUsed whether some brand has its token by these settings */
function checkTokens(values: SettingValues, isUsed: boolean, say: Say): void {
  if (values.VDS_UPSTREAM_AUTH !== 'token-endpoint') return;
  const grant = values.VDS_TOKEN_GRANT;
  const secret = grantSecrets[grant];
  if (isUsed && values[secret] === undefined) say(secret, `must be set while VDS_TOKEN_GRANT is ${grant}`);
  const lost = 'must not be memory for this VDS_TOKEN_GRANT, or a rotated refresh token would be lost with the process';
  if (grant !== 'client-credentials' && values.VDS_STORE === 'memory') say('VDS_STORE', lost);
}

/** Rejects one refresh token or code for several brands: the first brand's use of it ends it, and with it perhaps the consent. */
function checkRotation(settings: Settings, served: readonly string[], mistakes: string[]): void {
  const brandOf = new Map<string, string>();
  for (const brand of served) {
    const { values } = settings.byBrand.get(brand) ?? settings;
    const name = grantSecrets[values.VDS_TOKEN_GRANT];
    const secret = values[name];
    if (values.VDS_UPSTREAM_AUTH !== 'token-endpoint' || name === 'VDS_CLIENT_SECRET' || secret === undefined) continue;
    const first = brandOf.get(secret);
    brandOf.set(secret, first ?? brand);
    if (first === undefined) continue;
    const key = flagOf(name);
    mistakes.push(
      `${name}: ${first} and ${brand} must not share one, because it is good for one use: give each brand its own as ${key} or ` +
        `${key}-file in by-brand of VDS_CONFIG_FILE, or set VDS_BRANDS to the one brand it is for`,
    );
    return;
  }
}
