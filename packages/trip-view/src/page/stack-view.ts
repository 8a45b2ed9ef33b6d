import { type Stack, stepOf } from '../trip/stacks.js';
import { clockOf, counted, timeBasisWords, valueInWords } from '../trip/words.js';
import { h, twin } from './element.js';
import { axisWidth, rightPad, type View } from './lane-chart.js';
import { listenToKeys, listenToPointer, type Movable } from './stack-input.js';
import { bandTable, sampleTable } from './stack-tables.js';
import { type ColorOf, type Other, type Tracks, tracksOf } from './tracks.js';

/** Lanes and bands over one axis. */
export interface StackView extends Movable {
  readonly element: HTMLElement;
  /** The whole of the axis, in milliseconds or samples. */
  readonly extent: number;
  /** Where the playhead is. */
  readonly position: number;
  readonly tracks: Tracks;
}

/** Makes lanes and bands over one axis, with a shared cursor, zoom by brush and a playhead. */
export function stackView(stack: Stack, other: Other, colorOf: ColorOf, onView: (view: View) => void): StackView {
  const { axis, signals, bands } = stack;
  const all = [...signals, ...signals.map(other).filter((signal) => signal !== undefined)];
  const extent = Math.max(stack.extent, 1, ...all.map((signal) => signal.length * stepOf(axis, signal)));
  const longest = Math.max(1, ...all.map(({ length }) => length));
  let view: View = { from: 0, to: extent };
  let position = 0;
  let frame = 0;
  const placeInWords = (place: number) =>
    axis === 'index' ? `#${valueInWords(Math.floor(place))}` : clockOf(Math.round(place / 1000) * 1000);

  const samples = counted(stack.extent, 'sample');
  const name = axis === 'time' ? 'Signals over assumed time' : `Signals by index, ${samples}`;
  const isChosen = axis === 'index' && signals.every(({ timeBasis }) => timeBasis !== 'unknown');
  const basis = timeBasisWords[axis === 'time' ? 'assumed-even' : 'unknown'];
  const tracks = tracksOf(stack, other, colorOf, view);
  const brush = h('div.brush', { hidden: true });
  const overlay = h('div.overlay', brush);
  const cursor = h('div.cursor', { hidden: true });
  tracks.element.append(overlay, cursor);
  const range = h('span.range', { 'aria-live': 'polite' });
  const head = h('input.playhead', { type: 'range', max: longest - 1, 'aria-label': `Playhead of ${name}` });
  const headLabel = h('span.head-label');
  const mapWindow = h('div');
  const button = (text: string, title: string, onclick: () => void) =>
    h('button', { 'aria-label': `${title}, ${name}`, title, onclick }, text);
  const tableOf = (what: string, content: () => Node) =>
    twin(`${what} as a table${axis === 'time' ? '' : `, ${samples}`}`, content);
  const element = h(
    'section.stack',
    { 'aria-label': name },
    h(
      'header.stack-head',
      h('div', h('h3', name), h('p.note', isChosen ? 'Shown by sample index, as you chose.' : basis)),
      h(
        'div.tools',
        range,
        button('◂', 'Earlier', () => pan(-0.25)),
        button('▸', 'Later', () => pan(0.25)),
        button('+', 'Zoom in', () => zoom(0.5)),
        button('−', 'Zoom out', () => zoom(2)),
        button('⤢', 'Show all', () => reset()),
      ),
    ),
    h('div.head-row', headLabel, head),
    tracks.element,
    h('div.map', { 'aria-hidden': 'true' }, mapWindow),
    tableOf('Samples', () => sampleTable(stack, view)),
    bands.length > 0 && tableOf('Bands', () => bandTable(stack, view, placeInWords)),
  );
  element.style.setProperty('--axis', `${axisWidth}px`);
  element.style.setProperty('--plot-right', `${rightPad}px`);

  /** Moves playhead and cursor to a place on the axis, and reads every signal there. */
  const moveTo = (place: number) => {
    position = Math.max(0, Math.min(extent, place));
    const words = placeInWords(position);
    head.value = String(Math.min(longest - 1, Math.round((position / extent) * longest)));
    headLabel.textContent = `Playhead ${words}`;
    head.setAttribute('aria-valuetext', `${words}: ${tracks.read(position, longest)}`);
    const share = (position - view.from) / (view.to - view.from);
    cursor.hidden = share < 0 || share > 1;
    cursor.style.setProperty('--share', String(share));
    cursor.dataset['at'] = words;
  };
  const show = () => {
    frame = 0;
    const { from, to } = view;
    tracks.show(view);
    element.dataset['from'] = String(from);
    element.dataset['to'] = String(to);
    range.textContent = `${placeInWords(from)} – ${placeInWords(to)}`;
    mapWindow.style.left = `${(from / extent) * 100}%`;
    mapWindow.style.width = `${((to - from) / extent) * 100}%`;
    moveTo(position);
    onView(view);
  };
  /** Shows a part of the axis. Never closer than four samples: there is nothing between them. */
  const showPart = (from: number, to: number) => {
    const width = Math.min(extent, Math.max((extent / longest) * 4, to - from));
    const start = Math.max(0, Math.min(extent - width, from));
    view = { from: start, to: start + width };
    if (frame === 0) frame = requestAnimationFrame(show);
  };
  const reset = () => showPart(0, extent);
  /** Zooms around the playhead if it is in view, else around the middle. */
  const zoom = (factor: number) => {
    const { from, to } = view;
    const middle = position > from && position < to ? position : (from + to) / 2;
    showPart(middle - (middle - from) * factor, middle + (to - middle) * factor);
  };
  /** Moves the view by a share of its width. */
  const pan = (share: number) => {
    const by = Math.max(-view.from, Math.min(extent - view.to, (view.to - view.from) * share));
    showPart(view.from + by, view.to + by);
  };
  head.addEventListener('input', () => {
    const place = (Number(head.value) * extent) / longest;
    const half = (view.to - view.from) / 2;
    if (place < view.from || place > view.to) showPart(place - half, place + half);
    moveTo(place);
  });
  const made: StackView = {
    element,
    tracks,
    extent,
    get position() {
      return position;
    },
    get view() {
      return view;
    },
    moveTo,
    showPart,
    zoom,
    pan,
    reset,
  };
  listenToPointer(overlay, brush, made);
  listenToKeys(element, made);
  show();
  return made;
}
