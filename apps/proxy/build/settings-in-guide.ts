import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/config/show-settings.js';

// Renews the tables of settings in their guide, except for what they mean; a test holds them to the schema.
const guide = new URL('../../../openapi/guides/proxy-settings.md', import.meta.url);
const text = readFileSync(guide, 'utf8');
const start = '<!-- table: proxy-settings -->';
const end = '<!-- end of table -->';
const [before, rest = ''] = text.split(start);
const [, after] = rest.split(end);
if (before === undefined || after === undefined) throw new Error('proxy-settings.md has no place for the settings');
writeFileSync(guide, `${before}${start}\n\n${settingsTable(text)}\n\n${end}${after}`);
