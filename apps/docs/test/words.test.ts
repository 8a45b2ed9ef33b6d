import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const markdownIn = async (folder: string) =>
  (await readdir(`${repository}${folder}`)).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
const packages = await Promise.all(
  ['packages', 'apps'].map(async (group) => (await readdir(`${repository}${group}`)).map((name) => `${group}/${name}`)),
);
const readmes = ['.', 'openapi', 'apps/proxy/runtimes', ...packages.flat()].map((folder) => `${folder}/README.md`);
const files = [
  ...(await markdownIn('openapi/guides')),
  ...(await markdownIn('apps/docs/guides')),
  ...readmes.filter((file) => existsSync(`${repository}${file}`)),
];

// A word that readers do not search for, and the one to write instead.
const wordsToWrite = {
  'asked? again': 'retry',
  'callers?': 'client',
  'colour\\w*': 'color',
  'deviat\\w+': 'violate, violation',
  'does not say': 'is not specified',
  'hand(?:s|ed)? (?:on|over)': 'pass, forward',
  'hears? of': 'receive, is notified',
  'in hand': 'current',
  'is told': 'receive, is notified',
  'mend(?:s|ed)?': 'fix',
  'not stated': 'not specified',
  'our (?:reading|choice|own)': 'this implementation assumes',
  'refus(?:e|es|ed|al|als)': 'reject',
  'the interface': 'the API',
  'used up': 'reached, exceeded',
} as const;

/** The prose of a file: no code, tables, comments or link targets. */
const proseOf = (markdown: string) =>
  markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^<!--.*-->$|^\|.*$|^#+ .*$/gm, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']');

test.for(files)('%s uses the words of the field', async (file) => {
  const text = (await readFile(`${repository}${file}`, 'utf8')).replaceAll(
    /^```[\s\S]*?^```$|`[^`]*`|\]\([^)]*\)|<!-- table:[\s\S]*?<!-- end of table -->/gm,
    '',
  );
  const found = Object.entries(wordsToWrite).flatMap(([word, instead]) =>
    [...text.matchAll(new RegExp(`\\b${word}\\b`, 'gi'))].map(([match]) => `${match}: write "${instead}"`),
  );
  expect(found).toEqual([]);
});

test.for(files)('half of the sentences of %s have at most 15 words', async (file) => {
  const sentences = proseOf(await readFile(`${repository}${file}`, 'utf8'))
    .split(/\n\s*\n|^\s*(?:-|\d+\.) /m)
    .flatMap((paragraph) => paragraph.split(/[.!?:](?=\s|$)/))
    .map((sentence) => sentence.match(/[\p{L}\p{N}'-]+/gu)?.length ?? 0)
    .filter((words) => words > 1)
    .toSorted((one, other) => one - other);
  expect(sentences[Math.floor(sentences.length / 2)] ?? 0).toBeLessThanOrEqual(15);
});
