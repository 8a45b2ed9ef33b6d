import { readFileSync } from 'node:fs';

/** The words of the docs by the words that people use instead, as the glossary lists them. */
export function readSynonyms(): Readonly<Record<string, readonly string[]>> {
  const glossary = readFileSync(new URL('../guides/glossary.md', import.meta.url), 'utf8');
  const synonyms: Record<string, string[]> = {};
  for (const [, term = '', others = ''] of glossary.matchAll(/^\| ([^|]+?) +\|[^|]+\| ([^|]*?) *\|$/gm))
    for (const other of others.split(', ').filter((word) => /^[\w-]+$/.test(word)))
      synonyms[other] = [...(synonyms[other] ?? []), term.replaceAll('`', '').toLowerCase()];
  return synonyms;
}
