import type { Signal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { clockOf, counted, timeBasisWords, valueInWords } from '../trip/words.js';
import { bandTable } from './band-table.js';
import { h, twin } from './element.js';
import { axisWidth, rightPad, type View } from './lane-chart.js';
import { sampleTable } from './sample-table.js';
import { listenToKeys, listenToPointer } from './stack-input.js';
import { type ColorOf, type Other, Tracks } from './tracks.js';

/** Lanes and bands over one axis, with a shared cursor, zoom by brush and a playhead. */
export class StackView {
  readonly element: HTMLElement;
  readonly #stack: Stack;
  readonly #extent: number;
  readonly #tracks: Tracks;
  readonly #cursor = h('div', { class: 'cursor', hidden: true });
  readonly #brush = h('div', { class: 'brush', hidden: true });
  readonly #overlay: HTMLElement;
  readonly #range = h('span', { class: 'range', 'aria-live': 'polite' });
  readonly #head = h('input', { type: 'range', min: 0, step: 1, class: 'playhead' });
  readonly #map = h('div', { class: 'map', 'aria-hidden': 'true' }, h('div'));
  readonly #onView: (view: View) => void;
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
    this.#tracks = new Tracks(stack, other, colorOf, this.#view);
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
      this.#tracks.element,
      this.#map,
      twin(stack.axis === 'time' ? 'Samples as a table' : `${name}: samples as a table`, () =>
        sampleTable(this.#stack, this.#view),
      ),
    );
    this.element.style.setProperty('--axis', `${axisWidth}px`);
    this.element.style.setProperty('--plot-right', `${rightPad}px`);
    this.#tracks.element.append(this.#overlay, this.#cursor);
    if (stack.bands.length > 0)
      this.element.append(
        twin(stack.axis === 'time' ? 'Bands as a table' : `${name}: bands as a table`, () =>
          bandTable(this.#stack, this.#view, (position) => this.#place(position)),
        ),
      );
    listenToPointer(this.#overlay, this.#brush, this);
    listenToKeys(this.element, this);
    this.#head.addEventListener('input', () => this.#follow((Number(this.#head.value) * this.#extent) / this.#longest));
    this.#show();
    this.moveTo(0);
  }

  /** Draws again, for other colors. */
  redraw(): void {
    this.#tracks.redraw();
  }

  destroy(): void {
    this.#tracks.destroy();
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
    const words = this.#tracks.read(this.position, this.#longest);
    const index = Math.min(this.#longest - 1, Math.round((this.position / this.#extent) * this.#longest));
    this.#head.value = String(index);
    this.#head.setAttribute('aria-valuetext', `${this.#place(this.position)}: ${words}`);
    const share = (this.position - from) / (to - from);
    this.#cursor.hidden = share < 0 || share > 1;
    this.#cursor.style.left = `calc(var(--plot-left) + ${share} * (100% - var(--plot-left) - var(--plot-right)))`;
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
    this.#tracks.show(this.#view);
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
}
