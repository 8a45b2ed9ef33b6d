import type { Signal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { valueInWords } from '../trip/words.js';
import { bandChart } from './band-chart.js';
import { h, inked } from './element.js';
import { type Chart, type ChartPlace, type LaneSignal, laneChart, type View } from './lane-chart.js';
import { bandInWords, breakable, laneInWords, readout } from './stack-words.js';

/** A signal of the trip that is compared; undefined where it has none that fits. */
export type Other = (signal: Signal) => Signal | undefined;

/** Color of a numeric signal, by its place in the contract. */
export type ColorOf = (signal: Signal) => number;

export interface Tracks {
  readonly element: HTMLElement;
  readonly show: (view: View) => void;
  /** Reads every signal at a place on the axis, and returns what it reads in words. The last sample of the longest ends there. */
  readonly read: (position: number, longest: number) => string;
  /** Draws again, for other colors. */
  readonly redraw: () => void;
  readonly destroy: () => void;
}

const leastWidth = 120;

/** The lanes and bands of a stack, each with the names of its signals and their values at the playhead. */
export function tracksOf({ axis, lanes, bands }: Stack, other: Other, colorOf: ColorOf, view: View): Tracks {
  let shown = view;
  const element = h('div.tracks');
  const readouts: { readonly signal: Signal; readonly output: HTMLElement }[] = [];
  const charts: Chart[] = [];
  const fits = new Map<Element, (place: ChartPlace) => void>();
  // Tells the width of each place in the frame that lays it out: reading it earlier would lay out the page for each chart.
  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const width = Math.max(leastWidth, Math.floor(contentRect.width));
      if (target instanceof HTMLElement) fits.get(target)?.({ target, width, height: contentRect.height });
    }
  });
  const outputOf = (signal: Signal, output: HTMLElement) => {
    readouts.push({ signal, output });
    return output;
  };
  const labelOf = (signal: Signal) => {
    const compared = other(signal);
    const { outOfRange, missing, sentinels } = signal;
    const note = Object.entries({ 'out of range': outOfRange, missing, 'no value': sentinels })
      .filter(([, count]) => count > 0)
      .map(([words, count]) => `${valueInWords(count)} ${words}`);
    return h(
      'div.signal',
      { title: signal.description },
      inked(h(signal.kind === 'number' ? 'span.swatch' : 'span.swatch.band'), `signals-${colorOf(signal)}`),
      h('code', ...breakable(signal.path)),
      outputOf(signal, h('output.value')),
      compared && outputOf(compared, h('output.value.ghost')),
      note.length > 0 && h('span.warn', note.join(', ')),
    );
  };
  const addTrack = (
    kind: 'div.plot' | 'div.plot.bands',
    words: string,
    signals: readonly Signal[],
    make: (place: ChartPlace) => readonly Chart[],
  ) => {
    const plot = h(kind, { role: 'img', 'aria-label': words });
    element.append(h('div.track', h('div.labels', ...signals.map(labelOf)), plot));
    let made: readonly Chart[] | undefined;
    fits.set(plot, (place) => {
      for (const chart of made ?? []) chart.resize(place.width);
      if (made) return;
      made = make(place);
      charts.push(...made);
    });
    sizes.observe(plot);
  };
  for (const { signals, unit } of lanes) {
    const ghosts = signals.map(other).filter((signal) => signal?.kind === 'number');
    const drawn: LaneSignal[] = [
      ...ghosts.map((signal): LaneSignal => ({ signal, color: 'ghost' })),
      ...signals.map((signal): LaneSignal => ({ signal, color: colorOf(signal) })),
    ];
    const isLast = signals === lanes.at(-1)?.signals;
    const make = (place: ChartPlace) => [laneChart(drawn, axis, isLast, shown, place)];
    addTrack('div.plot', laneInWords(signals, unit), signals, make);
  }
  for (const signal of bands) {
    const rows = [signal, other(signal)].filter((row) => row?.kind === 'enumeration');
    const make = (place: ChartPlace) => rows.map((row) => bandChart(row, axis, shown, place));
    addTrack('div.plot.bands', bandInWords(signal), [signal], make);
  }
  return {
    element,
    show: (next) => {
      shown = next;
      for (const chart of charts) chart.show(next);
    },
    read: (position, longest) => {
      const words = readouts.map(({ signal, output }) => {
        const index = Math.floor(position / stepOf(axis, signal) + 1e-9);
        output.textContent = readout(signal, signal.length === longest ? Math.min(index, longest - 1) : index);
        return `${signal.path} ${output.textContent}`;
      });
      return words.join('; ');
    },
    redraw: () => {
      for (const chart of charts) chart.redraw();
    },
    destroy: () => {
      sizes.disconnect();
      for (const chart of charts) chart.destroy();
    },
  };
}
