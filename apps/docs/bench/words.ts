// How many words the site has: prose and tables, without code, markup and the targets of links; declarations of the SDK are code.
// `node bench/words.ts [--dist folder] [page …]`: every page, the longest first, and the sum without the pages that are named.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countWords } from '../build/markdown.ts';

const { values, positionals } = parseArgs({
  options: { dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) } },
  allowPositionals: true,
});

const rows: { page: string; words: number }[] = [];
for (const file of await readdir(values.dist, { recursive: true }))
  if (file.endsWith('.md'))
    rows.push({
      page: file.slice(0, -'.md'.length),
      words: countWords(await readFile(join(values.dist, file), 'utf8')),
    });
const sumOf = (counted: typeof rows) => counted.reduce((sum, { words }) => sum + words, 0);
for (const { page, words } of rows.toSorted((one, other) => other.words - one.words))
  console.log(`${words.toString().padStart(6)}  ${page}`);
console.log(`${sumOf(rows).toString().padStart(6)}  words on ${rows.length} pages`);
const unknown = positionals.filter((name) => !rows.some(({ page }) => page === name));
if (unknown.length > 0) throw new Error(`no such page: ${unknown.join(', ')}`);
if (positionals.length > 0)
  console.log(
    `${sumOf(rows.filter(({ page }) => !positionals.includes(page)))
      .toString()
      .padStart(6)}  without those named`,
  );
