import { contractBrands } from '../config.js';
import type { SettingName } from './all-settings.js';
import { checkIdentity } from './check-identity.js';
import { isLoopback } from './loopback.js';

type Values = ReadonlyMap<SettingName, string>;

/** Refuses combinations that would be unsafe or do nothing. */
export function checkTogether(values: Values, byBrand: ReadonlyMap<string, Values>, mistakes: string[]): void {
  const hasMistake = (name: SettingName) => mistakes.some((mistake) => mistake.startsWith(`${name}`));
  const say = (name: SettingName, place: string, text: string) => {
    if (!hasMistake(name)) mistakes.push(`${name}${place}: ${text}`);
  };
  if (!values.has('VDS_UPSTREAM_URL')) say('VDS_UPSTREAM_URL', '', 'must be set to the base address of the service');
  const host = values.get('VDS_HOST');
  if (host !== undefined && values.get('VDS_CLIENT_AUTH') === 'none' && !isLoopback(host)) {
    say(
      'VDS_HOST',
      '',
      'must be a loopback address while VDS_CLIENT_AUTH is none, or everyone who reaches the port could call',
    );
  }
  const callers = values.get('VDS_CLIENT_AUTH');
  if (callers === 'api-key' && !values.has('VDS_KEYS_FILE'))
    say('VDS_KEYS_FILE', '', 'must be set while VDS_CLIENT_AUTH is api-key');
  if (callers !== undefined && callers !== 'api-key' && values.has('VDS_KEYS_FILE'))
    say('VDS_KEYS_FILE', '', `is set, but VDS_CLIENT_AUTH is ${callers} and would never use it`);
  if (values.get('VDS_STORE') === 'file' && !values.has('VDS_STORE_DIR'))
    say('VDS_STORE_DIR', '', 'must be set while VDS_STORE is file');
  checkIdentity(values, values, '', say);
  const brands = values.get('VDS_BRANDS')?.split(',') ?? contractBrands();
  for (const [brand, own] of byBrand) {
    if (!brands.includes(brand)) say('VDS_CONFIG_FILE', '', 'by-brand: names a brand that is not served');
    checkIdentity(new Map([...values, ...own]), own, ' (by-brand)', say);
  }
}
