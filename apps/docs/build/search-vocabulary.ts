import { readFileSync } from 'node:fs';
import type { Vocabulary } from '../.vitepress/search.ts';
import asked from '../guides/asked.json' with { type: 'json' };
import type { Page } from './markdown.ts';

/** What the search knows beside the texts: words of the glossary, and what people ask for on each page. */
export function searchVocabulary(pages: readonly Page[]): Vocabulary {
  const phrases: Readonly<Record<string, readonly string[]>> = asked;
  const unknown = Object.keys(phrases).filter((path) => !pages.some((page) => page.path === path));
  if (unknown.length > 0) throw new Error(`guides/asked.json names pages that are not there: ${unknown.join(', ')}`);
  return {
    ...readGlossary(),
    pages: Object.fromEntries(
      pages.map((page) => [
        page.path,
        {
          title: plain(page.title),
          asked: [...new Set([...(page.keywords ?? []), ...headingsOf(page), ...(phrases[page.path] ?? [])])],
        },
      ]),
    ),
  };
}

const plain = (markdown: string) => markdown.replaceAll(/\]\([^)]*\)|[`[\]*]/g, '');

/** The title and headings of a guide: they say what it is about, as questions do. A heading of one word says it only below its title. */
function headingsOf({ path, title, text }: Page): readonly string[] {
  if (!path.startsWith('guides/')) return [];
  const headings = Array.from(
    text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^##+ (.+)$/gm),
    ([, heading = '']) => heading,
  );
  return [title, ...headings.filter((heading) => heading.includes(' '))].map(plain);
}

/** The terms of the glossary, and by the words that people use instead, the words of the docs. */
function readGlossary(): Pick<Vocabulary, 'terms' | 'synonyms'> {
  const glossary = readFileSync(new URL('../guides/glossary.md', import.meta.url), 'utf8');
  const rows = [...glossary.matchAll(/^\| ([^|]+?) +\|[^|]+\| ([^|]*?) *\|$/gm)]
    .map(([, term = '', others = '']) => ({ term: term.replaceAll('`', '').toLowerCase(), others }))
    .filter(({ term }) => term !== 'term' && !term.startsWith('---'));
  const synonyms: Record<string, string[]> = {};
  for (const { term, others } of rows)
    for (const other of others.split(', ').filter((word) => /^[\w-]+$/.test(word)))
      synonyms[other] = [...(synonyms[other] ?? []), term];
  return { terms: rows.flatMap(({ term }) => term.split(', ')), synonyms };
}
