import { valueInWords } from '../trip/words.js';
import { h, s } from './element.js';
import { memberAt } from './member.js';

/** The latest location without a map: a grid of degrees, the heading, and the numbers. No tile is loaded from anywhere. */
export function positionCard(data: unknown, zone: string, now: number): HTMLElement {
  const location = memberAt(data, 'location');
  const [latitude, longitude] = [numberAt(location, 'latitude'), numberAt(location, 'longitude')];
  const facts: [string, string][] = [];
  if (latitude !== undefined) facts.push(['Latitude', `${latitude.toFixed(4)}°`]);
  if (longitude !== undefined) facts.push(['Longitude', `${longitude.toFixed(4)}°`]);
  const altitude = numberAt(location, 'altitude');
  if (altitude !== undefined) facts.push(['Altitude', `${valueInWords(altitude)} m`]);
  const heading = numberAt(location, 'heading');
  if (heading !== undefined) facts.push(['Heading', `${valueInWords(heading)}°`]);
  const speed = memberAt(location, 'speed');
  const value = numberAt(speed, 'value');
  if (value !== undefined) facts.push(['Speed', `${valueInWords(value)} ${String(memberAt(speed, 'unit') ?? '')}`]);
  const sent = Date.parse(String(memberAt(data, 'timestamp')));
  if (Number.isFinite(sent)) {
    facts.push([
      'Sent',
      new Date(sent).toLocaleString('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }),
    ]);
    facts.push(['Age', ageInWords(now - sent)]);
  }
  const place = latitude !== undefined && longitude !== undefined ? drawing(latitude, longitude, heading) : undefined;
  return h(
    'article',
    { class: 'card position' },
    h('h4', {}, 'Latest location'),
    h('p', { class: 'note' }, 'Of the vehicle, not of a trip: trips carry no positions.'),
    place ?? h('p', { class: 'message' }, 'The vehicle reported no position.'),
    h('dl', {}, ...facts.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)])),
  );
}

function drawing(latitude: number, longitude: number, heading: number | undefined): Element {
  const size = 160;
  const middle = size / 2;
  const cell = 32;
  // Lines of a hundredth of a degree, where they really are.
  const offset = (value: number) => ((((value * 100) % 1) + 1) % 1) * cell;
  const lines = Array.from({ length: 7 }, (_, index) => (index - 3) * cell);
  return s(
    'svg',
    {
      viewBox: `0 0 ${size} ${size}`,
      class: 'place',
      role: 'img',
      'aria-label': `Position ${latitude.toFixed(4)}, ${longitude.toFixed(4)}; lines are 0.01° apart`,
    },
    ...lines.flatMap((line) => [
      s('line', {
        x1: middle + line - offset(longitude),
        x2: middle + line - offset(longitude),
        y1: 0,
        y2: size,
      }),
      s('line', {
        x1: 0,
        x2: size,
        y1: middle - line + offset(latitude),
        y2: middle - line + offset(latitude),
      }),
    ]),
    heading === undefined
      ? undefined
      : s('path', {
          d: `M${middle} ${middle - 26}L${middle + 9} ${middle + 2}L${middle} ${middle - 5}L${middle - 9} ${middle + 2}Z`,
          transform: `rotate(${heading} ${middle} ${middle})`,
        }),
    s('circle', { cx: middle, cy: middle, r: 5 }),
  );
}

function ageInWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

function numberAt(value: unknown, name: string): number | undefined {
  const found = memberAt(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
