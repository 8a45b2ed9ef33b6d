// Compares a question with what people ask for on a page: its keywords, and the phrases of `guides/asked.json`.
import { stemOf, weightOfWord, wordsOf } from './search-words.ts';

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
/** What a page counts beside its nearest phrase: a part of the next two, and how much of a question all its phrases have. */
const beside = { second: 0.3, third: 0.09, all: 0.3 };

/** Makes a comparison of questions with phrases, by page. A word that few pages have counts more. */
export function comparisonWith(asked: Readonly<Record<string, readonly string[]>>) {
  const pages = Object.entries(asked).map(
    ([path, phrases]) => [path, phrases.map((phrase) => new Set(wordsOf(phrase).map(stemOf)))] as const,
  );
  const pagesWith = new Map<string, number>();
  for (const [, phrases] of pages)
    for (const stem of new Set(phrases.flatMap((phrase) => [...phrase])))
      pagesWith.set(stem, (pagesWith.get(stem) ?? 0) + 1);
  const weightOf = (stem: string) =>
    weightOfWord(stem) * Math.log(1 + pages.length / (pagesWith.get(stem) ?? 1)) ** 0.8;

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

  /** How much of the question is in any of the phrases, from 0 to 1. */
  function coverage(question: readonly Sought[], phrases: readonly ReadonlySet<string>[]): number {
    const found = question.map(
      (sought) => weightOf(sought.stem) * Math.max(0, ...phrases.map((phrase) => standIn(sought, phrase)?.[1] ?? 0)),
    );
    return found.reduce((sum, weight) => sum + weight, 0) / sumOf(question.map(({ stem }) => stem));
  }

  /** How near a question is to the phrases of a page: above all to the nearest one. */
  function nearness(question: readonly Sought[], phrases: readonly ReadonlySet<string>[]): number {
    const [first = 0, second = 0, third = 0] = phrases
      .map((phrase) => likeness(question, phrase))
      .toSorted((one, other) => other - one);
    if (first === 0) return 0;
    return first + beside.second * second + beside.third * third + beside.all * coverage(question, phrases) ** 2;
  }

  /** The stems of a question. The last word may be typed in part. */
  const soughtOf = (question: readonly AskedWord[]): readonly Sought[] =>
    question.map(({ word, others }, index) => ({
      stem: stemOf(word),
      others: others.map(stemOf),
      start: index === question.length - 1 && word.length > 2 ? word : undefined,
    }));

  return {
    /** By the path of a page, how near a question is to its phrases. */
    likenessesOf: (question: readonly AskedWord[]): ReadonlyMap<string, number> => {
      const sought = soughtOf(question);
      return new Map(
        pages.map(([path, phrases]) => [path, nearness(sought, phrases)] as const).filter(([, nearest]) => nearest > 0),
      );
    },
    /** The words of the phrases that one which they do not have is meant to be: the nearest one, or the two that it is made of. */
    corrected: (word: string): readonly string[] => {
      const stem = stemOf(word);
      if (pagesWith.has(stem)) return [word];
      for (let length = 3; length <= word.length - 3; length++) {
        const parts = [word.slice(0, length), word.slice(length)];
        if (parts.every((part) => pagesWith.has(stemOf(part)))) return parts;
      }
      const most = stem.length < 4 ? 0 : stem.length < 8 ? 1 : 2;
      const [nearest] = [...pagesWith.keys()]
        .filter((known) => known.length > 3)
        .map((known) => ({ known, changes: distance(stem, known, most) }))
        .filter(({ changes }) => changes <= most)
        .toSorted((one, other) => one.changes - other.changes);
      return [nearest?.known ?? word];
    },
  };
}

/** How many letters have to be added, removed, replaced or swapped to make one word of another; more than `most` is not counted further. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  const [letters, candidates] = [[...one], [...other]];
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of letters.entries()) {
    const next = [above + 1];
    for (const [left, candidate] of candidates.entries()) {
      const isSwapped = above > 0 && left > 0 && letter === candidates[left - 1] && letters[above - 1] === candidate;
      next.push(
        Math.min(
          (row[left + 1] ?? 0) + 1,
          (next[left] ?? 0) + 1,
          (row[left] ?? 0) + (letter === candidate ? 0 : 1),
          isSwapped ? (before[left - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
