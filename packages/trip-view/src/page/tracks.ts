import type { NumberSignal, Signal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { valueInWords } from '../trip/words.js';
import { BandChart } from './band-chart.js';
import { h, inked } from './element.js';
import { type Chart, type ChartPlace, LaneChart, type LaneSignal, type View } from './lane-chart.js';
import { bandInWords, breakable, laneInWords, readout } from './stack-words.js';

/** A signal of the trip that is compared; undefined where it has none that fits. */
export type Other = (signal: Signal) => Signal | undefined;

/** Color of a numeric signal, by its place in the contract. */
export type ColorOf = (signal: Signal) => number;

type MakeCharts = (view: View, place: ChartPlace) => readonly Chart[];

const leastWidth = 120;

/** The lanes and bands of a stack, each with the names of its signals and their values at the playhead. */
export class Tracks {
  readonly element = h('div.tracks');
  readonly #axis: Stack['axis'];
  readonly #other: Other;
  readonly #colorOf: ColorOf;
  readonly #readouts: { readonly signal: Signal; readonly element: HTMLElement }[] = [];
  readonly #makers = new Map<Element, MakeCharts>();
  readonly #charts = new Map<Element, readonly Chart[]>();
  /** Tells the width of each place in the frame that lays it out: reading it earlier would lay out the page for each chart. */
  readonly #sizes = new ResizeObserver((entries) => this.#fit(entries));
  #view: View;

  constructor({ axis, lanes, bands }: Stack, other: Other, colorOf: ColorOf, view: View) {
    this.#axis = axis;
    this.#other = other;
    this.#colorOf = colorOf;
    this.#view = view;
    for (const [index, { signals, unit }] of lanes.entries()) this.#addLane(signals, unit, index === lanes.length - 1);
    for (const signal of bands) this.#addBand(signal);
  }

  /** Shows a part of the axis. */
  show(view: View): void {
    this.#view = view;
    for (const chart of this.#all()) chart.show(view);
  }

  /** Reads every signal at a place on the axis, and returns what it reads in words. The last sample of the longest ends there. */
  read(position: number, longest: number): string {
    const words = this.#readouts.map(({ signal, element }) => {
      const index = Math.floor(position / stepOf(this.#axis, signal) + 1e-9);
      const text = readout(signal, signal.length === longest ? Math.min(index, signal.length - 1) : index);
      element.textContent = text;
      return `${signal.path} ${text}`;
    });
    return words.join('; ');
  }

  /** Draws again, for other colors. */
  redraw(): void {
    for (const chart of this.#all()) chart.redraw();
  }

  destroy(): void {
    this.#sizes.disconnect();
    for (const chart of this.#all()) chart.destroy();
  }

  #all(): Chart[] {
    return [...this.#charts.values()].flat();
  }

  /** Makes the charts of places that have a width for the first time, and resizes others. */
  #fit(entries: readonly ResizeObserverEntry[]): void {
    for (const { target, contentRect } of entries) {
      const width = Math.max(leastWidth, Math.floor(contentRect.width));
      const charts = this.#charts.get(target);
      if (charts) for (const chart of charts) chart.resize(width);
      else if (target instanceof HTMLElement)
        this.#charts.set(
          target,
          this.#makers.get(target)?.(this.#view, { target, width, height: contentRect.height }) ?? [],
        );
    }
  }

  #addLane(signals: readonly NumberSignal[], unit: string, last: boolean): void {
    const ghosts = signals.map(this.#other).filter((signal) => signal?.kind === 'number');
    const drawn: LaneSignal[] = [
      ...ghosts.map((signal): LaneSignal => ({ signal, color: 'ghost' })),
      ...signals.map((signal): LaneSignal => ({ signal, color: this.#colorOf(signal) })),
    ];
    this.#addTrack('div.plot', laneInWords(signals, unit), signals, (view, place) => [
      new LaneChart(drawn, this.#axis, last, view, place),
    ]);
  }

  #addBand(signal: Signal): void {
    const rows = [signal, this.#other(signal)].filter((row) => row?.kind === 'enumeration');
    this.#addTrack('div.plot.bands', bandInWords(signal), [signal], (view, place) =>
      rows.map((row) => new BandChart(row, this.#axis, view, place)),
    );
  }

  #addTrack(place: 'div.plot' | 'div.plot.bands', words: string, signals: readonly Signal[], make: MakeCharts): void {
    const plot = h(place, { role: 'img', 'aria-label': words });
    const labels = h('div.labels', ...signals.map((signal) => this.#label(signal)));
    this.element.append(h('div.track', labels, plot));
    this.#makers.set(plot, make);
    this.#sizes.observe(plot);
  }

  #label(signal: Signal): HTMLElement {
    const other = this.#other(signal);
    const { outOfRange, missing, sentinels } = signal;
    const counts = { 'out of range': outOfRange, missing, 'no value': sentinels };
    const note = Object.entries(counts).filter(([, count]) => count > 0);
    const swatch = h(signal.kind === 'number' ? 'span.swatch' : 'span.swatch.band');
    return h(
      'div.signal',
      { title: signal.description },
      inked(swatch, `signals-${this.#colorOf(signal)}`),
      h('code', ...breakable(signal.path)),
      this.#output(signal, h('output.value')),
      other && this.#output(other, h('output.value.ghost')),
      note.length > 0 && h('span.warn', note.map(([words, count]) => `${valueInWords(count)} ${words}`).join(', ')),
    );
  }

  #output(signal: Signal, element: HTMLElement): HTMLElement {
    this.#readouts.push({ signal, element });
    return element;
  }
}
