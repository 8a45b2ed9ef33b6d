import { colorsOf } from '../colors.js';
import { badgesOf, lengthsOf } from '../trip/badges.js';
import { dayOf } from '../trip/calendar.js';
import { extremesOf } from '../trip/ranges.js';
import type { Signal } from '../trip/signals.js';
import { isUntimed, type Placement, stacksOf, stepOf } from '../trip/stacks.js';
import type { View } from '../trip/trace.js';
import type { Trip } from '../trip/trip.js';
import { distanceInWords, durationInWords, valueInWords } from '../trip/words.js';
import { tripNames, writeAddress } from './address.js';
import { dayInWords } from './calendar-strip.js';
import { histogramCard } from './cards.js';
import { h, ink, table, twin } from './element.js';
import { type StackView, stackView } from './stack-view.js';
import { timesOf } from './trip-list.js';

/** Histograms follow lanes and zoom, once these rest. */
const histogramDelayMs = 160;
const replayMs = 20_000;

/** Makes the page of one trip: facts, badges, lanes, bands and histograms; with another trip behind it if one is compared. */
export function tripPage(
  trip: Trip,
  other: Trip | undefined,
  candidates: readonly Trip[],
  placement: Placement,
  zone: string,
): HTMLElement {
  const colorOf = colorsOf(trip);
  const stacks = stacksOf(trip, placement);
  const element = h('article.trip', { 'aria-label': 'Trip' }, h('h2', nameOf(trip, zone)), facts(trip), badges(trip));
  const [main] = stacks;
  if (main === undefined) {
    const reason =
      trip.signals.length === 0 ? 'This trip has a start and no signals' : 'Every array of this trip is empty';
    element.append(h('p.message', `${reason}. There is nothing to draw.`));
    return element;
  }
  const histograms = h('div.cards');
  let due: ReturnType<typeof setTimeout> | undefined;
  const showHistograms = ({ from, to }: View) => {
    const cards = main.signals.map((signal) => {
      const step = stepOf(main.axis, signal);
      const end = Math.min(signal.length, Math.ceil(to / step + 1e-9));
      return histogramCard(signal, Math.max(0, Math.ceil(from / step - 1e-9)), end, colorOf(signal));
    });
    histograms.replaceChildren(...cards);
  };
  // Samples of a known and of an unknown time have no axis in common.
  const matching = (signal: Signal) =>
    other?.signals
      .filter(({ path, kind, length }) => path === signal.path && kind === signal.kind && length > 0)
      .find((found) => isUntimed(found) === isUntimed(signal));
  const views = stacks.map((stack) =>
    stackView(stack, matching, colorOf, (shown) => {
      if (stack !== main) return;
      clearTimeout(due);
      due = setTimeout(() => showHistograms(shown), histogramDelayMs);
    }),
  );
  const choices = [placementSwitch(trip, placement), compareChoice(trip, other, candidates, zone)];
  element.append(
    h('div.bar-of-trip', views[0] && replay(views[0]), ...choices),
    ...(other ? [comparison(trip, other, zone)] : []),
    ...views.map(({ element }) => element),
    h('h3', 'How often each value occurs, in the part that is shown'),
    histograms,
  );
  // For measurements: the lanes are on the screen once the frame is over.
  requestAnimationFrame(() => setTimeout(() => performance.mark('lanes')));
  return element;
}

function nameOf(trip: Trip, zone: string): string {
  return `${dayInWords(dayOf(trip.startTime, zone))}, ${timesOf(trip, zone)}`;
}

function facts(trip: Trip): HTMLElement {
  const rows = {
    Length: durationInWords(trip.durationMs),
    Distance: distanceInWords(trip.distance) ?? 'unknown',
    'Samples per signal': lengthsOf(trip.signals).map(valueInWords).join(', ') || 'none',
    Series: trip.series.join(' + '),
    Vehicle: trip.vehicle,
  };
  return h('dl.facts', ...Object.entries(rows).map(([name, text]) => h('div', h('dt', name), h('dd', text))));
}

