import { contractBrands } from '../config.js';
import type { SettingName } from './all-settings.js';
import { checkClientAuth } from './check-client-auth.js';
import { checkIdentity } from './check-identity.js';
import { checkUpstream } from './check-upstream.js';

type Values = ReadonlyMap<SettingName, string>;

/** Refuses combinations that would be unsafe or do nothing. */
export function checkTogether(values: Values, byBrand: ReadonlyMap<string, Values>, mistakes: string[]): void {
  // What is wrong by itself has been said; a name can also begin another name.
  const wrongAlready = (name: SettingName) =>
    mistakes.some((mistake) => [':', ' ', '_FILE:'].some((end) => mistake.startsWith(`${name}${end}`)));
  const say = (name: SettingName, place: string, text: string) => {
    if (!wrongAlready(name)) mistakes.push(`${name}${place}: ${text}`);
  };
  if (!values.has('VDS_UPSTREAM_URL')) say('VDS_UPSTREAM_URL', '', 'must be set to the base address of the service');
  checkClientAuth(values, byBrand, say);
  const adminPort = values.get('VDS_ADMIN_PORT');
  if (adminPort !== undefined && adminPort !== '0' && adminPort === values.get('VDS_PORT'))
    say('VDS_ADMIN_PORT', '', 'must not be VDS_PORT, or clients could see what is for operators');
  for (const origin of values.get('VDS_CORS_ORIGINS')?.split(',') ?? [])
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      say('VDS_CORS_ORIGINS', '', 'must be origins such as https://app.example.com, separated by commas');
  const probePort = values.get('VDS_PROBE_PORT');
  if (probePort !== undefined && probePort !== '0' && [values.get('VDS_PORT'), adminPort].includes(probePort))
    say('VDS_PROBE_PORT', '', 'must not be VDS_PORT or VDS_ADMIN_PORT');
  if (values.has('VDS_AUDIT_FILE') && !values.has('VDS_VIN_HASH_KEY'))
    say('VDS_VIN_HASH_KEY', '', 'must be set while VDS_AUDIT_FILE is, because VINs are kept there as hashes');
  checkStore(values, say);
  checkUpstream(values, say);
  const fetches = [...byBrand.values()].some((own) => own.get('VDS_UPSTREAM_AUTH') === 'token-endpoint');
  checkIdentity(values, values, '', fetches, say);
  const brands = values.get('VDS_BRANDS')?.split(',') ?? contractBrands();
  for (const [brand, own] of byBrand) {
    if (!brands.includes(brand)) say('VDS_CONFIG_FILE', '', 'by-brand: names a brand that is not served');
    checkIdentity(new Map([...values, ...own]), own, ' (by-brand)', false, say);
  }
}

function checkStore(values: Values, say: (name: SettingName, place: string, text: string) => void): void {
  const store = values.get('VDS_STORE');
  for (const [way, name] of [
    ['file', 'VDS_STORE_DIR'],
    ['redis', 'VDS_REDIS_URL'],
  ] as const) {
    if (store === way && !values.has(name)) say(name, '', `must be set while VDS_STORE is ${way}`);
    if (store !== undefined && store !== way && values.has(name))
      say(name, '', `is set, but VDS_STORE is ${store} and would never use it`);
  }
  if (!/^[^,:\s]+(?::\d{1,5})?(?:,[^,:\s]+(?::\d{1,5})?)*$/.test(values.get('VDS_REDIS_SENTINELS') ?? 'none'))
    say('VDS_REDIS_SENTINELS', '', 'must be addresses such as host:26379, separated by commas');
  const address = values.get('VDS_REDIS_URL');
  if (address !== undefined && !(/^rediss?:\/\//.test(address) && URL.canParse(address)))
    say('VDS_REDIS_URL', '', 'must be an address that starts with redis:// or rediss://');
}
