import type { Moment } from '@vehicle-data/client/facts';
import { colorOf } from '../colors.js';
import { badgesOf, lengthsOf } from '../trip/badges.js';
import { dayOf } from '../trip/calendar.js';
import { derivedSpeedOf, momentsOf } from '../trip/facts.js';
import { extremesOf } from '../trip/ranges.js';
import { defectRuns, type Signal } from '../trip/signals.js';
import { isUntimed, type Placement, stacksOf, stepOf } from '../trip/stacks.js';
import type { View } from '../trip/trace.js';
import type { Trip } from '../trip/trip.js';
import { counted, distanceInWords, durationInWords, valueInWords } from '../trip/words.js';
import { noPart, noteAddress, tripNames, writeAddress } from './address.js';
import { dayInWords } from './calendar-strip.js';
import { histogramCard } from './cards.js';
import { drawLater } from './charts.js';
import { h, ink, narrow, table, twin } from './element.js';
import { type StackState, type StackView, stackView } from './stack-view.js';
import { takeAlong } from './take-along.js';
import { factList, momentList } from './trip-facts.js';
import { timesOf } from './trip-list.js';

/** Histograms follow lanes and zoom, once these rest. */
const histogramDelayMs = 160;
const replayMs = 20_000;

/**
 * Makes the page of one trip: facts, moments, badges, lanes, bands and histograms; with another trip behind it if one is compared.
 *
 * @param state what the lanes show at first
 * @param readDay reads the trips of a further day to compare with; undefined where all are read
 */
export function tripPage(
  trip: Trip,
  other: Trip | undefined,
  candidates: readonly Trip[],
  placement: Placement,
  zone: string,
  state: StackState,
  readDay: ((day: string) => void) | undefined,
): HTMLElement {
  const drawn = withSpeed(trip);
  const stacks = stacksOf(drawn, placement);
  const element = h('article.trip', { 'aria-label': 'Trip' }, h('h2', `${nameOf(trip, zone)} `, h('span.note', zone)));
  const facts = [factList(trip, furtherFacts(trip)), badges(trip)];
  const [main] = stacks;
  if (main === undefined) {
    const reason =
      trip.signals.length === 0 ? 'This trip has a start and no signals' : 'Every array of this trip is empty';
    element.append(...facts, h('p.message', `${reason}. There is nothing to draw.`));
    return element;
  }
  const histograms = h('div.cards');
  let due: ReturnType<typeof setTimeout> | undefined;
  let areLanesShown = false;
  let shown: View = { from: 0, to: main.extent };
  const showHistograms = () => {
    const { from, to } = shown;
    const cards = main.signals.map((signal) => {
      const step = stepOf(main.axis, signal);
      const end = Math.min(signal.length, Math.ceil(to / step + 1e-9));
      return histogramCard(signal, Math.max(0, Math.ceil(from / step - 1e-9)), end, colorOf(signal));
    });
    histograms.replaceChildren(...cards);
  };
  // Samples of a known and of an unknown time have no axis in common.
  const others = other ? stacksOf(withSpeed(other), placement) : [];
  const matching = (axis: Placement) => (signal: Signal) =>
    others
      .filter((stack) => stack.axis === axis)
      .flatMap(({ signals }) => signals)
      .filter(({ path, kind }) => path === signal.path && kind === signal.kind)
      .find((found) => isUntimed(found) === isUntimed(signal));
  const views = stacks.map((stack) =>
    stackView(stack, matching(stack.axis), colorOf, stack === main ? state : {}, (view, now) => {
      if (stack !== main) return;
      shown = view;
      // A page that was replaced says nothing about its successor.
      if (element.isConnected) noteAddress(now);
      clearTimeout(due);
      // Those of the first lanes wait for these to be seen: of a long trip, they take as long.
      if (areLanesShown) due = setTimeout(showHistograms, histogramDelayMs);
    }),
  );
  const jump = ({ signals, from, to, startTime, endTime }: Moment) => {
    const view = views.find((one) => one.signals.some(({ path }) => path === signals[0])) ?? views[0];
    if (view?.axis === 'time' && startTime !== null && endTime !== null)
      view.jumpTo(startTime - trip.startTime, endTime - trip.startTime);
    else if (view?.axis === 'index') view.jumpTo(from, to);
    // Over the distance, samples have other places.
    else writeAddress({ placement: 'index', ...noPart, at: from, from: Math.max(0, from - 30), to: to + 30 });
  };
  const choices = [placementSwitch(trip, placement), compareChoice(trip, other, candidates, zone, readDay)];
  element.append(
    aboutTrip(trip, ...facts, momentList(trip, jump)),
    h('div.bar-of-trip', views[0] && replay(views[0]), ...choices),
    ...(other ? [comparison(trip, other, zone)] : []),
    ...views.map(({ element }) => element),
    views[0] ? takeAlong(drawn, views[0]) : h('div'),
    h('h3', 'How often each value occurs, in the part that is shown'),
    histograms,
  );
  requestAnimationFrame(() =>
    setTimeout(() => {
      // For measurements: the lanes are on the screen.
      performance.mark('lanes');
      areLanesShown = true;
      drawLater(showHistograms);
    }),
  );
  return element;
}

