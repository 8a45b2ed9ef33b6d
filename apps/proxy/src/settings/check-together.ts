import { contractBrands } from '../config.js';
import type { SettingName } from './all-settings.js';
import { checkCallers } from './check-callers.js';
import { checkIdentity } from './check-identity.js';

type Values = ReadonlyMap<SettingName, string>;

/** Refuses combinations that would be unsafe or do nothing. */
export function checkTogether(values: Values, byBrand: ReadonlyMap<string, Values>, mistakes: string[]): void {
  const hasMistake = (name: SettingName) => mistakes.some((mistake) => mistake.startsWith(`${name}`));
  const say = (name: SettingName, place: string, text: string) => {
    if (!hasMistake(name)) mistakes.push(`${name}${place}: ${text}`);
  };
  if (!values.has('VDS_UPSTREAM_URL')) say('VDS_UPSTREAM_URL', '', 'must be set to the base address of the service');
  checkCallers(values, byBrand, say);
  if (values.get('VDS_STORE') === 'file' && !values.has('VDS_STORE_DIR'))
    say('VDS_STORE_DIR', '', 'must be set while VDS_STORE is file');
  checkIdentity(values, values, '', say);
  const brands = values.get('VDS_BRANDS')?.split(',') ?? contractBrands();
  for (const [brand, own] of byBrand) {
    if (!brands.includes(brand)) say('VDS_CONFIG_FILE', '', 'by-brand: names a brand that is not served');
    checkIdentity(new Map([...values, ...own]), own, ' (by-brand)', say);
  }
}
