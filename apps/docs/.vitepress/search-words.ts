// The words of a question: which of them matter, which forms of a word are one, and which words are near to each other.

/** Words of a question that say nothing about its subject. */
const stopWords = new Set(
  `a about all am an and any are as at be been before by can could did do does doing done for from get gets give got had happen happens
  has have having help how i if in instead into is it its just let like make makes may me mean means might much must my need needs no not
  of off on once one or our out own please put should so some such than that the their them then there these they thing things this those to
  up us use used uses using very via want wants was we were what when where whether which while who whose why will with would you
  your`.split(/\s+/),
);

/** The words of a query that matter, in lower case; all of them when none does. */
export function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._'’-]*/gu) ?? [];
  const plain = words.map((word) => word.replace(/['’]s?$|[._-]+$/g, '')).filter((word) => word !== 's');
  const kept = plain.filter((word) => !stopWords.has(word));
  return kept.length > 0 ? kept : plain;
}

/** What the forms of an English word have in common: "rotate", "rotates", "rotating" and "rotation" are "rotat". */
export function stemOf(word: string): string {
  let stem = word;
  if (stem.length > 4) stem = stem.replace(/ies$/, 'y');
  if (stem.length > 3) stem = stem.replace(/(?<=[a-z]{2}(?:ss|sh|ch|x|z))es$/, '').replace(/(?<=[^su])s$/, '');
  if (stem.length > 5) stem = stem.replace(/(?:ing|ed)$/, '').replace(/([bdgmnprt])\1$/, '$1');
  if (stem.length > 6) stem = stem.replace(/ations?$/, 'at').replace(/(?:ion|ive|or|al|ment)$/, '');
  return stem.length > 4 ? stem.replace(/(?<=[a-z]{3})[ey]$/, '') : stem;
}

/** Words that are near enough to find each other's pages, beside the other words of the glossary. */
const near =
  `agent assistant ai llm | authenticate authentication login | backup copy | car vehicle auto automobile | chart plot graph draw picture |
  cli command terminal | coordinate gps location position | crash kill | credential secret token | customer driver owner user |
  delete erase purge remove | deploy host install | encrypt seal | error exception failure fault | event callback notification webhook |
  example sample tutorial | latency performance slow | limit quota throttle | mileage odometer kilometer distance |
  mock fake stub simulate sandbox | monitor observability metric | option setting configuration parameter | parked parking |
  permission consent | query question sql | request call | response reply | schedule cron nightly | server backend | store save keep |
  trip drive journey ride | upgrade update migrate | url address endpoint | withdraw withdrew withdrawn revoke cancel unsubscribe | id identifier | app application program`
    .split('|')
    .map((group) => group.trim().split(/\s+/));

/** By the stem of a word, the words near to it. */
export const nearWords: ReadonlyMap<string, readonly string[]> = new Map(
  near
    .flat()
    .map((word) => [
      stemOf(word),
      near.filter((group) => group.includes(word)).flatMap((group) => group.filter((other) => other !== word)),
    ]),
);
