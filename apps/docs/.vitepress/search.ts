// The search: any word of a question may match. A page counts by what people ask for on it, then by its text.
import { type AskedWord, comparisonWith } from './search-asked.ts';
import { nearWords, stemOf, wordsOf } from './search-words.ts';

/** What the search knows beside the index of texts. */
export interface Vocabulary {
  /** By word, the words of the docs that mean the same. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  /** The terms of the glossary. */
  readonly terms: readonly string[];
  /** By path, such as `guides/consent`. */
  readonly pages: Readonly<Record<string, { readonly title: string; readonly asked: readonly string[] }>>;
}

/** A section of a page, as MiniSearch finds it. */
export interface SectionHit {
  /** The address of the section: a path and, below the title, a fragment. */
  readonly id: string;
  readonly score: number;
  /** Its heading. */
  readonly title: string;
  /** The headings above it. */
  readonly titles: readonly string[];
  /** The words of the index that were found in it. */
  readonly terms: readonly string[];
  /** The fields by word, which the list of results marks. */
  readonly match: Readonly<Record<string, readonly string[]>>;
}

/** What is used of an index of MiniSearch. */
export interface Index {
  search(query: string, options: object): readonly SectionHit[];
}

/** How texts are scored: titles above all, and a word that comes often in a long section a little. */
const scoring = { boost: { title: 8, text: 3, titles: 0.3 }, bm25: { k: 1.2, b: 0.5, d: 0.1 } };
const exact = { ...scoring, prefix: false, fuzzy: false };
const begun = { ...scoring, prefix: true, fuzzy: false };
const similar = { ...scoring, prefix: true, fuzzy: 0.25 };
/** What a hit counts that is not of the word itself. */
const shares = { synonym: 0.2, begun: 0.35, beingTyped: 0.5 };
/** What a page counts for its phrases, where the best text of all counts 1. */
const askedShare = 4;

