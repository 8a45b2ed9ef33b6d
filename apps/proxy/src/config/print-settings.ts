import { settings } from './all-settings.js';
import type { Settings, SettingValues } from './read-settings.js';
import { isSecret } from './setting.js';

function lines(values: SettingValues, only: SettingValues | null): string[] {
  const shown: string[] = [];
  for (const setting of settings) {
    for (const [name, value] of values) {
      if (name !== setting.variable || only?.get(name) === value) continue;
      shown.push(`${name}=${isSecret(setting) ? '(set, not shown)' : value}`);
    }
  }
  return shown;
}

/** The settings as the program understood them, one a line, secrets masked; a brand shows only what differs. */
export function printSettings({ values, byBrand }: Settings): string {
  const sections = [lines(values, null)];
  for (const [brand, own] of byBrand) sections.push([`# by-brand ${brand}`, ...lines(own, values)]);
  return `${sections.flat().join('\n')}\n`;
}
