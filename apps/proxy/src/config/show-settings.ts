import type { SettingTexts } from '#kit/settings/table.js';
import { proxySettings, type Settings } from './settings.js';

const hidden = '(set, not shown)';

function linesOf(texts: SettingTexts): string[] {
  return proxySettings.settings.flatMap(({ variable, secret }) => {
    const text = texts[variable];
    // The query of an address can hold a key.
    return text === undefined
      ? []
      : `${variable}=${secret ? hidden : text.replace(/^(https?:[^?]*\?).*/, `$1${hidden}`)}`;
  });
}

/** The settings as the program understood them, one a line, secrets masked; a brand shows only what differs. */
export function printSettings({ texts, byBrand }: Settings): string {
  const defaults = Object.fromEntries(proxySettings.settings.map((setting) => [setting.variable, setting.default]));
  const brands = [...byBrand].flatMap(([brand, own]) => {
    const different = Object.fromEntries(Object.entries(own.texts).filter(([name, text]) => text !== texts[name]));
    return [`# by-brand ${brand}`, ...linesOf(different)];
  });
  return `${[...linesOf({ ...defaults, ...texts }), ...brands].join('\n')}\n`;
}
