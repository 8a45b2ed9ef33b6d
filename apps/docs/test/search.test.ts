// What people ask the search, and the pages one of which must be among its first three. Whoever tunes the search reads `questions.json` only.
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { searchWith } from '../.vitepress/search.ts';
import questions from './search/questions.json' with { type: 'json' };
import heldOut from './search/questions-held-out.json' with { type: 'json' };
import unseen from './search/questions-unseen.json' with { type: 'json' };

const chunks = new URL('../dist/assets/chunks/', import.meta.url);
/** What a chunk of the site exports that the search loads. */
const load = async (start: string) => {
  const name = (await readdir(chunks)).find((file) => file.startsWith(start));
  return (await import(new URL(`${name}`, chunks).href)).default;
};
// The one that VitePress puts into the page.
const MiniSearch = createRequire(createRequire(import.meta.url).resolve('vitepress'))('minisearch');
const index = MiniSearch.loadJSON(await load('@localSearchIndexroot'), {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
});
const search = searchWith(await load('search-vocabulary'));

/** The first three pages for a question. */
const firstThree = (question: string) =>
  search(index, question)
    .slice(0, 3)
    .map(({ id }) => id.replace(/^\/docs\/|\/(?:#.*)?$/g, ''));

/** The questions whose page is not among the first three, with what is found instead. */
const missed = (asked: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(asked).flatMap(([question, expected]) => {
    const found = firstThree(question);
    return found.some((page) => expected.includes(page)) ? [] : [`${question}: ${found.join(', ')}`];
  });

test('each question finds its page among the first three', () => expect(missed(questions)).toEqual([]));

test.for([
  { name: 'held-out', asked: heldOut },
  { name: 'unseen', asked: unseen },
])(
  'of $name questions, which nothing is tuned for, nine in ten find their page among the first three',
  ({ name, asked }) => {
    const left = missed(asked);
    const count = Object.keys(asked).length;
    console.log(`${count - left.length} of ${count} ${name} questions`);
    // Without the questions: who tunes the search shall not read them.
    expect(left.length / count).toBeLessThanOrEqual(0.1);
  },
);

test('the pages that are expected are there', async () => {
  const pages = await readdir(new URL('../dist/', import.meta.url), { recursive: true });
  const expected = [questions, heldOut, unseen].flatMap((asked) => Object.values(asked)).flat();
  expect(expected.filter((path) => !pages.includes(`${path}.md`))).toEqual([]);
});

test('a mistyped word finds what was meant', () => expect(firstThree('verfy a webhok')).toContain('guides/events'));

test('letters that are swapped, and two words written as one, find what was meant', () => {
  expect(firstThree('recieve an event')).toContain('guides/events');
  expect(firstThree('cronjob')).toContain('guides/nightly-export');
});

test('a word that is nowhere finds nothing', () => expect(firstThree('zzzzqq')).toEqual([]));
