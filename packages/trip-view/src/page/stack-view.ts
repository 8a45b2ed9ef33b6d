import type { Signal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { clockOf, counted, timeBasisWords, valueInWords } from '../trip/words.js';
import { BandChart } from './band-chart.js';
import { bandTable } from './band-table.js';
import { h, twin } from './element.js';
import { axisWidth, LaneChart, type LaneSignal, rightPad, type View } from './lane-chart.js';
import { sampleTable } from './sample-table.js';
import { listenToKeys, listenToPointer } from './stack-input.js';
import { bandInWords, breakable, laneInWords, readout } from './stack-words.js';

/** A signal of the trip that is compared, by path; undefined where it has none that fits. */
export type Other = (signal: Signal) => Signal | undefined;

interface Chart {
  show(view: View): void;
  redraw(): void;
  destroy(): void;
}

interface Readout {
  readonly signal: Signal;
  readonly element: HTMLElement;
}

/** Colors of numeric signals, by their place in the contract. */
export type ColorOf = (signal: Signal) => number;

/** Lanes and bands over one axis, with a shared cursor, zoom by brush and a playhead. */
export class StackView {
  readonly element: HTMLElement;
  readonly #stack: Stack;
  readonly #extent: number;
  readonly #charts: Chart[] = [];
  readonly #readouts: Readout[] = [];
  readonly #cursor = h('div', { class: 'cursor', hidden: true });
  readonly #brush = h('div', { class: 'brush', hidden: true });
  readonly #overlay: HTMLElement;
  readonly #range = h('span', { class: 'range', 'aria-live': 'polite' });
  readonly #head = h('input', { type: 'range', min: 0, step: 1, class: 'playhead' });
  readonly #map = h('div', { class: 'map', 'aria-hidden': 'true' }, h('div', { class: 'map-window' }));
  readonly #onView: (view: View) => void;
  readonly #onDestroy: (() => void)[] = [];
  /** Samples of the longest signal: the playhead moves by them. */
  readonly #longest: number;
  #view: View;
  #frame = 0;
  /** Where the playhead is, in units of the axis. */
  position = 0;

  constructor(stack: Stack, other: Other, colorOf: ColorOf, onView: (view: View) => void) {
    this.#stack = stack;
    this.#onView = onView;
    const signals: Signal[] = [...stack.lanes.flatMap((lane) => lane.signals), ...stack.bands];
    const compared = signals.map(other).filter((signal) => signal !== undefined);
    const extents = compared.map((signal) => signal.length * stepOf(stack.axis, signal));
    this.#extent = Math.max(stack.extent, ...extents, 1);
    this.#longest = Math.max(1, ...signals.map(({ length }) => length), ...compared.map(({ length }) => length));
    this.#view = { from: 0, to: this.#extent };
    this.#head.max = String(this.#longest - 1);
    const name = this.#name();
    this.#head.setAttribute('aria-label', `Playhead of ${name}`);
    this.#overlay = h('div', { class: 'overlay' }, this.#brush);
    const tracks = h('div', { class: 'tracks' });
    const title = h('h3', {}, name);
    const known = signals.every(({ timeBasis }) => timeBasis !== 'unknown');
    const basis = stack.axis === 'time' ? 'assumed-even' : 'unknown';
    const note = stack.axis === 'index' && known ? 'Shown by sample index, as you chose.' : timeBasisWords[basis];
    const button = (text: string, label: string, action: () => void) =>
      h(
        'button',
        { type: 'button', class: 'icon', 'aria-label': `${label}, ${name}`, title: label, onclick: action },
        text,
      );
    this.element = h(
      'section',
      { class: 'stack', 'aria-label': name },
      h(
        'header',
        { class: 'stack-head' },
        h('div', {}, title, h('p', { class: 'note' }, note)),
        h(
          'div',
          { class: 'tools' },
          this.#range,
          button('◂', 'Earlier', () => this.pan(-0.25)),
          button('▸', 'Later', () => this.pan(0.25)),
          button('+', 'Zoom in', () => this.zoom(0.5)),
          button('−', 'Zoom out', () => this.zoom(2)),
          button('⤢', 'Show all', () => this.reset()),
        ),
      ),
      h('div', { class: 'head-row' }, h('span', { class: 'head-label' }, 'Playhead'), this.#head),
      tracks,
      this.#map,
      twin(stack.axis === 'time' ? 'Samples as a table' : `${name}: samples as a table`, () =>
        sampleTable(this.#stack, this.#view),
      ),
    );
    for (const [index, lane] of stack.lanes.entries()) {
      const last = index === stack.lanes.length - 1;
      this.#addLane(tracks, lane.signals, lane.unit, other, colorOf, last);
    }
    for (const signal of stack.bands) this.#addBand(tracks, signal, other(signal));
    tracks.append(this.#overlay, this.#cursor);
    if (stack.bands.length > 0)
      this.element.append(
        twin(stack.axis === 'time' ? 'Bands as a table' : `${name}: bands as a table`, () =>
          bandTable(this.#stack, this.#view, (position) => this.#place(position)),
        ),
      );
    listenToPointer(this.#overlay, this.#brush, this);
    listenToKeys(this.element, this);
    this.#head.addEventListener('input', () => this.#follow((Number(this.#head.value) * this.#extent) / this.#longest));
    tracks.style.setProperty('--axis', `${axisWidth}px`);
    this.#show();
    this.moveTo(0);
  }

  /** Draws again, for other colors. */
  redraw(): void {
    for (const chart of this.#charts) chart.redraw();
  }

  destroy(): void {
    for (const end of this.#onDestroy) end();
    for (const chart of this.#charts) chart.destroy();
  }

  get view(): View {
    return this.#view;
  }

  /** The whole of the axis, in milliseconds or samples. */
  get extent(): number {
    return this.#extent;
  }

  /** Zooms around the playhead if it is in view, else around the middle. */
  zoom(factor: number): void {
    const { from, to } = this.#view;
    const middle = this.position > from && this.position < to ? this.position : (from + to) / 2;
    const share = (middle - from) / (to - from);
    const width = (to - from) * factor;
    this.showPart(middle - width * share, middle + width * (1 - share));
  }

  /** Moves the view by a share of its width. */
  pan(share: number): void {
    const { from, to } = this.#view;
    const by = Math.max(-from, Math.min(this.#extent - to, (to - from) * share));
    this.showPart(from + by, to + by);
  }

  reset(): void {
    this.showPart(0, this.#extent);
  }

  /** Shows a part of the axis. Never closer than four samples: there is nothing between them. */
  showPart(from: number, to: number): void {
    const least = Math.min(this.#extent, (this.#extent / this.#longest) * 4);
    const width = Math.min(this.#extent, Math.max(least, to - from));
    const start = Math.max(0, Math.min(this.#extent - width, from));
    this.#view = { from: start, to: start + width };
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#show());
  }

  /** Moves playhead and cursor to a place on the axis, and reads every signal there. */
  moveTo(position: number): void {
    this.position = Math.max(0, Math.min(this.#extent, position));
    const { from, to } = this.#view;
    const words: string[] = [];
    for (const { signal, element } of this.#readouts) {
      const index = Math.floor(this.position / stepOf(this.#stack.axis, signal) + 1e-9);
      // At the very end the last sample is read; shorter signals have none there.
      const text = readout(signal, signal.length === this.#longest ? Math.min(index, signal.length - 1) : index);
      element.textContent = text;
      words.push(`${signal.path} ${text}`);
    }
    const index = Math.min(this.#longest - 1, Math.round((this.position / this.#extent) * this.#longest));
    this.#head.value = String(index);
    this.#head.setAttribute('aria-valuetext', `${this.#place(this.position)}: ${words.join('; ')}`);
    const share = (this.position - from) / (to - from);
    this.#cursor.hidden = share < 0 || share > 1;
    this.#cursor.style.left = `calc(var(--plot-left) + ${share} * (100% - var(--plot-left) - ${rightPad}px))`;
    this.#cursor.dataset['at'] = this.#place(this.position);
  }

  /** Moves the playhead, and the view with it. */
  #follow(position: number): void {
    const { from, to } = this.#view;
    if (position < from || position > to) {
      const half = (to - from) / 2;
      this.showPart(position - half, position + half);
    }
    this.moveTo(position);
  }

  #show(): void {
    this.#frame = 0;
    for (const chart of this.#charts) chart.show(this.#view);
    const { from, to } = this.#view;
    this.element.dataset['from'] = String(from);
    this.element.dataset['to'] = String(to);
    this.#range.textContent = `${this.#place(from)} – ${this.#place(to)}`;
    const mapWindow = this.#map.firstElementChild;
    if (mapWindow instanceof HTMLElement) {
      mapWindow.style.left = `${(from / this.#extent) * 100}%`;
      mapWindow.style.width = `${((to - from) / this.#extent) * 100}%`;
    }
    this.moveTo(this.position);
    this.#onView(this.#view);
  }

  #place(position: number): string {
    return this.#stack.axis === 'time'
      ? clockOf(Math.round(position / 1000) * 1000)
      : `#${valueInWords(Math.floor(position))}`;
  }

  #name(): string {
    const { axis, extent } = this.#stack;
    if (axis === 'time') return 'Signals over assumed time';
    return `Signals by index, ${counted(extent, 'sample')}`;
  }

  #label(signal: Signal, other: Signal | undefined, color: number | undefined): HTMLElement {
    const value = h('output', { class: 'value' });
    this.#readouts.push({ signal, element: value });
    const note = [
      signal.outOfRange > 0 && `${valueInWords(signal.outOfRange)} out of range`,
      signal.missing > 0 && `${valueInWords(signal.missing)} missing`,
      signal.sentinels > 0 && `${valueInWords(signal.sentinels)} no value`,
    ].filter((text) => text !== false);
    const otherValue = other && h('output', { class: 'value ghost' });
    if (other && otherValue) this.#readouts.push({ signal: other, element: otherValue });
    return h(
      'div',
      { class: 'signal', title: signal.description },
      h('span', { class: color === undefined ? 'swatch band' : `swatch color-${color}` }),
      h('code', {}, ...breakable(signal.path)),
      value,
      otherValue,
      note.length > 0 && h('span', { class: 'warn' }, note.join(', ')),
    );
  }

  #addLane(
    tracks: HTMLElement,
    signals: Stack['lanes'][number]['signals'],
    unit: string,
    other: Other,
    colorOf: ColorOf,
    last: boolean,
  ): void {
    const drawn: LaneSignal[] = [];
    for (const signal of signals) {
      const compared = other(signal);
      if (compared?.kind === 'number') drawn.push({ signal: compared, color: 'ghost' });
    }
    for (const signal of signals) drawn.push({ signal, color: colorOf(signal) });
    const plot = h('div', { class: 'plot', role: 'img', 'aria-label': laneInWords(signals, unit) });
    tracks.append(
      h(
        'div',
        { class: 'track' },
        h('div', { class: 'labels' }, ...signals.map((signal) => this.#label(signal, other(signal), colorOf(signal)))),
        plot,
      ),
    );
    // Charts are made once their place has a width.
    queueMicrotask(() => {
      const chart = new LaneChart(plot, drawn, this.#stack.axis, this.#view, last);
      this.#charts.push(chart);
      this.#watchWidth(plot, () => chart.resize(plot.clientWidth));
    });
  }

  #addBand(tracks: HTMLElement, signal: Signal, other: Signal | undefined): void {
    const rows = [signal, other].filter((row) => row?.kind === 'enumeration');
    const plot = h('div', { class: 'plot bands', role: 'img', 'aria-label': bandInWords(signal) });
    tracks.append(
      h('div', { class: 'track' }, h('div', { class: 'labels' }, this.#label(signal, other, undefined)), plot),
    );
    // Charts are made once their place has a width.
    queueMicrotask(() => {
      for (const row of rows) {
        if (row?.kind !== 'enumeration') continue;
        const chart = new BandChart(plot, row, this.#stack.axis, this.#view);
        this.#charts.push(chart);
        this.#watchWidth(plot, () => chart.redraw());
      }
    });
  }

  #watchWidth(target: HTMLElement, resized: () => void): void {
    let width = target.clientWidth;
    const observer = new ResizeObserver(() => {
      if (target.clientWidth === width) return;
      width = target.clientWidth;
      resized();
    });
    observer.observe(target);
    this.#onDestroy.push(() => observer.disconnect());
  }
}
