import { type Stack, stepOf } from '../trip/stacks.js';
import { clockOf, counted, timeBasisWords, valueInWords } from '../trip/words.js';
import { h, twin } from './element.js';
import { axisWidth, rightPad, type View } from './lane-chart.js';
import { listenToKeys, listenToPointer } from './stack-input.js';
import { bandTable, sampleTable } from './stack-tables.js';
import { type ColorOf, type Other, Tracks } from './tracks.js';

/** Lanes and bands over one axis, with a shared cursor, zoom by brush and a playhead. */
export class StackView {
  readonly element: HTMLElement;
  readonly #axis: Stack['axis'];
  readonly #extent: number;
  readonly #tracks: Tracks;
  readonly #cursor = h('div.cursor', { hidden: true });
  readonly #brush = h('div.brush', { hidden: true });
  readonly #range = h('span.range', { 'aria-live': 'polite' });
  readonly #head: HTMLInputElement;
  readonly #mapWindow = h('div');
  readonly #onView: (view: View) => void;
  /** Samples of the longest signal: the playhead moves by them. */
  readonly #longest: number;
  #view: View;
  #frame = 0;
  /** Where the playhead is, in units of the axis. */
  position = 0;

  constructor(stack: Stack, other: Other, colorOf: ColorOf, onView: (view: View) => void) {
    const { axis, signals, bands } = stack;
    this.#axis = axis;
    this.#onView = onView;
    const all = [...signals, ...signals.map(other).filter((signal) => signal !== undefined)];
    this.#extent = Math.max(stack.extent, 1, ...all.map((signal) => signal.length * stepOf(axis, signal)));
    this.#longest = Math.max(1, ...all.map(({ length }) => length));
    this.#view = { from: 0, to: this.#extent };
    const samples = counted(stack.extent, 'sample');
    const name = axis === 'time' ? 'Signals over assumed time' : `Signals by index, ${samples}`;
    const isChosen = axis === 'index' && signals.every(({ timeBasis }) => timeBasis !== 'unknown');
    const basis = timeBasisWords[axis === 'time' ? 'assumed-even' : 'unknown'];
    this.#head = h('input.playhead', { type: 'range', max: this.#longest - 1, 'aria-label': `Playhead of ${name}` });
    this.#tracks = new Tracks(stack, other, colorOf, this.#view);
    const overlay = h('div.overlay', this.#brush);
    this.#tracks.element.append(overlay, this.#cursor);
    const button = (text: string, title: string, onclick: () => void) =>
      h('button', { 'aria-label': `${title}, ${name}`, title, onclick }, text);
    const tableOf = (what: string, content: () => Node) =>
      twin(`${what} as a table${axis === 'time' ? '' : `, ${samples}`}`, content);
    this.element = h(
      'section.stack',
      { 'aria-label': name },
      h(
        'header.stack-head',
        h('div', h('h3', name), h('p.note', isChosen ? 'Shown by sample index, as you chose.' : basis)),
        h(
          'div.tools',
          this.#range,
          button('◂', 'Earlier', () => this.pan(-0.25)),
          button('▸', 'Later', () => this.pan(0.25)),
          button('+', 'Zoom in', () => this.zoom(0.5)),
          button('−', 'Zoom out', () => this.zoom(2)),
          button('⤢', 'Show all', () => this.reset()),
        ),
      ),
      h('div.head-row', h('span.head-label', 'Playhead'), this.#head),
      this.#tracks.element,
      h('div.map', { 'aria-hidden': 'true' }, this.#mapWindow),
      tableOf('Samples', () => sampleTable(stack, this.#view)),
      bands.length > 0 && tableOf('Bands', () => bandTable(stack, this.#view, (position) => this.#place(position))),
    );
    this.element.style.setProperty('--axis', `${axisWidth}px`);
    this.element.style.setProperty('--plot-right', `${rightPad}px`);
    listenToPointer(overlay, this.#brush, this);
    listenToKeys(this.element, this);
    this.#head.addEventListener('input', () => this.#follow((Number(this.#head.value) * this.#extent) / this.#longest));
    this.#show();
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
    this.#cursor.style.setProperty('--share', String(share));
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
    this.#mapWindow.style.left = `${(from / this.#extent) * 100}%`;
    this.#mapWindow.style.width = `${((to - from) / this.#extent) * 100}%`;
    this.moveTo(this.position);
    this.#onView(this.#view);
  }

  #place(position: number): string {
    if (this.#axis === 'index') return `#${valueInWords(Math.floor(position))}`;
    return clockOf(Math.round(position / 1000) * 1000);
  }
}
