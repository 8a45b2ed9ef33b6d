import { groupBy } from '../trip/read.js';
import type { Signal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import type { View } from '../trip/trace.js';
import { clockOf, valueInWords } from '../trip/words.js';
import { h, table } from './element.js';

const samplesOnPage = 100;

/** The samples of a stack as sent, a page at a time, from the start of the part that is shown. */
export function sampleTable({ axis, signals }: Stack, view: View): Node {
  // Signals of other lengths have other steps: each length is a table of its own.
  const sameLength = [...groupBy(signals, ({ length }) => length)];
  return h('div', ...sameLength.map(([length, some]) => pagedTable(axis, length, some, view.from)));
}

function pagedTable(axis: Stack['axis'], length: number, signals: readonly Signal[], from: number): HTMLElement {
  const step = signals[0] ? stepOf(axis, signals[0]) : 1;
  const names = signals.map((signal) => (signal.kind === 'number' ? `${signal.path} (${signal.unit})` : signal.path));
  const head = ['Index', ...(axis === 'time' ? ['Assumed time'] : []), ...names];
  const content = h('div');
  let start = Math.max(0, Math.ceil(from / step));
  const turn = (by: number) => {
    start = Math.max(0, Math.min(length - 1, start + by));
    const end = Math.min(length, start + samplesOnPage);
    const rows = Array.from({ length: end - start }, (_, offset) => {
      const index = start + offset;
      const time = axis === 'time' ? [clockOf(index * step)] : [];
      return [index, ...time, ...signals.map((signal) => sampleInWords(signal, index))];
    });
    previous.disabled = start === 0;
    next.disabled = end >= length;
    const caption = `Samples ${valueInWords(start + 1)} to ${valueInWords(end)} of ${valueInWords(length)}, as sent`;
    content.replaceChildren(table(caption, head, rows));
  };
  const previous = h('button', { onclick: () => turn(-samplesOnPage) }, 'Previous 100');
  const next = h('button', { onclick: () => turn(samplesOnPage) }, 'Next 100');
  turn(0);
  return h('div', h('p.pages', previous, next), content);
}

/** A sample as sent; one that is no value says so. */
function sampleInWords({ values, raw }: Signal, index: number): string {
  const [value, sample] = [values[index], raw[index]];
  // Readings of an odometer are shown since the first one: what was sent is in the raw samples.
  if (value !== null && !Number.isNaN(value)) return String(sample);
  if (sample === null || sample === undefined) return '–';
  const text = typeof sample === 'number' || typeof sample === 'string' ? String(sample).slice(0, 40) : typeof sample;
  return `${text} ⚠`;
}
