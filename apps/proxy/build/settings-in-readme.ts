import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/config/show-settings.js';

// Renews the tables of settings in the README, except for what they mean; a test holds them to the schema.
const readme = new URL('../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const start = '<!-- settings: made by `pnpm run settings-table` -->';
const end = '<!-- end of settings -->';
const [before, rest = ''] = text.split(start);
const [, after] = rest.split(end);
if (before === undefined || after === undefined) throw new Error('README.md has no place for the settings');
writeFileSync(readme, `${before}${start}\n\n${settingsTable(text)}\n\n${end}${after}`);
