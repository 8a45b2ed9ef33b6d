import { isUntimed, type Stack, stepOf } from '../trip/stacks.js';
import type { View } from '../trip/trace.js';
import { basisWords, clockOf, counted, valueInWords } from '../trip/words.js';
import { axisWidth, rightPad } from './charts.js';
import { h, twin } from './element.js';
import { sampleTable } from './stack-tables.js';
import { type ColorOf, type Other, tracksOf } from './tracks.js';

export type StackView = ReturnType<typeof stackView>;

/** Below this way of the pointer, in pixels, a press is no brush. */
const brushFrom = 4;

/** Makes lanes and bands over one axis, with a shared cursor, zoom by brush and buttons, and a playhead. */
export function stackView(stack: Stack, other: Other, colorOf: ColorOf, onView: (view: View) => void) {
  const { axis, signals } = stack;
  const all = [...signals, ...signals.map(other).filter((signal) => signal !== undefined)];
  const extent = Math.max(stack.extent, 1, ...all.map((signal) => signal.length * stepOf(axis, signal)));
  const longest = Math.max(1, ...all.map(({ length }) => length));
  let view: View = { from: 0, to: extent };
  let position = 0;
  let frame = 0;
  const placeInWords = (place: number) =>
    axis === 'index' ? `#${valueInWords(Math.floor(place))}` : clockOf(Math.round(place / 1000) * 1000);
  const percent = (place: number) => `${((place - view.from) / (view.to - view.from)) * 100}%`;

  const samples = counted(stack.extent, 'sample');
  const name = axis === 'time' ? 'Signals over assumed time' : `Signals by index, ${samples}`;
  const isChosen = axis === 'index' && !signals.some(isUntimed);
  const tracks = tracksOf(stack, other, colorOf);
  const brush = h('div.brush', { hidden: true });
  const overlay = h('div.overlay', brush);
  const cursor = h('div.cursor', { hidden: true });
  tracks.element.append(overlay, cursor);
  const range = h('span.range', { 'aria-live': 'polite' });
  const head = h('input.playhead', { type: 'range', max: longest - 1, 'aria-label': `Playhead of ${name}` });
  const headLabel = h('span.head-label');
  const actions = [
    { text: '◂', title: 'Earlier', run: () => pan(-0.25) },
    { text: '▸', title: 'Later', run: () => pan(0.25) },
    { text: '+', title: 'Zoom in', run: () => zoom(0.5) },
    { text: '−', title: 'Zoom out', run: () => zoom(2) },
    { text: '⤢', title: 'Show all', run: () => showPart(0, extent) },
  ];
  const buttons = actions.map(({ text, title, run }) =>
    h('button', { 'aria-label': `${title}, ${name}`, title, onclick: run }, text),
  );
  const element = h(
    'section.stack',
    { 'aria-label': name, '--axis': `${axisWidth}px`, '--plot-right': `${rightPad}px` },
    h(
      'header.stack-head',
      h('div', h('h3', name), h('p.note', isChosen ? 'Shown by sample index, as you chose.' : basisWords[axis])),
      h('div.tools', range, ...buttons),
    ),
    h('div.head-row', headLabel, head),
    tracks.element,
    twin(`Samples as a table${axis === 'time' ? '' : `, ${samples}`}`, () => sampleTable(stack, view)),
  );

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
  };
  const show = () => {
    frame = 0;
    const { from, to } = view;
    tracks.show(view);
    element.dataset['from'] = String(from);
    element.dataset['to'] = String(to);
    range.textContent = `${placeInWords(from)} – ${placeInWords(to)}`;
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
  /** Zooms around the playhead if it is in view, else around the middle. */
  const zoom = (factor: number) => {
    const { from, to } = view;
    const middle = position > from && position < to ? position : (from + to) / 2;
    showPart(middle - (middle - from) * factor, middle + (to - middle) * factor);
  };
  const pan = (share: number) => {
    const by = (view.to - view.from) * share;
    showPart(view.from + by, view.to + by);
  };

  head.addEventListener('input', () => {
    const place = (Number(head.value) * extent) / longest;
    const half = (view.to - view.from) / 2;
    if (place < view.from || place > view.to) showPart(place - half, place + half);
    moveTo(place);
  });

  const placeOf = ({ clientX }: MouseEvent) => {
    const { left, width } = overlay.getBoundingClientRect();
    return view.from + Math.max(0, Math.min(1, (clientX - left) / width)) * (view.to - view.from);
  };
  let pressed: { readonly place: number; readonly x: number } | undefined;
  overlay.addEventListener('pointermove', (event) => {
    const place = placeOf(event);
    moveTo(place);
    if (pressed === undefined || Math.abs(event.clientX - pressed.x) < brushFrom) return;
    brush.hidden = false;
    brush.style.left = percent(Math.min(place, pressed.place));
    brush.style.width = percent(view.from + Math.abs(place - pressed.place));
  });
  overlay.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pressed = { place: placeOf(event), x: event.clientX };
    if (event.pointerType === 'mouse') overlay.setPointerCapture(event.pointerId);
  });
  const release = () => {
    pressed = undefined;
    brush.hidden = true;
  };
  overlay.addEventListener('pointerup', (event) => {
    const place = placeOf(event);
    if (pressed === undefined || brush.hidden) moveTo(place);
    else showPart(Math.min(pressed.place, place), Math.max(pressed.place, place));
    release();
  });
  overlay.addEventListener('pointercancel', release);
  overlay.addEventListener('dblclick', () => showPart(0, extent));
  show();
  return { element, extent, moveTo, position: () => position };
}
