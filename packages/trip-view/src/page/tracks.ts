import { bandCodes } from '../trip/bands.js';
import { extremesOf } from '../trip/ranges.js';
import { countOf, type EnumerationSignal, type Signal } from '../trip/signals.js';
import { type Lane, type Stack, stepOf } from '../trip/stacks.js';
import type { View } from '../trip/trace.js';
import { counted, defectWords, valueInWords } from '../trip/words.js';
import { type BandRow, bandChart, type Chart, laneChart } from './charts.js';
import { h, ink } from './element.js';

/** A signal of the trip that is compared; undefined where it has none that fits. */
export type Other = (signal: Signal) => Signal | undefined;

/** Names the color of a numeric signal, by its place in the contract. */
export type ColorOf = (signal: Signal) => string;

const defectKinds = ['out-of-range', 'missing', 'sentinel'] as const;

/** The lanes and bands of a stack, each with the names of its signals and their values at the playhead. */
export function tracksOf({ axis, lanes, bands }: Stack, other: Other, colorOf: ColorOf) {
  const element = h('div.tracks');
  const readouts: { readonly signal: Signal; readonly output: HTMLElement }[] = [];
  const charts: Chart[] = [];
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
      h(signal.kind === 'number' ? 'span.swatch' : 'span.swatch.band', ink(colorOf(signal))),
      h('span.name', nameOf(signal)),
      h('code.note', ...breakable(signal.path)),
      outputOf(signal, 'output'),
      compared && outputOf(compared, 'output.ghost'),
      note.length > 0 && h('span.warn', note.join(', ')),
    );
  };
  const addTrack = (signals: readonly Signal[], chart: Chart) => {
    charts.push(chart);
    element.append(h('div.track', h('div.labels', ...signals.map(labelOf)), chart.element));
  };
  for (const lane of lanes) {
    const ghosts = lane.signals.map(other).filter((signal) => signal?.kind === 'number');
    const drawn = [
      ...ghosts.map((signal) => ({ signal, color: 'ghost' })),
      ...lane.signals.map((signal) => ({ signal, color: colorOf(signal) })),
    ];
    addTrack(lane.signals, laneChart(laneInWords(lane), drawn, axis, lane === lanes.at(-1)));
  }
  for (const signal of bands) {
    const own = bandRow(signal);
    const compared = other(signal);
    const rows = compared?.kind === 'enumeration' ? [own, bandRow(compared)] : [own];
    addTrack([signal], bandChart(bandInWords(own), rows, axis));
  }
  return {
    element,
    show: (view: View, isFitted: boolean) => {
      for (const chart of charts) chart.show(view, isFitted);
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
  };
}

/** The value of a sample in words, or why it is none. */
function readout(signal: Signal, index: number): string {
  const value = signal.values[index];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isNaN(value) && signal.kind === 'number') {
    const sent = signal.offset ? ` (${valueInWords(Number((value + signal.offset).toFixed(4)))})` : '';
    return `${valueInWords(value)} ${signal.unit}${sent}`;
  }
  const run = signal.defects.find(({ start, end }) => index >= start && index < end);
  return run ? defectWords[run.defect] : 'no sample';
}

/** What a reader calls a signal, with its unit. */
export function nameOf(signal: Signal): string {
  const { description } = signal;
  if (signal.kind !== 'number') return description;
  return `${signal.offset ? 'Distance since the start' : description}, ${signal.unit}`;
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

function bandRow(signal: EnumerationSignal): BandRow {
  return { signal, ...bandCodes(signal.values, signal.allowed) };
}

/** What a band shows, for those who do not see it. */
function bandInWords({ signal: { path, length }, found }: BandRow): string {
  return `${path}: ${counted(length, 'sample')}, values ${found.join(', ') || 'none'}`;
}

/** A path whose parts may stand on lines of their own. */
function breakable(path: string): (Node | string)[] {
  return path.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [document.createElement('wbr'), part]));
}
