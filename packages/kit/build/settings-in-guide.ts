// Renews the tables of settings in a guide: `pnpm run settings-table` of a package with settings. What each setting means is written in the
// guide and stays; a test of the package holds the rest to its settings.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SettingTable } from '../src/settings/table.ts';

/** The file of a guide. */
const guideAt = (name: string) => new URL(`../../../openapi/guides/${name}.md`, import.meta.url);
/** What stands around the tables. */
const [start, end] = ['<!-- table: settings -->', '<!-- end of table -->'];

export const readGuide = (name: string) => readFileSync(guideAt(name), 'utf8');

/** The tables of all settings as Markdown. What each setting means is taken from the tables that are in the text now. */
export function settingTables({ groups }: Pick<SettingTable<unknown>, 'groups'>, guide: string): string {
  const meanings = new Map(
    [...guide.matchAll(/^\| `([A-Z]\w+)`.*\| (.*?) +\|$/gm)].map(([, variable, meaning]) => [variable, meaning]),
  );
  const head = ['| Variable | Flag | Value | Default | Meaning |', '| --- | --- | --- | --- | --- |'];
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return groups
    .map(({ title, settings }) => {
      const rows = settings.map(({ variable, flag, words, secret, default: standard, alsoVariables, alsoFlags }) => {
        const names = [variable, ...alsoVariables, ...(secret ? [`${variable}_FILE`] : [])];
        const flags = [flag, ...alsoFlags].map((each) => `--${each}`);
        const shown = standard === undefined ? 'none' : `\`${standard}\``;
        return `| ${code(names)} | ${code(flags)} | ${words} | ${shown} | ${meanings.get(variable) ?? '(not said yet)'} |`;
      });
      return [`### ${title}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}

/** Tables without the padding that the formatter gives their cells. */
export const unpadded = (text: string) => text.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

if (import.meta.main) {
  const [name = '', module = '', member = ''] = process.argv.slice(2);
  const { [member]: table } = (await import(pathToFileURL(resolve(module)).href)) as Record<
    string,
    SettingTable<unknown>
  >;
  const text = readGuide(name);
  const [before, rest = ''] = text.split(start);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined) throw new Error(`${name}.md has no place for the settings`);
  if (table === undefined) throw new Error(`${module} has no ${member}`);
  writeFileSync(guideAt(name), `${before}${start}\n\n${settingTables(table, text)}\n\n${end}${after}`);
}
