import type { Settings } from './read-settings.js';
import { flagOf, type Setting, type SettingTexts } from './setting.js';
import { settingGroups, settings } from './settings.js';

function linesOf(texts: SettingTexts): string[] {
  return settings.flatMap((setting) => {
    const text = texts[setting.variable];
    if (text === undefined) return [];
    return `${setting.variable}=${setting.secret ? '(set, not shown)' : text}`;
  });
}

/** The settings as the program understood them, one a line, secrets masked; a brand shows only what differs. */
export function printSettings({ texts, textsByBrand }: Settings): string {
  const defaults = Object.fromEntries(settings.map((setting) => [setting.variable, setting.default]));
  const brands = [...textsByBrand].flatMap(([brand, own]) => {
    const different = Object.fromEntries(Object.entries(own).filter(([name, text]) => text !== texts[name]));
    return [`# by-brand ${brand}`, ...linesOf(different)];
  });
  return `${[...linesOf({ ...defaults, ...texts }), ...brands].join('\n')}\n`;
}

function row({ variable, words, help, secret, default: standard, ...also }: Setting): string {
  const flags = [flagOf(variable), ...(also.alsoFlags ?? [])].map((flag) => `\`--${flag}\``);
  const names = [variable, ...(also.alsoVariables ?? []), ...(secret ? [`${variable}_FILE`] : [])];
  const shown = standard === undefined ? 'none' : `\`${standard}\``;
  return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${flags.join(', ')} | ${words} | ${shown} | ${help}. |`;
}

/** The tables of all settings as Markdown. */
export function settingsTable(): string {
  const head = ['| Variable | Flag | Value | Default | Meaning |', '| --- | --- | --- | --- | --- |'];
  return settingGroups
    .map((group) => [`### ${group.title}`, '', ...head, ...group.settings.map(row)].join('\n'))
    .join('\n\n');
}
