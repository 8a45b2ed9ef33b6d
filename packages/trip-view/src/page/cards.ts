import { bandColor } from '../colors.js';
import { histogram } from '../trip/ranges.js';
import { groupBy, memberAt } from '../trip/read.js';
import type { EnumerationSignal, NumberSignal, Signal } from '../trip/signals.js';
import { counted, valueInWords } from '../trip/words.js';
import { h, ink, table, twin } from './element.js';

/** How often each value of a signal occurs, between two of its samples, with the numbers as a table. */
export function histogramCard(signal: Signal, from: number, to: number, color: string): HTMLElement {
  const { path, description } = signal;
  const { range, drawing, head, rows } =
    signal.kind === 'number' ? numbersOf(signal, from, to, color) : sharesOf(signal, from, to);
  return h(
    'article.card',
    h('h4', signal.kind === 'number' && signal.offset ? 'Distance since the start' : description),
    h('p.note', h('code', path), ` ${range}`),
    ...drawing,
    twin('As a table', () => table(`${path}, ${counted(to - from, 'sample')}`, head, rows)),
  );
}

function numbersOf(
  { path, unit, minimum, maximum, values, offset }: NumberSignal,
  from: number,
  to: number,
  color: string,
) {
  const bins = histogram(values, from, to);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [first, last] = [bins[0], bins.at(-1)];
  const ends = first && last ? [valueInWords(first.low), `${valueInWords(last.high)} ${unit}`] : ['', 'no values'];
  // A bin with one value among thousands is still seen.
  const bars = bins.map(({ count }) =>
    h('span', { '--part': count === 0 ? '0%' : `${Math.max(2, (count / most) * 100)}%` }),
  );
  const label = `Histogram of ${path}: ${ends.join(' to ')}`;
  const hasRange = minimum !== null && maximum !== null && offset === 0;
  return {
    range: hasRange ? `range ${valueInWords(minimum)} to ${valueInWords(maximum)} ${unit}` : 'no stated range',
    drawing: [
      h('div.bins', { ...ink(color), role: 'img', 'aria-label': label }, ...bars),
      h('p.ends', ...ends.map((end) => h('span', end))),
    ],
    head: [`From (${unit})`, 'To', 'Values'],
    rows: bins.map(({ low, high, count }) => [low, high, count].map(valueInWords)),
  };
}

function sharesOf({ path, allowed, values }: EnumerationSignal, from: number, to: number) {
  const groups = groupBy(values.slice(from, to), (value) => value);
  const found = [...allowed, null].flatMap((value) => {
    const count = groups.get(value)?.length ?? 0;
    return count > 0 ? [{ value, name: value ?? 'no value', count, part: count / (to - from) }] : [];
  });
  const bars = found.map(({ value, name, part }) => {
    const bar = h('span.share', { ...ink(bandColor(allowed, value)), '--part': `${part * 100}%` });
    return h('li', h('span', name), bar, h('span', share(part)));
  });
  return {
    range: counted(allowed.length, 'value'),
    drawing: [h('ul.shares', { 'aria-label': `Shares of ${path}` }, ...bars)],
    head: ['Value', 'Samples'],
    rows: found.map(({ name, count }) => [name, valueInWords(count)]),
  };
}

/** A share in percent; what occurs is never 0, what does not fill everything never 100. */
function share(part: number): string {
  if (part > 0 && part < 0.001) return '< 0.1 %';
  if (part > 0.999 && part < 1) return '> 99.9 %';
  return `${(part * 100).toFixed(part === 1 ? 0 : 1)} %`;
}

/** The latest location in numbers, without a map: no tile is loaded from anywhere. */
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
      typeof value === 'number' && Number.isFinite(value) ? [[name, inWords(value)]] : [],
    ),
  );
  return h(
    'article.card.position',
    h('h4', 'Latest location'),
    h('p.note', 'Of the vehicle, not of a trip: trips carry no positions.'),
    !(known.has('Latitude') && known.has('Longitude')) && h('p.message', 'The vehicle reported no position.'),
    h('dl', ...[...known].flatMap(([name, words]) => [h('dt', name), h('dd', words)])),
  );
}

function ageInWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