/** What is above the lanes. On a narrow screen it is folded, so that the lanes begin on the first screen. */
function aboutTrip(trip: Trip, ...parts: readonly Node[]): HTMLElement {
  const count = momentsOf(trip).length;
  const summary = `Facts${count > 0 ? ` and ${counted(count, 'moment')}` : ''}`;
  return h('details.about', { open: !narrow().matches }, h('summary', summary), ...parts);
}

function nameOf(trip: Trip, zone: string): string {
  return `${dayInWords(dayOf(trip.startTime, zone))}, ${timesOf(trip, zone)}`;
}

function furtherFacts(trip: Trip): Readonly<Record<string, string>> {
  return {
    'Samples per signal': lengthsOf(trip.signals).map(valueInWords).join(', ') || 'none',
    Series: trip.series.join(' + '),
    Vehicle: trip.vehicle,
  };
}

/** The trip with its derived speed as a further signal, where it can be trusted. */
function withSpeed(trip: Trip): Trip {
  const speed = derivedSpeedOf(trip);
  const like = trip.signals.find(({ path }) => path === 'acceleration.longitudinal');
  if (speed === null || like === undefined) return trip;
  const values = speed.values.map((kmh) => Math.round(Math.abs(kmh) * 10) / 10);
  const defects = like.defects.length > 0 ? defectRuns(values, like.raw, 'number') : [];
  const signal: Signal = {
    kind: 'number',
    path: 'speed',
    description: 'Speed, derived',
    unit: 'km/h',
    length: values.length,
    values,
    raw: Array.from(values),
    defects,
    counts: like.counts,
    timeBasis: like.timeBasis,
    stepMs: like.stepMs,
    minimum: null,
    maximum: null,
    offset: 0,
  };
  return { ...trip, signals: [signal, ...trip.signals] };
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
  const hasDistance = derivedSpeedOf(trip) !== null;
  const option = (value: Placement, text: string) => {
    const isChosen = value === (isUnknown ? 'index' : placement === 'distance' && !hasDistance ? 'time' : placement);
    const disabled = (value === 'time' && isUnknown) || (value === 'distance' && !hasDistance);
    const onclick = () => writeAddress({ placement: value, ...noPart });
    return h('button', { id: `axis-${value}`, 'aria-pressed': String(isChosen), disabled, onclick }, text);
  };
  const options = [
    option('time', 'Assumed time'),
    ' ',
    option('index', 'Sample index'),
    ' ',
    option('distance', 'Distance'),
  ];
  return h('span', { role: 'group', 'aria-label': 'Horizontal axis' }, ...options);
}

function compareChoice(
  trip: Trip,
  other: Trip | undefined,
  candidates: readonly Trip[],
  zone: string,
  readDay: ((day: string) => void) | undefined,
): HTMLElement {
  const names = tripNames(candidates);
  const options = candidates
    .filter((one) => one !== trip)
    .map((one) => h('option', { value: names.get(one), selected: one === other }, nameOf(one, zone)));
  const select = h('select', { id: 'compare' }, h('option', { value: '' }, 'no other trip'), ...options);
  const day = dayOf(trip.startTime, zone);
  select.addEventListener('change', () =>
    writeAddress({ day, trip: names.get(trip), compare: select.value || undefined }),
  );
  const further = h('input', { id: 'compare-day', type: 'date', max: '9999-12-29' });
  further.addEventListener('change', () => further.value && readDay?.(further.value));
  return h(
    'span.compare',
    h('label', 'Compare with ', select),
    readDay && h('label', ' Also offer the trips of ', further),
  );
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
  const { offset } = signal;
  const known = signal.values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const words = [found.low, mean, found.high].map((value) => valueInWords(Number((value + offset).toPrecision(9))));
  return `${words.join(' / ')} ${signal.unit}`;
}
