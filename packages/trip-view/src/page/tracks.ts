import { extremesOf } from '../trip/ranges.js';
import { countOf, type EnumerationSignal, type Signal } from '../trip/signals.js';
import { type Lane, type Stack, stepOf } from '../trip/stacks.js';
import { counted, defectWords, valueInWords } from '../trip/words.js';
import { bandChart, type Chart, type LaneSignal, laneChart, type View } from './charts.js';
import { h, inked } from './element.js';

/** A signal of the trip that is compared; undefined where it has none that fits. */
export type Other = (signal: Signal) => Signal | undefined;

/** Color of a numeric signal, by its place in the contract. */
export type ColorOf = (signal: Signal) => number;

/** Where the charts of a lane or a band are drawn, once its size is known. */
interface Place {
  readonly make: (target: HTMLElement, height: number) => readonly Chart[];
  charts?: readonly Chart[];
  width: number;
}

const leastWidth = 120;
const widthOf = ({ width }: DOMRectReadOnly) => Math.max(leastWidth, Math.floor(width));
const defectKinds = ['out-of-range', 'missing', 'sentinel'] as const;

/** The lanes and bands of a stack, each with the names of its signals and their values at the playhead. */
export function tracksOf({ axis, lanes, bands }: Stack, other: Other, colorOf: ColorOf, view: View) {
  let shown = view;
  const element = h('div.tracks');
  const readouts: { readonly signal: Signal; readonly output: HTMLElement }[] = [];
  const places = new Map<Element, Place>();
  const drawIn = ({ charts = [], width }: Place) => {
    for (const chart of charts) chart.draw(shown, width);
  };
  // Tells the width of each place in the frame that lays it out: reading it earlier would lay out the page for each chart.
  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const place = places.get(target);
      if (place === undefined || !(target instanceof HTMLElement)) continue;
      place.width = widthOf(contentRect);
      place.charts ??= place.make(target, contentRect.height);
      drawIn(place);
    }
  });
  const outputOf = (signal: Signal, kind: 'output' | 'output.ghost') => {
    const output = h(kind);
    readouts.push({ signal, output });
    return output;
  };
  const labelOf = (signal: Signal) => {
    const compared = other(signal);
    const note = defectKinds
      .map((defect) => [countOf(signal, defect), defectWords[defect]] as const)
      .flatMap(([count, words]) => (count > 0 ? [`${valueInWords(count)} ${words}`] : []));
    return h(
      'div.signal',
      { title: signal.description },
      inked(h(signal.kind === 'number' ? 'span.swatch' : 'span.swatch.band'), `signals-${colorOf(signal)}`),
      h('code', ...breakable(signal.path)),
      outputOf(signal, 'output'),
      compared && outputOf(compared, 'output.ghost'),
      note.length > 0 && h('span.warn', note.join(', ')),
    );
  };
  const addTrack = (plot: HTMLElement, signals: readonly Signal[], make: Place['make']) => {
    element.append(h('div.track', h('div.labels', ...signals.map(labelOf)), plot));
    places.set(plot, { make, width: leastWidth });
    sizes.observe(plot);
  };
  for (const lane of lanes) {
    const ghosts = lane.signals.map(other).filter((signal) => signal?.kind === 'number');
    const drawn: LaneSignal[] = [
      ...ghosts.map((signal): LaneSignal => ({ signal, color: 'ghost' })),
      ...lane.signals.map((signal): LaneSignal => ({ signal, color: colorOf(signal) })),
    ];
    const isLast = lane === lanes.at(-1);
    const plot = h('div.plot', { role: 'img', 'aria-label': laneInWords(lane) });
    addTrack(plot, lane.signals, (target, height) => [laneChart(drawn, axis, isLast, target, height)]);
  }
  for (const signal of bands) {
    const rows = [signal, other(signal)].filter((row) => row?.kind === 'enumeration');
    const plot = h('div.plot.bands', { role: 'img', 'aria-label': bandInWords(signal) });
    addTrack(plot, [signal], (target) => rows.map((row) => bandChart(row, axis, target)));
  }
  return {
    element,
    show: (next: View) => {
      shown = next;
      for (const place of places.values()) drawIn(place);
    },
    /** Draws the same again, for other colors and for paper, of whose width no observer tells. */
    redraw: () => {
      for (const [target, place] of places) place.width = widthOf(target.getBoundingClientRect());
      for (const place of places.values()) drawIn(place);
    },
    /** Reads every signal at a place on the axis, and returns what it reads in words. The last sample of the longest ends there. */
    read: (position: number, longest: number) => {
      const words = readouts.map(({ signal, output }) => {
        const index = Math.floor(position / stepOf(axis, signal) + 1e-9);
        output.textContent = readout(signal, signal.length === longest ? Math.min(index, longest - 1) : index);
        return `${signal.path} ${output.textContent}`;
      });
      return words.join('; ');
    },
    destroy: () => {
      sizes.disconnect();
      for (const { charts = [] } of places.values()) for (const chart of charts) chart.destroy?.();
    },
  };
}

/** The value of a sample in words, or why it is none. */
function readout(signal: Signal, index: number): string {
  const value = signal.values[index];
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || Number.isNaN(value) || signal.kind !== 'number') return defectAt(signal, index);
  return `${valueInWords(value)} ${signal.unit}`;
}

function defectAt({ defects }: Signal, index: number): string {
  const run = defects.find(({ start, end }) => index >= start && index < end);
  return run ? defectWords[run.defect] : 'no sample';
}

/** What a lane shows, for those who do not see it. */
function laneInWords({ signals, unit }: Lane): string {
  const sentences = signals.map(({ path, length, values }) => {
    const found = extremesOf(values);
    const span = found ? `from ${valueInWords(found.low)} to ${valueInWords(found.high)} ${unit}` : 'no values';
    return `${path}: ${counted(length, 'sample')}, ${span}`;
  });
  return sentences.join('. ');
}

/** What a band shows, for those who do not see it. */
function bandInWords({ path, length, allowed, values }: EnumerationSignal): string {
  const found = allowed.filter((value) => values.includes(value));
  return `${path}: ${counted(length, 'sample')}, values ${found.join(', ') || 'none'}`;
}

/** A path whose parts may stand on lines of their own. */
function breakable(path: string): (Node | string)[] {
  return path.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [document.createElement('wbr'), part]));
}
