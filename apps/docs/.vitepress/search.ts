// The search: any word of a question may match, and pages come before declarations.

/** How one word is looked up. */
export const searchOptions = {
  boost: { title: 6, text: 3, titles: 0.3 },
  weights: { fuzzy: 0.15, prefix: 0.3 },
  bm25: { k: 1.5, b: 0.5, d: 0.1 },
  prefix: true,
  fuzzy: 0.2,
};

/** By word of a query, the words of the docs that mean the same. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

/** What is used of an index of MiniSearch. */
interface Index<Hit> {
  search(query: string): readonly Hit[];
}

/** A section of a page, as MiniSearch finds it. */
interface SectionHit {
  /** The address of the section: a path and, below the title, a fragment. */
  readonly id: string;
  readonly score: number;
  /** Its heading. */
  readonly title: string;
}

/** Words of a question that say nothing about its subject. */
const stopWords = new Set(
  `a about all am an and any are as at be before by can could did do does doing for from get give go had has have how i if in is it its
  let make may me mean means must my need no of off on once or our out should so some than that the their them then there these they this to use
  using want was we what when where which who whose why will with without would you your`.split(/\s+/),
);

/** What a page counts for besides the words that are found in it. */
function weightOf(id: string, words: readonly string[], query: string): number {
  if (/\/sdk\//.test(id)) return 0.3;
  const [, code] = /\/errors\/([^/]+)\//.exec(id) ?? [];
  // Who names an error wants its page; others want what explains errors.
  if (code)
    return words.includes(code) || words.includes('error') || code.split('-').every((part) => words.includes(part))
      ? 1.5
      : 0.7;
  if (/\/guides\/changelog\//.test(id)) return 0.5;
  // Who asks what a word means wants the glossary.
  if (/\/guides\/glossary\//.test(id)) return /^what (?:is|are|does)\b|\bmeans?\b/i.test(query) ? 1.6 : 1;
  return 1;
}

/** The words of a query that matter, in lower case; all of them when none does. */
export function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._-]*/gu) ?? [];
  const kept = words
    .map((word) => word.replace(/[._-]+$|'s$/g, ''))
    .filter((word) => !stopWords.has(word) && word !== 's');
  return kept.length > 0 ? kept : words;
}

/** A word without the ending that a plural or a form of a verb has. */
const stemOf = (word: string) => word.replace(/(?:ing|ed|es|s)$/, '');

/** The share of words that a heading has. */
function shareInHeading(heading: string, words: readonly string[]): number {
  const named = heading.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [];
  const isNamed = (word: string) =>
    named.some((other) => other === word || (word.length > 3 && other.startsWith(stemOf(word))));
  return words.filter(isNamed).length / words.length;
}

/** A word, its stem and its synonyms, with what a hit of each counts. */
function alternativesOf(word: string, synonyms: Synonyms): readonly (readonly [term: string, share: number])[] {
  const stem = stemOf(word);
  return [
    [word, 1],
    ...(stem.length > 3 && stem !== word ? [[stem, 0.8] as const] : []),
    ...[...(synonyms[word] ?? []), ...(synonyms[stem] ?? [])].map((other) => [other, 0.4] as const),
  ];
}

/**
 * Finds sections that have any word of a query, or a synonym of one. The best section of each page stands for it. Pages and sections with
 * more of the words come first, and so do headings that have them.
 *
 * @param synonyms by word of a query, the words of the docs that mean the same
 */
export function findPages<Hit extends SectionHit>(
  index: Index<Hit>,
  query: string,
  synonyms: Synonyms,
): readonly Hit[] {
  const words = wordsOf(query);
  const pages = new Map<string, { sections: Map<string, { hit: Hit; score: number; has: number }>; found: number }>();
  for (const word of words) {
    const ofWord = new Map<string, Hit>();
    for (const [term, share] of alternativesOf(word, synonyms))
      for (const hit of index.search(term)) {
        const score = hit.score * share;
        if (score > (ofWord.get(hit.id)?.score ?? 0)) ofWord.set(hit.id, { ...hit, score });
      }
    const paths = new Set<string>();
    for (const hit of ofWord.values()) {
      const path = hit.id.replace(/#.*/, '');
      const page = pages.get(path) ?? { sections: new Map(), found: 0 };
      pages.set(path, page);
      const { score = 0, has = 0 } = page.sections.get(hit.id) ?? {};
      page.sections.set(hit.id, { hit, score: score + hit.score, has: has + 1 });
      if (!paths.has(path)) page.found += 1;
      paths.add(path);
    }
  }
  const hits = [...pages].flatMap(([path, { sections, found }]) => {
    const scored = [...sections.values()].map(({ hit, score, has }) => ({
      ...hit,
      score: score * Math.sqrt(has / words.length) * (1 + 0.7 * shareInHeading(hit.title, words)),
    }));
    const [best] = scored.toSorted((one, other) => other.score - one.score);
    return best ? [{ ...best, score: (best.score * found * weightOf(path, words, query)) / words.length }] : [];
  });
  return hits.toSorted((one, other) => other.score - one.score);
}
