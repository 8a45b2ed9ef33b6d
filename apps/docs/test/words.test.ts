import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const files = globSync(
  [
    'openapi/guides/*.md',
    'apps/docs/{guides,.vitepress}/*.md',
    '{.,openapi,apps/*,apps/proxy/runtimes,packages/*}/README.md',
  ],
  { cwd: repository },
);

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
  ours: 'this implementation',
  'refus(?:e|es|ed|al|als)': 'reject',
  'the interface': 'the API',
  'used up': 'reached, exceeded',
} as const;

// Without code, link targets and tables that a test renews.
const quoted = /^```[\s\S]*?^```$|`[^`]*`|\]\([^)]*\)|<!-- table:[\s\S]*?<!-- end of table -->/gm;
/** The words of a text that readers do not search for. */
const unusualWords = (text: string) =>
  Object.entries(wordsToWrite).flatMap(([word, instead]) =>
    [...text.matchAll(new RegExp(`\\b${word}\\b`, 'gi'))].map(([match]) => `${match}: write "${instead}"`),
  );

test('the contract and the dashboard of the proxy use the words of the field', async () => {
  const contract = await readFile(`${repository}openapi/dist/openapi.yaml`, 'utf8');
  expect(unusualWords(contract)).toEqual([]);
  const dashboard = await readFile(`${repository}apps/proxy/deploy/grafana-dashboard.json`, 'utf8');
  const shown = dashboard.match(/(?<="(?:title|description|legendFormat)": ).+/g) ?? [];
  expect(unusualWords(shown.join('\n'))).toEqual([]);
});

test.for(files)('%s uses the words of the field', async (file) => {
  const text = (await readFile(`${repository}${file}`, 'utf8')).replaceAll(quoted, 'code');
  expect(unusualWords(text)).toEqual([]);
});
