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
import { StackView } from './stack-view.js';
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

/** The page of one trip: facts, badges, lanes, bands and histograms; with another trip behind it if one is compared. */
export class TripPage {
  readonly element: HTMLElement;
  readonly #stacks: StackView[] = [];
  readonly #stops: (() => void)[] = [];

  constructor(
    trip: Trip,
    other: Trip | undefined,
    candidates: readonly Trip[],
    placement: Placement,
    zone: string,
    events: TripPageEvents,
  ) {
    const numbers = trip.signals.filter(({ kind }) => kind === 'number');
    const colorOf = (signal: Signal) =>
      Math.max(
        0,
        numbers.findIndex(({ path }) => path === signal.path),
      ) % 8;
    const stacks = stacksOf(trip, placement);
    const histograms = h('div', { class: 'cards' });
    this.element = h(
      'article',
      { class: 'trip', 'aria-label': 'Trip' },
      h('h2', { tabindex: -1, id: 'trip' }, `${dayInWords(dayOf(trip.startTime, zone))}, ${timesOf(trip, zone)}`),
      facts(trip),
      badges(trip),
    );
    if (stacks.length === 0) {
      this.element.append(h('p', { class: 'message' }, emptyInWords(trip)));
      return;
    }
    const bar = h('div', { class: 'bar-of-trip' });
    this.element.append(bar);
    if (other) this.element.append(comparison(trip, other, zone));
    for (const [index, stack] of stacks.entries()) {
      const matching = (signal: Signal): Signal | undefined => {
        const found = other?.signals.find(({ path, kind }) => path === signal.path && kind === signal.kind);
        // On the time axis a signal of unknown time has no place.
        return found && found.length > 0 && (stack.axis === 'index' || found.timeBasis !== 'unknown')
          ? found
          : undefined;
      };
      let due: ReturnType<typeof setTimeout> | undefined;
      const view = new StackView(stack, matching, colorOf, ({ from, to }) => {
        clearTimeout(due);
        due = setTimeout(() => {
          if (index > 0) return;
          histograms.replaceChildren(
            ...[...stack.lanes.flatMap(({ signals }) => signals), ...stack.bands].map((signal: Signal) => {
              const step = stepOf(stack.axis, signal);
              const first = Math.max(0, Math.ceil(from / step - 1e-9));
              return histogramCard(
                signal,
                first,
                Math.min(signal.length, Math.ceil(to / step + 1e-9)),
                colorOf(signal),
              );
            }),
          );
        }, histogramDelayMs);
      });
      this.#stacks.push(view);
      this.#stops.push(() => clearTimeout(due));
      this.element.append(view.element);
    }
    const [first] = this.#stacks;
    if (first) {
      const replay = transport(first, stacks[0]?.axis ?? 'index');
      this.#stops.push(replay.stop);
      bar.append(replay.element);
    }
    bar.append(placementSwitch(trip, placement, events), compareChoice(trip, other, candidates, zone, events));
    this.element.append(h('h3', {}, 'How often each value occurs, in the part that is shown'), histograms);
    this.element.append(twin('Keys', keys));
    // For measurements: the lanes are on the screen once the frame is over.
    requestAnimationFrame(() => setTimeout(() => performance.mark('lanes')));
  }

  redraw(): void {
    for (const stack of this.#stacks) stack.redraw();
  }

  destroy(): void {
    for (const stop of this.#stops) stop();
    for (const stack of this.#stacks) stack.destroy();
  }
}

function emptyInWords(trip: Trip): string {
  if (trip.signals.length === 0) return 'This trip has a start and no signals. There is nothing to draw.';
  return 'Every array of this trip is empty. There is nothing to draw.';
}

function facts(trip: Trip): HTMLElement {
  const lengths = [...new Set(trip.signals.map(({ length }) => length))].sort((a, b) => b - a);
  const rows: [string, string][] = [
    ['Length', durationInWords(trip.durationMs)],
    ['Distance', distanceInWords(trip.distance) ?? 'unknown'],
    ['Samples per signal', lengths.length === 0 ? 'none' : lengths.map((length) => valueInWords(length)).join(', ')],
    ['Series', trip.series.join(' + ')],
    ['Vehicle', trip.vehicle],
  ];
  return h('dl', { class: 'facts' }, ...rows.map(([name, text]) => h('div', {}, h('dt', {}, name), h('dd', {}, text))));
}

function badges(trip: Trip): HTMLElement {
  return h(
    'ul',
    { class: 'badge-list', 'aria-label': 'Good to know' },
    ...badgesOf(trip).map(({ kind, label, explanation }) =>
      h('li', {}, h('span', { class: `badge ${kind}` }, label), h('span', {}, explanation)),
    ),
  );
}

function placementSwitch(trip: Trip, placement: Placement, events: TripPageEvents): HTMLElement {
  const placeable = trip.signals.some(({ timeBasis }) => timeBasis !== 'unknown');
  const option = (value: Placement, text: string) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': String(value === (placeable ? placement : 'index')),
        disabled: value === 'time' && !placeable,
        onclick: () => events.place(value),
      },
      text,
    );
  return h(
    'span',
    { class: 'switch', role: 'group', 'aria-label': 'Horizontal axis' },
    option('time', 'Assumed time'),
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
  const select = h(
    'select',
    { onchange: () => events.compare(select.value === '' ? undefined : select.value) },
    h('option', { value: '' }, 'no other trip'),
    ...candidates
      .filter(({ id }) => id !== trip.id)
      .map((candidate) =>
        h(
          'option',
          { value: startOf(candidate), selected: candidate.id === other?.id },
          `${dayInWords(dayOf(candidate.startTime, zone))}, ${timesOf(candidate, zone)}`,
        ),
      ),
  );
  return h('label', { class: 'compare' }, 'Compare with ', select);
}

/** Both trips side by side in numbers. */
function comparison(trip: Trip, other: Trip, zone: string): HTMLElement {
  const name = (one: Trip) => `${dayInWords(dayOf(one.startTime, zone))}, ${timesOf(one, zone)}`;
  const distance = (one: Trip) => distanceInWords(one.distance) ?? 'unknown';
  const paths = [
    ...new Set([...trip.signals, ...other.signals].filter(({ kind }) => kind === 'number').map(({ path }) => path)),
  ];
  const rows = [
    ['Length', durationInWords(trip.durationMs), durationInWords(other.durationMs)],
    ['Distance', distance(trip), distance(other)],
    ...paths.map((path) => [path, spanOf(trip, path), spanOf(other, path)]),
  ];
  return h(
    'section',
    { class: 'comparison', 'aria-label': 'Comparison' },
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'line-a' }),
      `${name(trip)} `,
      h('span', { class: 'line-b' }),
      name(other),
    ),
    twin('Both trips in numbers', () =>
      table('Lowest, mean and highest value of each signal', ['', name(trip), name(other)], rows),
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
  return `${valueInWords(found.low)} / ${valueInWords(Number(mean.toPrecision(5)))} / ${valueInWords(found.high)} ${signal.unit}`;
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
