import { isUntimed, type Stack, stepOf } from '../trip/stacks.js';
import type { View } from '../trip/trace.js';
import { basisWords, clockOf, counted, valueInWords } from '../trip/words.js';
import { axisWidth, overviewChart, rightPad } from './charts.js';
import { h, twin } from './element.js';
import { type Measured, measurement } from './measurement.js';
import { sampleTable } from './stack-tables.js';
import { type ColorOf, nameOf, type Other, tracksOf } from './tracks.js';

export type StackView = ReturnType<typeof stackView>;

/** Below this way of the pointer, in pixels, a press is no brush. */
const brushFrom = 4;

/** What a stack shows at first, and what is measured in it. Places are those of its axis. */
export type StackState = Readonly<Record<'from' | 'to' | 'at' | 'a' | 'b', number | undefined>>;

/**
 * Makes lanes and bands over one axis, with a shared cursor, zoom by brush and buttons, a strip of the whole trip, a playhead, and a
 * measurement between two places.
 */
export function stackView(
  stack: Stack,
  other: Other,
  colorOf: ColorOf,
  state: Partial<StackState>,
  onView: (view: View, state: StackState) => void,
) {
  const { axis, signals } = stack;
  const all = [...signals, ...signals.map(other).filter((signal) => signal !== undefined)];
  const extent = Math.max(stack.extent, 1, ...all.map((signal) => signal.length * stepOf(axis, signal)));
  const longest = Math.max(1, ...all.map(({ length }) => length));
  let view: View = { from: 0, to: extent };
  let position = Math.min(extent, state.at ?? 0);
  let measured: Measured = { a: state.a, b: state.b };
  let isFitted = true;
  let frame = 0;
  const placeInWords = (place: number) => {
    if (axis === 'distance') return `${valueInWords(Math.round(place / 10) / 100)} km`;
    return axis === 'index' ? `#${valueInWords(Math.floor(place))}` : clockOf(Math.round(place / 1000) * 1000);
  };
  const percent = (place: number) => `${((place - view.from) / (view.to - view.from)) * 100}%`;

  const samples = counted(axis === 'index' ? stack.extent : longest, 'sample');
  const names = {
    time: 'Signals over assumed time',
    distance: 'Signals over distance',
    index: `Signals by index, ${samples}`,
  };
  const name = names[axis];
  const isChosen = axis === 'index' && !signals.some(isUntimed);
  const tracks = tracksOf(stack, other, colorOf);
  const brush = h('div.brush', { hidden: true });
  const overlay = h('div.overlay', brush);
  const cursor = h('div.cursor', { hidden: true });
  const range = h('span.range', { 'aria-live': 'polite' });
  const head = h('input.playhead', { type: 'range', max: longest - 1, 'aria-label': `Playhead of ${name}` });
  const headLabel = h('span.head-label');
  const actions = [
    { text: '◂', title: 'Earlier', run: () => pan(-0.25) },
    { text: '▸', title: 'Later', run: () => pan(0.25) },
    { text: '+', title: 'Zoom in', run: () => zoom(0.5) },
    { text: '−', title: 'Zoom out', run: () => zoom(2) },
    { text: '⤢', title: 'Show all', run: () => showPart(0, extent) },
    { text: 'A', title: 'Set A at the playhead', run: () => measure({ a: position, b: undefined }) },
    { text: 'B', title: 'Set B at the playhead', run: () => measure({ a: measured.a ?? 0, b: position }) },
    { text: '✕', title: 'End the measurement', run: () => measure({ a: undefined, b: undefined }) },
  ];
  const buttons = actions.map(({ text, title, run }) =>
    h('button', { 'aria-label': `${title}, ${name}`, title, onclick: run }, text),
  );
  const fit = h(
    'button.fit',
    { 'aria-pressed': 'true', title: 'The vertical axes span what is shown, or all values' },
    'Fit',
  );
  fit.setAttribute('aria-label', `Fit the vertical axes to what is shown, ${name}`);
  fit.addEventListener('click', () => {
    isFitted = !isFitted;
    fit.setAttribute('aria-pressed', String(isFitted));
    show();
  });
  const [first] = stack.lanes.flatMap((lane) => lane.signals);
  const overview =
    first && overviewChart(`All of the trip: ${nameOf(first)}`, { signal: first, color: colorOf(first) }, axis);
  const shownWindow = h('div.window');
  const strip =
    overview &&
    h(
      'div.overview',
      h('span.head-label.note', nameOf(first)),
      h('div.whole', overview.element, h('div.windows', shownWindow)),
    );
  const result = h('div.measurement');
  const marks = { a: h('div.cursor.mark', { hidden: true }, 'A'), b: h('div.cursor.mark', { hidden: true }, 'B') };
  tracks.element.append(overlay, cursor, marks.a, marks.b);
  const element = h(
    'section.stack',
    { 'aria-label': name, '--axis': `${axisWidth}px`, '--plot-right': `${rightPad}px` },
    h(
      'header.stack-head',
      h('div', h('h3', name), h('p.note', isChosen ? 'Shown by sample index, as you chose.' : basisWords[axis])),
      h('div.tools', range, ...buttons, fit),
    ),
    strip,
    h('div.head-row', headLabel, head),
    tracks.element,
    result,
    twin(`Samples as a table${axis === 'time' ? '' : `, ${samples}`}`, () => sampleTable(stack, view)),
  );

  /** Moves playhead and cursor to a place on the axis, and reads every signal there. */
  const moveTo = (place: number) => {
    position = Math.max(0, Math.min(extent, place));
    const words = placeInWords(position);
    head.value = String(Math.min(longest - 1, Math.round((position / extent) * longest)));
    headLabel.textContent = `Playhead ${words}`;
    head.setAttribute('aria-valuetext', `${words}: ${tracks.read(position, longest)}`);
    mark(cursor, position);
  };
  const mark = (line: HTMLElement, place: number | undefined) => {
    const share = ((place ?? -1) - view.from) / (view.to - view.from);
    line.hidden = place === undefined || share < 0 || share > 1;
    line.style.setProperty('--share', String(share));
  };
  const note = () => {
    const isWhole = view.from === 0 && view.to === extent;
    const shown = isWhole ? { from: undefined, to: undefined } : view;
    onView(view, { ...shown, at: position > 0 ? position : undefined, ...measured });
  };
  const showMeasured = () => {
    for (const key of ['a', 'b'] as const) mark(marks[key], measured[key]);
  };
  const measure = (next: Measured) => {
    measured = next;
    result.replaceChildren(
      measurement(
        measured,
        axis,
        stack.lanes.flatMap((lane) => lane.signals),
      ),
    );
    showMeasured();
    note();
  };
  const show = () => {
    frame = 0;
    const { from, to } = view;
    tracks.show(view, isFitted);
    overview?.show({ from: 0, to: extent }, false);
    shownWindow.style.left = `${(from / extent) * 100}%`;
    shownWindow.style.width = `${((to - from) / extent) * 100}%`;
    element.dataset['from'] = String(from);
    element.dataset['to'] = String(to);
    range.textContent = `${placeInWords(from)} – ${placeInWords(to)}`;
    moveTo(position);
    showMeasured();
    note();
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
    note();
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
    if (pressed === undefined || brush.hidden) {
      moveTo(place);
      note();
    } else showPart(Math.min(pressed.place, place), Math.max(pressed.place, place));
    release();
  });
  overlay.addEventListener('pointercancel', release);
  overlay.addEventListener('dblclick', () => showPart(0, extent));
  // The window of the strip follows the pointer.
  strip?.querySelector('.whole')?.addEventListener('pointerdown', (event) => {
    const drag = ({ clientX }: MouseEvent) => {
      const { left, width } = overlay.getBoundingClientRect();
      const middle = ((clientX - left) / width) * extent;
      const half = (view.to - view.from) / 2;
      showPart(middle - half, middle + half);
    };
    const end = () => {
      removeEventListener('pointermove', drag);
      removeEventListener('pointerup', end);
    };
    addEventListener('pointermove', drag);
    addEventListener('pointerup', end);
    if (event instanceof MouseEvent) drag(event);
  });
  if (state.from !== undefined && state.to !== undefined && state.to > state.from) {
    const width = Math.min(extent, state.to - state.from);
    const start = Math.max(0, Math.min(extent - width, state.from));
    view = { from: start, to: start + width };
  }
  show();
  measure(measured);
  return {
    element,
    axis,
    extent,
    signals,
    moveTo,
    position: () => position,
    /** What is shown. */
    view: () => view,
    /** Shows a stretch of the axis with some way before and after it, and puts the playhead at its begin. */
    jumpTo: (from: number, to: number) => {
      moveTo(from);
      const around = Math.max((to - from) * 2, extent / 20, (extent / longest) * 15);
      showPart(from - around, to + around);
      element.scrollIntoView({
        block: 'start',
        behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
      });
    },
  };
}
