// What changes between two places of a trip: A and B.
import type { NumberSignal } from '../trip/signals.js';
import { type Placement, stepOf } from '../trip/stacks.js';
import { placeWords, valueInWords } from '../trip/words.js';
import { h, table } from './element.js';
import { nameOf } from './tracks.js';

/** Two places on the axis of a stack; the second is undefined until it is set. */
export interface Measured {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

const unitOf = { time: ['s', 1000], index: ['sample', 1], distance: ['km', 1000] } as const;

/** Difference, mean and slope of each numeric signal between two places, as a table. */
export function measurement({ a, b }: Measured, axis: Placement, signals: readonly NumberSignal[]): HTMLElement {
  if (a === undefined) return h('div');
  const words = placeWords[axis];
  if (b === undefined) return h('p.note', `A is at ${words(a)}. Move the playhead and set B.`);
  const [unit, per] = unitOf[axis];
  const rows = signals.flatMap((signal) => {
    const step = stepOf(axis, signal);
    const at = (place: number) => signal.values[Math.floor(place / step + 1e-9)] ?? Number.NaN;
    const part = signal.values.slice(Math.floor(Math.min(a, b) / step), Math.floor(Math.max(a, b) / step) + 1);
    const known = part.filter((value) => !Number.isNaN(value));
    const difference = at(b) - at(a);
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    const slope = difference / ((b - a) / per);
    const inWords = (value: number, of: string) =>
      Number.isFinite(value) ? `${valueInWords(Number(value.toPrecision(5)))} ${of}` : 'no value';
    const ends = [at(a), at(b)].map((value) => inWords(value, signal.unit));
    return [
      [
        nameOf(signal),
        ...ends,
        inWords(difference, signal.unit),
        inWords(mean, signal.unit),
        inWords(slope, `${signal.unit}/${unit}`),
      ],
    ];
  });
  const caption = `From A (${words(a)}) to B (${words(b)}): ${valueInWords(Number(((b - a) / per).toPrecision(5)))} ${unit}. Differences follow from the samples at both places.`;
  return h(
    'div.scroll',
    { tabindex: 0, role: 'region', 'aria-label': 'Measurement from A to B' },
    table(caption, ['', 'At A', 'At B', 'Difference', 'Mean', 'Slope'], rows),
  );
}
