import { contractBrands } from '../config.js';
import type { SettingName } from './all-settings.js';

type Values = ReadonlyMap<SettingName, string>;

/** Whether an address can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

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
  checkIdentity(values, values, '', say);
  const brands = values.get('VDS_BRANDS')?.split(',') ?? contractBrands();
  for (const [brand, own] of byBrand) {
    if (!brands.includes(brand)) say('VDS_CONFIG_FILE', '', 'by-brand: names a brand that is not served');
    checkIdentity(new Map([...values, ...own]), own, ' (by-brand)', say);
  }
}

type Say = (name: SettingName, place: string, text: string) => void;

/** @param given the settings that were given at this place itself */
function checkIdentity(values: Values, given: Values, place: string, say: Say): void {
  const identity = values.get('VDS_UPSTREAM_AUTH');
  if (identity === 'static' && !values.has('VDS_ACCESS_TOKEN'))
    say('VDS_ACCESS_TOKEN', place, 'must be set while VDS_UPSTREAM_AUTH is static');
  if (identity !== undefined && identity !== 'static' && given.has('VDS_ACCESS_TOKEN'))
    say('VDS_ACCESS_TOKEN', place, `is set, but VDS_UPSTREAM_AUTH is ${identity} and would never use it`);
}
