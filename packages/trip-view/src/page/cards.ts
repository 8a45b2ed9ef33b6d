import { histogram } from '../trip/ranges.js';
import { memberAt } from '../trip/read.js';
import type { EnumerationSignal, NumberSignal, Signal } from '../trip/signals.js';
import { counted, valueInWords } from '../trip/words.js';
import { h, inked, s, table, twin } from './element.js';

const width = 220;
const height = 76;

/** How often each value of a signal occurs, between two of its samples, with the numbers as a table. */
export function histogramCard(signal: Signal, from: number, to: number, color: number): HTMLElement {
  return signal.kind === 'number' ? numberCard(signal, from, to, color) : valueCard(signal, from, to);
}

function card(
  { path, description }: Signal,
  range: string,
  drawing: readonly Node[],
  twinOf: { readonly samples: number; readonly head: readonly string[]; readonly rows: readonly string[][] },
): HTMLElement {
  const { samples, head, rows } = twinOf;
  return h(
    'article.card',
    h('h4', h('code', path)),
    h('p.note', `${description}, ${range}`),
    ...drawing,
    twin('As a table', () => table(`${path}, ${counted(samples, 'sample')}`, head, rows)),
  );
}

function numberCard(signal: NumberSignal, from: number, to: number, color: number): HTMLElement {
  const { path, unit, minimum, maximum } = signal;
  const bins = histogram(signal.values, from, to);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const step = width / Math.max(1, bins.length);
  const [first, last] = [bins[0], bins.at(-1)];
  const ends = first && last ? [valueInWords(first.low), `${valueInWords(last.high)} ${unit}`] : ['', 'no values'];
  const bars = bins.map(({ count }, index) => {
    // A bin with one value among thousands is still seen.
    const tall = count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 4));
    return s('rect', { x: index * step + 0.5, y: height - tall, width: Math.max(0.8, step - 1), height: tall, rx: 1 });
  });
  const base = s('line', { x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 });
  const label = `Histogram of ${path}: ${ends.join(' to ')}`;
  const drawing = s('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...bars, base);
  const hasRange = minimum !== null && maximum !== null;
  return card(
    signal,
    hasRange ? `range ${valueInWords(minimum)} to ${valueInWords(maximum)} ${unit}` : 'no stated range',
    [inked(drawing, `signals-${color}`), h('p.ends', ...ends.map((end) => h('span', end)))],
    {
      samples: to - from,
      head: [`From (${unit})`, 'To', 'Values'],
      rows: bins.map(({ low, high, count }) => [low, high, count].map(valueInWords)),
    },
  );
}

function valueCard(signal: EnumerationSignal, from: number, to: number): HTMLElement {
  const { path, allowed, values } = signal;
  const counts = new Map<string | null, number>(allowed.map((value) => [value, 0]));
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const found = [...counts].filter(([, count]) => count > 0);
  const bars = found.map(([value, count]) => {
    const part = count / (to - from);
    const bar = inked(h('span.share'), `bands-${allowed.indexOf(value ?? '')}`);
    bar.style.width = `${part * 100}%`;
    return h('li', h('span', value ?? 'no value'), h('span.share-track', bar), h('span', share(part)));
  });
  return card(
    signal,
    counted(allowed.length, 'value'),
    [h('ul.shares', { 'aria-label': `Shares of ${path}` }, ...bars)],
    {
      samples: to - from,
      head: ['Value', 'Samples'],
      rows: found.map(([value, count]) => [value ?? 'no value', valueInWords(count)]),
    },
  );
}

/** A share in percent; what occurs is never 0, what does not fill everything never 100. */
function share(part: number): string {
  if (part > 0 && part < 0.001) return '< 0.1 %';
  if (part > 0.999 && part < 1) return '> 99.9 %';
  return `${(part * 100).toFixed(part === 1 ? 0 : 1)} %`;
}

/** The latest location without a map: an arrow for the heading, and the numbers. No tile is loaded from anywhere. */
export function positionCard(data: unknown, zone: string, now: number): HTMLElement {
  const location = memberAt(data, 'location');
  const speed = memberAt(location, 'speed');
  const sent = Date.parse(String(memberAt(data, 'timestamp')));
  const at = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' } as const;
  const inDegrees = (value: number) => `${value.toFixed(4)}°`;
  const facts = [
    ['Latitude', memberAt(location, 'latitude'), inDegrees],
    ['Longitude', memberAt(location, 'longitude'), inDegrees],
    ['Altitude', memberAt(location, 'altitude'), (value: number) => `${valueInWords(value)} m`],
    ['Heading', memberAt(location, 'heading'), (value: number) => `${valueInWords(value)}°`],
    ['Speed', memberAt(speed, 'value'), (value: number) => `${valueInWords(value)} ${memberAt(speed, 'unit') ?? ''}`],
    ['Sent', sent, (value: number) => new Date(value).toLocaleString('en-GB', at)],
    ['Age', now - sent, ageInWords],
  ] as const;
  const known = new Map(
    facts.flatMap(([name, value, inWords]) =>
      typeof value === 'number' && Number.isFinite(value) ? [[name, { value, words: inWords(value) }]] : [],
    ),
  );
  const heading = known.get('Heading');
  return h(
    'article.card.position',
    h('h4', 'Latest location'),
    h('p.note', 'Of the vehicle, not of a trip: trips carry no positions.'),
    !(known.has('Latitude') && known.has('Longitude')) && h('p.message', 'The vehicle reported no position.'),
    heading && compass(heading.value),
    h('dl', ...[...known].flatMap(([name, { words }]) => [h('dt', name), h('dd', words)])),
  );
}

function compass(heading: number): Element {
  return s(
    'svg',
    { viewBox: '-50 -50 100 100', class: 'compass', role: 'img', 'aria-label': `Heading ${valueInWords(heading)}°` },
    s('circle', { r: 36 }),
    s('text', { y: -38 }, 'N'),
    s('path', { d: 'M0-30L14 20L0 10L-14 20Z', transform: `rotate(${heading})` }),
  );
}

function ageInWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
