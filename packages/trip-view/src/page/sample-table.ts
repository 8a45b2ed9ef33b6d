import type { Signal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { clockOf, valueInWords } from '../trip/words.js';
import { h, table } from './element.js';
import type { View } from './lane-chart.js';

const perPage = 100;

/** The samples of a stack as sent, a page at a time, from the start of the part that is shown. */
export function sampleTable(stack: Stack, view: View): Node {
  const signals: Signal[] = [...stack.lanes.flatMap((lane) => lane.signals), ...stack.bands];
  // Signals of other lengths have other steps: each length is a table of its own.
  const lengths = [...new Set(signals.map(({ length }) => length))];
  return h(
    'div',
    {},
    ...lengths.map((length) =>
      onePage(
        stack,
        view,
        signals.filter((signal) => signal.length === length),
        length,
      ),
    ),
  );
}

function onePage(stack: Stack, view: View, signals: readonly Signal[], length: number): HTMLElement {
  const [sample] = signals;
  const step = sample ? stepOf(stack.axis, sample) : 1;
  let start = Math.max(0, Math.ceil(view.from / step));
  const content = h('div', {});
  const previous = h('button', { type: 'button', onclick: () => turn(-perPage) }, 'Previous 100');
  const next = h('button', { type: 'button', onclick: () => turn(perPage) }, 'Next 100');
  const turn = (by: number) => {
    start = Math.max(0, Math.min(length - 1, start + by));
    show();
  };
  const show = () => {
    const end = Math.min(length, start + perPage);
    const rows = Array.from({ length: end - start }, (_, offset) => {
      const index = start + offset;
      const time = stack.axis === 'time' ? [clockOf(index * step)] : [];
      return [index, ...time, ...signals.map((signal) => cell(signal, index))];
    });
    const head = ['Index', ...(stack.axis === 'time' ? ['Assumed time'] : []), ...signals.map(heading)];
    previous.disabled = start === 0;
    next.disabled = end >= length;
    const caption = `Samples ${valueInWords(start + 1)} to ${valueInWords(end)} of ${valueInWords(length)}, as sent`;
    content.replaceChildren(table(caption, head, rows));
  };
  show();
  return h('div', {}, h('p', { class: 'pages' }, previous, next), content);
}

function heading(signal: Signal): string {
  return signal.kind === 'number' ? `${signal.path} (${signal.unit})` : signal.path;
}

/** A sample as sent; one that is no value says so. */
function cell(signal: Signal, index: number): string {
  const value = signal.values[index];
  const sample = signal.raw[index];
  if (value !== null && !Number.isNaN(value)) return String(value);
  if (sample === null || sample === undefined) return '–';
  const text = typeof sample === 'number' || typeof sample === 'string' ? String(sample).slice(0, 40) : typeof sample;
  return `${text} ⚠`;
}
