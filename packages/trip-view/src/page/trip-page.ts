import { signalColors } from '../colors.js';
import { badgesOf } from '../trip/badges.js';
import { dayOf } from '../trip/calendar.js';
import { extremesOf } from '../trip/extremes.js';
import type { Signal } from '../trip/signals.js';
import { type Placement, stacksOf, stepOf } from '../trip/stacks.js';
import type { Trip } from '../trip/trip.js';
import { distanceInWords, durationInWords, valueInWords } from '../trip/words.js';
import { dayInWords } from './calendar-strip.js';
import { h, table, twin } from './element.js';
import { histogramCard } from './histogram-card.js';
import type { View } from './lane-chart.js';
import { stackView } from './stack-view.js';
import { transport } from './transport.js';
import { timesOf } from './trip-list.js';

/** Histograms follow lanes and zoom, once these rest. */
const histogramDelayMs = 160;

/** What the page of a trip tells the app. */
export interface TripPageEvents {
  readonly place: (placement: Placement) => void;
  /** Start of the other trip. */
  readonly compare: (start: string | undefined) => void;
}

/** The start of a trip, which names it in the address. */
export function startOf(trip: Trip): string {
  return new Date(trip.startTime).toISOString();
}

/** The page of one trip. */
export interface TripPage {
  readonly element: HTMLElement;
  /** Draws again, for other colors. */
  readonly redraw: () => void;
  readonly destroy: () => void;
}

/** Makes the page of one trip: facts, badges, lanes, bands and histograms; with another trip behind it if one is compared. */
export function tripPage(
  trip: Trip,
  other: Trip | undefined,
  candidates: readonly Trip[],
  placement: Placement,
  zone: string,
  events: TripPageEvents,
): TripPage {
  const numbers = trip.signals.filter(({ kind }) => kind === 'number').map(({ path }) => path);
  const colorOf = ({ path }: Signal) => Math.max(0, numbers.indexOf(path)) % signalColors.length;
  const stacks = stacksOf(trip, placement);
  const element = h('article.trip', { 'aria-label': 'Trip' }, h('h2', nameOf(trip, zone)), facts(trip), badges(trip));
  const [main] = stacks;
  if (main === undefined) {
    element.append(h('p.message', emptyInWords(trip)));
    return { element, redraw: () => {}, destroy: () => {} };
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
  const isUnknown = ({ timeBasis }: Signal) => timeBasis === 'unknown';
  const matching = (signal: Signal) =>
    other?.signals
      .filter(({ path, kind, length }) => path === signal.path && kind === signal.kind && length > 0)
      .find((found) => isUnknown(found) === isUnknown(signal));
  const views = stacks.map((stack) =>
    stackView(stack, matching, colorOf, (shown) => {
      if (stack !== main) return;
      clearTimeout(due);
      due = setTimeout(() => showHistograms(shown), histogramDelayMs);
    }),
  );
  const replay = views[0] && transport(views[0], main.axis);
  element.append(
    h(
      'div.bar-of-trip',
      replay?.element,
      placementSwitch(trip, placement, events),
      compareChoice(trip, other, candidates, zone, events),
    ),
    ...(other ? [comparison(trip, other, zone)] : []),
    ...views.map(({ element }) => element),
    h('h3', 'How often each value occurs, in the part that is shown'),
    histograms,
    twin('Keys', keys),
  );
  // For measurements: the lanes are on the screen once the frame is over.
  requestAnimationFrame(() => setTimeout(() => performance.mark('lanes')));

  return {
    element,
    redraw: () => {
      for (const { tracks } of views) tracks.redraw();
    },
    destroy: () => {
      clearTimeout(due);
      replay?.stop();
      for (const { tracks } of views) tracks.destroy();
    },
  };
}

/** Day and times of a trip in the zone. */
function nameOf(trip: Trip, zone: string): string {
  return `${dayInWords(dayOf(trip.startTime, zone))}, ${timesOf(trip, zone)}`;
}

function emptyInWords(trip: Trip): string {
  if (trip.signals.length === 0) return 'This trip has a start and no signals. There is nothing to draw.';
  return 'Every array of this trip is empty. There is nothing to draw.';
}

function facts(trip: Trip): HTMLElement {
  const lengths = [...new Set(trip.signals.map(({ length }) => length))].sort((a, b) => b - a);
  const rows = [
    ['Length', durationInWords(trip.durationMs)],
    ['Distance', distanceInWords(trip.distance) ?? 'unknown'],
    ['Samples per signal', lengths.map(valueInWords).join(', ') || 'none'],
    ['Series', trip.series.join(' + ')],
    ['Vehicle', trip.vehicle],
  ] as const;
  return h('dl.facts', ...rows.map(([name, text]) => h('div', h('dt', name), h('dd', text))));
}

function badges(trip: Trip): HTMLElement {
  const items = badgesOf(trip).map(({ kind, label, explanation }) =>
    h('li', h(`span.badge.${kind}`, label), h('span', explanation)),
  );
  return h('ul.badge-list', { 'aria-label': 'Good to know' }, ...items);
}

function placementSwitch(trip: Trip, placement: Placement, events: TripPageEvents): HTMLElement {
  const canBeTimed = trip.signals.some(({ timeBasis }) => timeBasis !== 'unknown');
  const option = (value: Placement, text: string) => {
    const isChosen = value === (canBeTimed ? placement : 'index');
    const disabled = value === 'time' && !canBeTimed;
    return h('button', { 'aria-pressed': String(isChosen), disabled, onclick: () => events.place(value) }, text);
  };
  return h(
    'span',
    { role: 'group', 'aria-label': 'Horizontal axis' },
    option('time', 'Assumed time'),
    ' ',
    option('index', 'Sample index'),
  );
}

function compareChoice(
  trip: Trip,
  other: Trip | undefined,
  candidates: readonly Trip[],
  zone: string,
  events: TripPageEvents,
): HTMLElement {
  const options = candidates
    .filter(({ id }) => id !== trip.id)
    .map((one) => h('option', { value: startOf(one), selected: one.id === other?.id }, nameOf(one, zone)));
  const select = h('select', h('option', { value: '' }, 'no other trip'), ...options);
  select.addEventListener('change', () => events.compare(select.value || undefined));
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
    h('p.legend', h('span'), name, h('span.ghost'), otherName),
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
  const words = [found.low, Number(mean.toPrecision(5)), found.high].map(valueInWords);
  return `${words.join(' / ')} ${signal.unit}`;
}

function keys(): Node {
  return table(
    'In lanes and bands, and their buttons',
    ['Key', 'What it does'],
    [
      ['← →', 'Move the playhead by one sample (when it has the focus)'],
      ['+ −', 'Zoom in and out around the playhead'],
      ['[ ]', 'Show an earlier or a later part'],
      ['0', 'Show the whole trip'],
      ['Drag', 'Zoom to what was dragged over'],
      ['Double click', 'Show the whole trip'],
      ['Ctrl + wheel', 'Zoom around the pointer'],
      ['Shift + wheel', 'Move earlier or later'],
    ],
  );
}
