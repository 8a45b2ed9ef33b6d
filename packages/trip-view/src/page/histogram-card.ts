import { histogram } from '../trip/ranges.js';
import type { EnumerationSignal, NumberSignal, Signal } from '../trip/signals.js';
import { counted, valueInWords } from '../trip/words.js';
import { h, inked, s, table, twin } from './element.js';

const width = 220;
const height = 76;

/** A picture of how often each value occurs, and the same in rows. */
interface Counts {
  readonly drawing: readonly Node[];
  readonly range: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How often each value of a signal occurs, between two of its samples, with the numbers as a table. */
export function histogramCard(signal: Signal, from: number, to: number, color: number): HTMLElement {
  const { path, description } = signal;
  const { drawing, range, head, rows } =
    signal.kind === 'number' ? numberCounts(signal, from, to, color) : valueCounts(signal, from, to);
  return h(
    'article.card',
    h('h4', h('code', path)),
    h('p.note', `${description}, ${range}`),
    ...drawing,
    twin('As a table', () => table(`${path}, ${counted(to - from, 'sample')}`, head, rows)),
  );
}

function numberCounts(signal: NumberSignal, from: number, to: number, color: number): Counts {
  const { path, unit, minimum, maximum } = signal;
  const bins = histogram(signal.values, from, to);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const step = width / Math.max(1, bins.length);
  const [first, last] = [bins[0], bins.at(-1)];
  const ends = first && last ? [valueInWords(first.low), `${valueInWords(last.high)} ${unit}`] : ['', 'no values'];
  const bars = bins.map(({ count }, index) => {
    // A bin with one value among thousands is still seen.
    const tall = count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 4));
    return s('rect', { x: index * step + 0.5, y: height - tall, width: Math.max(0.8, step - 1), height: tall, rx: 1 });
  });
  const base = s('line', { x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 });
  const label = `Histogram of ${path}: ${ends.join(' to ')}`;
  const drawing = s('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...bars, base);
  return {
    drawing: [inked(drawing, `signals-${color}`), h('p.ends', ...ends.map((end) => h('span', end)))],
    range:
      minimum === null || maximum === null
        ? 'no stated range'
        : `range ${valueInWords(minimum)} to ${valueInWords(maximum)} ${unit}`,
    head: [`From (${unit})`, 'To', 'Values'],
    rows: bins.map(({ low, high, count }) => [low, high, count].map(valueInWords)),
  };
}

function valueCounts({ path, allowed, values }: EnumerationSignal, from: number, to: number): Counts {
  const counts = new Map<string | null, number>(allowed.map((value) => [value, 0]));
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const found = [...counts].filter(([, count]) => count > 0);
  const total = Math.max(1, to - from);
  const bars = found.map(([value, count]) => {
    const bar = inked(h('span.share'), `bands-${allowed.indexOf(value ?? '')}`);
    bar.style.width = `${(count / total) * 100}%`;
    return h('li', h('span', value ?? 'no value'), h('span.share-track', bar), h('span', share(count / total)));
  });
  return {
    drawing: [h('ul.shares', { 'aria-label': `Shares of ${path}` }, ...bars)],
    range: counted(allowed.length, 'value'),
    head: ['Value', 'Samples'],
    rows: found.map(([value, count]) => [value ?? 'no value', valueInWords(count)]),
  };
}

/** A share in percent; what occurs is never 0, what does not fill everything never 100. */
function share(part: number): string {
  if (part > 0 && part < 0.001) return '< 0.1 %';
  if (part > 0.999 && part < 1) return '> 99.9 %';
  return `${(part * 100).toFixed(part === 1 ? 0 : 1)} %`;
}