const base = '/docs/';
const pathOf = (id: string) => id.slice(base.length).replace(/\/?(?:#.*)?$/, '');
const asksForMeaning = (query: string) => /^what(?:'s| is| are| does)\b|\bmean(?:s|ing)?\b/i.test(query);

/** What a page counts for besides the words that are found in it: `text` for its text, `asked` for its phrases. */
function weightsOf(path: string, words: readonly string[]): { text: number; asked: number } {
  if (path.startsWith('sdk/')) return { text: 0.3, asked: 0.85 };
  if (path.startsWith('guides/changelog')) return { text: 0.5, asked: 1 };
  const [, code] = /^errors\/(.+)$/.exec(path) ?? [];
  if (code === undefined) return { text: 1, asked: 1 };
  // Who names an error wants its page; others want what explains errors.
  const isNamed =
    words.includes(code) || words.includes('error') || code.split('-').every((part) => words.includes(part));
  return isNamed ? { text: 1.5, asked: 1.5 } : { text: 0.5, asked: 0.85 };
}

/** The hits of a word in any of its forms, of words near to it, and of longer words that it begins; if there are none, of similar words. */
function hitsOf(index: Index, { word, others }: AskedWord, isLast: boolean): ReadonlyMap<string, SectionHit> {
  const best = new Map<string, SectionHit>();
  const add = (hits: readonly SectionHit[], share: number) => {
    for (const hit of hits) {
      const score = hit.score * share;
      if (score > (best.get(hit.id)?.score ?? 0)) best.set(hit.id, { ...hit, score });
    }
  };
  const addForms = (asked: string, share: number) => {
    const stem = stemOf(asked);
    const longer = new Set(index.search(stem, begun).flatMap(({ terms }) => terms));
    for (const form of new Set([asked, ...[...longer].filter((term) => stemOf(term) === stem)]))
      add(index.search(form, exact), share);
  };
  addForms(word, 1);
  for (const other of others) addForms(other, shares.synonym);
  if (isLast ? word.length > 1 : word.length > 3)
    add(index.search(word, begun), isLast ? shares.beingTyped : shares.begun);
  if (best.size === 0 && word.length > 3) add(index.search(word, similar), 1);
  return best;
}

/** Scores the texts of all pages: the best section of each, and whatever else of the question the page has. A rare word counts more. */
function textsFor(index: Index, question: readonly AskedWord[], pageCount: number) {
  const pages = new Map<string, { sections: Map<string, SectionHit>; sum: number }>();
  for (const [position, asked] of question.entries()) {
    const hits = [...hitsOf(index, asked, position === question.length - 1).values()];
    const paths = new Set(hits.map(({ id }) => pathOf(id)));
    const rarity = 0.3 + Math.log(1 + (pageCount - paths.size + 0.5) / (paths.size + 0.5));
    const most = Math.max(...hits.map(({ score }) => score));
    const bestOfPage = new Map<string, number>();
    for (const hit of hits) {
      const score = (hit.score / most) ** 0.6 * rarity;
      const path = pathOf(hit.id);
      const page = pages.get(path) ?? { sections: new Map(), sum: 0 };
      pages.set(path, page);
      const before = page.sections.get(hit.id);
      page.sections.set(hit.id, {
        ...hit,
        score: score + (before?.score ?? 0),
        match: { ...before?.match, ...hit.match },
      });
      bestOfPage.set(path, Math.max(score, bestOfPage.get(path) ?? 0));
    }
    for (const [path, score] of bestOfPage) {
      const page = pages.get(path);
      if (page) page.sum += score;
    }
  }
  return pages;
}

/** Makes the search for a vocabulary: it returns a section for each page that has any word of a query, or is asked for like that. */
export function searchWith({ synonyms, terms, pages }: Vocabulary) {
  const { likenessesOf, corrected } = comparisonWith(
    Object.fromEntries(Object.entries(pages).map(([path, { asked }]) => [path, asked])),
  );
  const othersOf = (word: string) => {
    const stem = stemOf(word);
    return [...(synonyms[word] ?? []), ...(synonyms[stem] ?? []), ...(nearWords.get(stem) ?? [])];
  };
  /** The share of a question that is a term of the glossary. */
  const termIn = (stems: ReadonlySet<string>) =>
    Math.max(
      0,
      ...terms
        .map((term) => wordsOf(term).map(stemOf))
        .filter((term) => term.every((stem) => stems.has(stem)))
        .map((term) => term.length / stems.size),
    );

  return (index: Index, query: string): readonly SectionHit[] => {
    const words = wordsOf(query).flatMap((word) => {
      const isKnown = index.search(stemOf(word), begun).length > 0;
      return isKnown ? [word] : corrected(word);
    });
    const stems = new Set(words.map(stemOf));
    const question = words.map((word) => ({ word, others: othersOf(word) }));
    const texts = textsFor(index, question, Object.keys(pages).length);
    const likenesses = new Map(likenessesOf(question));
    if (asksForMeaning(query))
      likenesses.set('guides/glossary', Math.max(termIn(stems), likenesses.get('guides/glossary') ?? 0));

    const found = [...new Set([...texts.keys(), ...likenesses.keys()])].map((path) => {
      const { sections, sum } = texts.get(path) ?? { sections: new Map<string, SectionHit>(), sum: 0 };
      const title = pages[path]?.title ?? '';
      const inTitle =
        wordsOf(title)
          .map(stemOf)
          .filter((stem) => stems.has(stem)).length / stems.size;
      const [best] = [...sections.values()].toSorted((one, other) => other.score - one.score);
      const weights = weightsOf(path, words);
      const text = ((best?.score ?? 0) + 2 * sum) * (1 + 0.3 * inTitle) * weights.text;
      const asked = (likenesses.get(path) ?? 0) * (1 + 0.3 * inTitle) * weights.asked;
      return { path, title, best, text, asked };
    });
    const most = Math.max(...found.map(({ text }) => text), Number.MIN_VALUE);
    return found
      .map(({ path, title, best, text, asked }) => {
        const page = { id: `${base}${path}/`, title, titles: [], terms: [], match: {} };
        return { ...(best ?? page), score: text / most + askedShare * asked };
      })
      .toSorted((one, other) => other.score - one.score);
  };
}
