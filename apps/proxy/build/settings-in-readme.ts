import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/config/show-settings.js';

// Writes the tables of settings into the README; a test holds them to the schema.
const readme = new URL('../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const start = '<!-- settings: made by `pnpm run settings-table` -->';
const end = '<!-- end of settings -->';
const [before, rest = ''] = text.split(start);
const [, after] = rest.split(end);
if (before === undefined || after === undefined) throw new Error('README.md has no place for the settings');
writeFileSync(readme, `${before}${start}\n\n${settingsTable()}\n\n${end}${after}`);
