// Compares facts and moments of 1,000 trips with what the cars of the sandbox really did, and prints the tables of the guide.
//   pnpm --filter @vehicle-data/sandbox truth [trips]
// With UPDATE_DOCS=1 it writes them into openapi/guides/trip-facts.md.
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { thresholds } from '@vehicle-data/client/facts';
import { at, dirtySamples, factNames, measure, measureDirty, trueTrips } from '../test/trip-truth.ts';

const count = Number(process.argv[2] ?? 1000);
const all = trueTrips(count);
const { facts, found } = measure(all);
// The drivers of the sandbox rarely reach the defaults: with lower thresholds there is more to find.
const lower = { ...thresholds, turnG: 0.2, brakingG: 0.3, accelerationG: 0.3, dipShare: 0.03, coldRpm: 2200 };
const { found: foundLower } = measure(all, lower);

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const inSeconds = ['standing', 'longestStop', 'unbelted'];
const factRows = factNames.map((name) => {
  const { inside = 0, errors = [], widths = [] } = facts.get(name) ?? {};
  const unit = inSeconds.includes(name) ? 's' : name === 'distance' ? 'km' : 'km/h';
  const shown = (values: readonly number[], share: number) => {
    const value = at(
      values.toSorted((one, other) => one - other),
      share,
    );
    return unit === 's' ? (value / 1000).toFixed(1) : value.toFixed(2);
  };
  const known = `${((100 * inside) / errors.length).toFixed(1)} %`;
  const values = [errors, widths].flatMap((numbers) => [shown(numbers, 0.5), shown(numbers, 0.99)]);
  return [`\`${name}\``, unit, known, ...values];
});
const factHead = [
  'Fact',
  'Unit',
  'Truth within the bound',
  'Error, median',
  'Error, 99 %',
  'Bound, median',
  'Bound, 99 %',
];

const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3));
const momentRows = [...foundLower].map(([kind, lowered]) => {
  const usual = found.get(kind) ?? { real: 0, recalled: 0, found: 0, right: 0 };
  const cells = [usual, lowered].flatMap((one) => [
    one.found,
    share(one.right, one.found),
    share(one.recalled, one.real),
  ]);
  return [`\`${kind}\``, ...cells];
});
const momentHead = ['Moment', 'Found', 'Precision', 'Recall', 'Found, lower thresholds', 'Precision', 'Recall'];

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const dirtyRows = dirtySamples.map((kind) => {
  const counts = measureDirty(kind, all, lower);
  const { known, right, moments: seen, ofNothing } = counts;
  return [`\`${kind}\``, percent(known, counts.facts), percent(right, known), seen, ofNothing];
});
const dirtyHead = ['Dirty data', 'Facts known', 'Truth within the bound', 'Moments', 'Made of missing samples'];

const tables = {
  'fact-truth': tableOf(factHead, factRows),
  'moment-truth': tableOf(momentHead, momentRows),
  'dirty-truth': tableOf(dirtyHead, dirtyRows),
};
console.log(`${count} trips\n\n${Object.values(tables).join('\n\n')}`);
if (process.env['UPDATE_DOCS'] === '1') {
  const guide = new URL('../../../openapi/guides/trip-facts.md', import.meta.url);
  let text = await readFile(guide, 'utf8');
  for (const [name, table] of Object.entries(tables))
    text = text.replace(
      new RegExp(`(<!-- table: ${name} -->\n)[\\s\\S]*?(<!-- end of table -->)`),
      (_, start, end) => `${start}\n${table}\n\n${end}`,
    );
  await writeFile(guide, text);
}
