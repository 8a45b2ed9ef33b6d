import { memberAt } from '../trip/read.js';
import { valueInWords } from '../trip/words.js';
import { h, s } from './element.js';

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
