import MiniSearch from 'minisearch';

/** A section of a page, as the search knows it. */
export interface SearchRecord {
  /** Address below the base of the site. */
  readonly url: string;
  readonly title: string;
  /** Empty for the start of a page. */
  readonly heading: string;
  /** Operation ids, error codes and synonyms. They outweigh everything else. */
  readonly keys: string;
  readonly text: string;
}

/** Words that say nothing about what is searched. */
const ignored = new Set([
  'a',
  'an',
  'and',
  'are',
  'do',
  'does',
  'for',
  'how',
  'i',
  'in',
  'is',
  'it',
  'my',
  'of',
  'the',
  'to',
  'what',
  'with',
]);

/** Makes a search over the records: the best section of each page first, eight at most. */
export function createSearch(records: readonly SearchRecord[]): (query: string) => readonly SearchRecord[] {
  const index = new MiniSearch<SearchRecord & { readonly id: number }>({
    fields: ['keys', 'title', 'heading', 'text'],
    processTerm: (term) => (ignored.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: { keys: 6, title: 4, heading: 3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
      weights: { fuzzy: 0.3, prefix: 0.5 },
    },
  });
  index.addAll(records.map((record, id) => ({ ...record, id })));
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(query);
    const pages = new Set<string>();
    const hits: SearchRecord[] = [];
    for (const { id } of found) {
      const record = records[Number(id)];
      const page = record?.url.replace(/#.*/, '') ?? '';
      if (!record || pages.has(page)) continue;
      pages.add(page);
      hits.push(record);
    }
    return hits.slice(0, 8);
  };
}
