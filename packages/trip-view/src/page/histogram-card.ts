import { histogram } from '../trip/histogram.js';
import type { EnumerationSignal, NumberSignal, Signal } from '../trip/signals.js';
import { counted, valueInWords } from '../trip/words.js';
import { h, inked, s, table, twin } from './element.js';

const width = 220;
const height = 76;

/** How often each value of a signal occurs, between two of its samples, with the numbers as a table. */
export function histogramCard(signal: Signal, from: number, to: number, color: number): HTMLElement {
  return signal.kind === 'number' ? numberCard(signal, from, to, color) : valueCard(signal, from, to);
}

function numberCard(signal: NumberSignal, from: number, to: number, color: number): HTMLElement {
  const bins = histogram(signal.values, from, to);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const [first, last] = [bins[0], bins.at(-1)];
  const step = width / Math.max(1, bins.length);
  const range = first && last ? `${valueInWords(first.low)} to ${valueInWords(last.high)} ${signal.unit}` : 'no values';
  const drawing = s(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': `Histogram of ${signal.path}: ${counted(total, 'value')}, ${range}`,
    },
    ...bins.map(({ count }, index) => {
      // A bin with one value among thousands is still seen.
      const tall = count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 4));
      return s('rect', {
        x: (index * step + 0.5).toFixed(2),
        y: (height - tall).toFixed(2),
        width: Math.max(0.8, step - 1).toFixed(2),
        height: tall.toFixed(2),
        rx: 1,
      });
    }),
    s('line', { x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }),
  );
  return card(
    signal,
    inked(drawing, `signal-${color}`),
    h(
      'p',
      { class: 'ends' },
      h('span', {}, first ? valueInWords(first.low) : ''),
      h('span', {}, last ? `${valueInWords(last.high)} ${signal.unit}` : 'no values'),
    ),
    () =>
      table(
        `${signal.path}, ${counted(total, 'value')}`,
        [`From (${signal.unit})`, 'To', 'Values'],
        bins.map(({ low, high, count }) => [valueInWords(low), valueInWords(high), valueInWords(count)]),
      ),
  );
}

function valueCard(signal: EnumerationSignal, from: number, to: number): HTMLElement {
  const counts = new Map<string, number>(signal.allowed.map((value) => [value, 0]));
  let none = 0;
  for (let index = from; index < to; index += 1) {
    const value = signal.values[index];
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
    else none += 1;
  }
  const rows: [string, number][] = [...counts].filter(([, count]) => count > 0);
  if (none > 0) rows.push(['no value', none]);
  const total = Math.max(1, to - from);
  const bars = rows.map(([value, count]) => {
    const bar = inked(h('span', { class: 'share' }), `band-${signal.allowed.indexOf(value)}`);
    bar.style.width = `${Math.max(0.5, (count / total) * 100)}%`;
    return h(
      'li',
      {},
      h('span', { class: 'share-name' }, value),
      h('span', { class: 'share-track' }, bar),
      h('span', { class: 'share-value' }, share(count / total)),
    );
  });
  return card(signal, h('ul', { class: 'shares', 'aria-label': `Shares of ${signal.path}` }, ...bars), undefined, () =>
    table(
      `${signal.path}, ${counted(to - from, 'sample')}`,
      ['Value', 'Samples'],
      rows.map(([value, count]) => [value, valueInWords(count)]),
    ),
  );
}

/** A share in percent; what occurs is never 0, what does not fill everything never 100. */
function share(part: number): string {
  if (part > 0 && part < 0.001) return '< 0.1 %';
  if (part > 0.999 && part < 1) return '> 99.9 %';
  return `${(part * 100).toFixed(part === 1 ? 0 : 1)} %`;
}

function card(signal: Signal, drawing: Node, ends: Node | undefined, rows: () => Node): HTMLElement {
  const unit = signal.kind === 'number' ? ` ${signal.unit}` : '';
  const range =
    signal.kind === 'number' && signal.minimum !== null && signal.maximum !== null
      ? `range ${valueInWords(signal.minimum)} to ${valueInWords(signal.maximum)}${unit}`
      : `${signal.kind === 'enumeration' ? counted(signal.allowed.length, 'value') : 'no stated range'}`;
  return h(
    'article',
    { class: 'card' },
    h('h4', {}, h('code', {}, signal.path)),
    h('p', { class: 'note' }, `${signal.description}, ${range}`),
    drawing,
    ends,
    twin('As a table', rows),
  );
}
