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

/** The tables of all settings as Markdown. What each setting means is taken from the tables that are in the text now. */
export function settingsTable(guide: string): string {
  const meanings = new Map(
    [...guide.matchAll(/^\| `(VDS_\w+)`.*\| (.*?) +\|$/gm)].map(([, variable, meaning]) => [variable, meaning]),
  );
  const head = ['| Variable | Value | Default | Meaning |', '| --- | --- | --- | --- |'];
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return proxySettings.groups
    .map(({ title, settings: group }) => {
      const rows = group.map(({ variable, flag, words, default: standard, alsoVariables, alsoFlags }) => {
        // A flag that follows from its variable, and the file of a secret, are said once above the tables.
        const flags = [flag, ...alsoFlags]
          .filter((each) => each !== variable.slice('VDS_'.length).toLowerCase().replaceAll('_', '-'))
          .map((each) => `--${each}`);
        const names = [variable, ...alsoVariables, ...flags];
        const shown = standard === undefined ? '–' : `\`${standard}\``;
        return `| ${code(names)} | ${words.replace('whole number, ', '')} | ${shown} | ${meanings.get(variable) ?? '(not said yet)'} |`;
      });
      return [`### ${title}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}