function badges(trip: Trip): HTMLElement {
  const items = badgesOf(trip).map(({ kind, label, explanation }) =>
    h('li', h(`span.badge.${kind}`, label), h('span', explanation)),
  );
  return h('ul.badge-list', { 'aria-label': 'Good to know' }, ...items);
}

/** Play and pause: the playhead runs through the trip, as long as it is on the page. */
function replay(stack: StackView): HTMLElement {
  const button = h('button.play');
  let timer: ReturnType<typeof setInterval> | undefined;
  const label = () => {
    button.setAttribute('aria-pressed', String(timer !== undefined));
    button.textContent = timer === undefined ? '▶ Replay' : '❚❚ Pause';
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    label();
  };
  label();
  button.addEventListener('click', () => {
    if (timer !== undefined) return stop();
    if (stack.position() >= stack.extent * 0.999) stack.moveTo(0);
    // With reduced motion the playhead moves in steps of a second instead of gliding.
    const intervalMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : 40;
    let last = performance.now();
    timer = setInterval(() => {
      const now = performance.now();
      stack.moveTo(stack.position() + ((now - last) / replayMs) * stack.extent);
      last = now;
      if (stack.position() >= stack.extent || !button.isConnected) stop();
    }, intervalMs);
    label();
  });
  return button;
}

function placementSwitch(trip: Trip, placement: Placement): HTMLElement {
  const isUnknown = trip.signals.every(isUntimed);
  const option = (value: Placement, text: string) => {
    const isChosen = value === (isUnknown ? 'index' : placement);
    const disabled = value === 'time' && isUnknown;
    const onclick = () => writeAddress({ placement: value });
    return h('button', { id: `axis-${value}`, 'aria-pressed': String(isChosen), disabled, onclick }, text);
  };
  const options = [option('time', 'Assumed time'), ' ', option('index', 'Sample index')];
  return h('span', { role: 'group', 'aria-label': 'Horizontal axis' }, ...options);
}

function compareChoice(trip: Trip, other: Trip | undefined, candidates: readonly Trip[], zone: string): HTMLElement {
  const names = tripNames(candidates);
  const options = candidates
    .filter((one) => one !== trip)
    .map((one) => h('option', { value: names.get(one), selected: one === other }, nameOf(one, zone)));
  const select = h('select', { id: 'compare' }, h('option', { value: '' }, 'no other trip'), ...options);
  const day = dayOf(trip.startTime, zone);
  select.addEventListener('change', () =>
    writeAddress({ day, trip: names.get(trip), compare: select.value || undefined }),
  );
  return h('label', 'Compare with ', select);
}

/** Both trips side by side in numbers. */
function comparison(trip: Trip, other: Trip, zone: string): HTMLElement {
  const both = [trip, other];
  const numbers = both.flatMap(({ signals }) => signals.filter(({ kind }) => kind === 'number'));
  const [name = '', otherName = ''] = both.map((one) => nameOf(one, zone));
  const rows = [
    ['Length', ...both.map((one) => durationInWords(one.durationMs))],
    ['Distance', ...both.map((one) => distanceInWords(one.distance) ?? 'unknown')],
    ...[...new Set(numbers.map(({ path }) => path))].map((path) => [path, ...both.map((one) => spanOf(one, path))]),
  ];
  return h(
    'section',
    { 'aria-label': 'Comparison' },
    h('p.legend', h('span.swatch', ink('accent')), name, h('span.swatch', ink('ghost')), otherName),
    twin('Both trips in numbers', () =>
      table('Lowest, mean and highest value of each signal', ['', name, otherName], rows),
    ),
  );
}

function spanOf(trip: Trip, path: string): string {
  const signal = trip.signals.find((one) => one.path === path);
  if (signal?.kind !== 'number') return 'not sent';
  const found = extremesOf(signal.values);
  if (found === null) return 'no values';
  const known = signal.values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const words = [found.low, Number(mean.toPrecision(9)), found.high].map(valueInWords);
  return `${words.join(' / ')} ${signal.unit}`;
}
