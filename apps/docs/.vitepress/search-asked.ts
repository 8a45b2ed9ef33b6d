// Compares a question with what people ask for on a page: its keywords, and the phrases of `guides/asked.json`.
import { stemOf, wordsOf } from './search-words.ts';

/** A word of a question. */
export interface AskedWord {
  readonly word: string;
  /** The words that mean the same or nearly so. */
  readonly others: readonly string[];
}

/** A word of a question as it is looked for in phrases. */
interface Sought {
  readonly stem: string;
  /** The stems of words near to it. */
  readonly others: readonly string[];
  /** What a longer word begins with, if the word may be typed in part. */
  readonly start: string | undefined;
}

/** How much a word counts that is only near to the one that was asked for, and one that is not typed to its end. */
const shares = { near: 0.6, begun: 0.8 };

/** Makes a comparison of questions with phrases, by page. A word that few pages have counts more. */
export function comparisonWith(asked: Readonly<Record<string, readonly string[]>>) {
  const pages = Object.entries(asked).map(
    ([path, phrases]) => [path, phrases.map((phrase) => new Set(wordsOf(phrase).map(stemOf)))] as const,
  );
  const pagesWith = new Map<string, number>();
  for (const [, phrases] of pages)
    for (const stem of new Set(phrases.flatMap((phrase) => [...phrase])))
      pagesWith.set(stem, (pagesWith.get(stem) ?? 0) + 1);
  const weightOf = (stem: string) => Math.log(1 + pages.length / (pagesWith.get(stem) ?? 1));

  const sumOf = (stems: Iterable<string>) => [...stems].reduce((sum, stem) => sum + weightOf(stem), 0);

  /** The stem of a phrase that stands for a word of a question, with what it counts. */
  function standIn(
    { stem, others, start }: Sought,
    phrase: ReadonlySet<string>,
  ): readonly [string, number] | undefined {
    if (phrase.has(stem)) return [stem, 1];
    const other = others.find((candidate) => phrase.has(candidate));
    if (other !== undefined) return [other, shares.near];
    if (start === undefined) return undefined;
    for (const candidate of phrase) if (candidate.startsWith(start)) return [candidate, shares.begun];
    return undefined;
  }

  /** From 0 to 1: how much of the question is in the phrase, and of the phrase in the question. */
  function likeness(question: readonly Sought[], phrase: ReadonlySet<string>): number {
    const named = new Set<string>();
    let found = 0;
    for (const sought of question) {
      const [stem, share] = standIn(sought, phrase) ?? [];
      if (stem === undefined || share === undefined) continue;
      found += weightOf(sought.stem) * share;
      named.add(stem);
    }
    if (found === 0) return 0;
    return (found / sumOf(question.map(({ stem }) => stem))) ** 1.5 * Math.sqrt(sumOf(named) / sumOf(phrase));
  }

  /** The stems of a question. The last word may be typed in part. */
  const soughtOf = (question: readonly AskedWord[]): readonly Sought[] =>
    question.map(({ word, others }, index) => ({
      stem: stemOf(word),
      others: others.map(stemOf),
      start: index === question.length - 1 && word.length > 2 ? word : undefined,
    }));

  return {
    /** By the path of a page, how near its nearest phrase is to a question. */
    likenessesOf: (question: readonly AskedWord[]): ReadonlyMap<string, number> => {
      const sought = soughtOf(question);
      return new Map(
        pages
          .map(([path, phrases]) => [path, Math.max(0, ...phrases.map((phrase) => likeness(sought, phrase)))] as const)
          .filter(([, nearest]) => nearest > 0),
      );
    },
    /** The word of the phrases that one which they do not have is meant to be, if there is one. */
    corrected: (word: string): string | undefined => {
      const stem = stemOf(word);
      if (pagesWith.has(stem)) return undefined;
      const most = stem.length < 4 ? 0 : stem.length < 8 ? 1 : 2;
      return [...pagesWith.keys()].find((known) => known.length > 3 && distance(stem, known, most) <= most);
    },
  };
}

/** How many letters have to be added, removed or replaced to make one word of another; more than `most` is not counted further. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [left, candidate] of [...other].entries())
      next.push(
        Math.min((row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1, (row[left] ?? 0) + (letter === candidate ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
