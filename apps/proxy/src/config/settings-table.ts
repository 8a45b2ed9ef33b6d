import { settingGroups } from './all-settings.js';
import { flagOf, isSecret, type Setting } from './setting.js';

const kindWords: Readonly<Record<Setting['kind'], string>> = {
  text: 'text',
  words: 'words, separated by spaces',
  file: 'path',
  secret: 'secret',
  password: 'secret',
  url: 'address',
  integer: 'whole number',
  boolean: 'true or false',
  list: 'names, separated by commas',
  choice: '',
  rate: 'calls/seconds, such as `600/60s`',
  mapping: '`name=field` pairs, separated by commas',
};

function row(setting: Setting): string {
  const { variable, kind, choices, minimum, maximum } = setting;
  const flags = [flagOf(variable), ...(setting.alsoFlags ?? [])].map((flag) => `\`--${flag}\``);
  const names = [variable, ...(setting.alsoVariables ?? [])].map((name) => `\`${name}\``);
  if (isSecret(setting)) names.push(`\`${variable}_FILE\``);
  const range = minimum === undefined && maximum === undefined ? '' : `, ${minimum ?? 0} to ${maximum ?? 'any'}`;
  const value =
    kind === 'choice' ? (choices ?? []).map((choice) => `\`${choice}\``).join(', ') : kindWords[kind] + range;
  const standard = setting.default === null ? 'none' : `\`${setting.default}\``;
  return `| ${names.join(', ')} | ${flags.join(', ')} | ${value} | ${standard} | ${setting.help}. |`;
}

/** The tables of all settings as Markdown. */
export function settingsTable(): string {
  return settingGroups
    .map(({ title, settings }) =>
      [
        `### ${title}`,
        '',
        '| Variable | Flag | Value | Default | Meaning |',
        '| --- | --- | --- | --- | --- |',
        ...settings.map(row),
      ].join('\n'),
    )
    .join('\n\n');
}
