// The facts and the moments of a trip, as the page shows them.
import type { Fact, Moment } from '@vehicle-data/client/facts';
import { factsOf, momentsOf, momentValues, momentWords } from '../trip/facts.js';
import type { Trip } from '../trip/trip.js';
import { clockOf, counted, durationInWords, valueInWords } from '../trip/words.js';
import { h, table, twin } from './element.js';

const basisNames = { sent: 'sent', derived: 'derived', 'assumed-time': 'assumed time' } as const;

/** Facts with where each comes from; how far it may be off is in its title, and in the table. */
export function factList(trip: Trip, further: Readonly<Record<string, string>>): HTMLElement {
  const { distance, duration, averageSpeed, topSpeed, standing, longestStop, unbelted } = factsOf(trip);
  const facts: readonly (readonly [name: string, fact: Fact, inWords: (value: number) => string])[] = [
    ['Length', { ...duration, value: duration.value ?? 0 }, durationInWords],
    ['Distance', distance, (km) => `${rounded(km, 1)} km`],
    ['Average speed', averageSpeed, (kmh) => `${rounded(kmh, 0)} km/h`],
    ['Top speed', topSpeed, (kmh) => `${rounded(kmh, 0)} km/h`],
    ['Standing', standing, seconds],
    ['Longest stop', longestStop, seconds],
    ['Unbelted', unbelted, seconds],
  ];
  const known = facts.filter(([, { value }]) => value !== null);
  const items = known.map(([name, { value, low, high, basis }, inWords]) => {
    const words = (one: number | null) => (one === null ? 'unknown' : inWords(one));
    const title = basis === 'sent' ? 'As the API sent it' : `Between ${words(low)} and ${words(high)}`;
    return h('div', { title }, h('dt', `${name} `, h('span.basis', basisNames[basis])), h('dd', inWords(value ?? 0)));
  });
  const others = Object.entries(further).map(([name, text]) => h('div', h('dt', name), h('dd', text)));
  const rows = () =>
    known.map(([name, { value, low, high, unit, basis }]) =>
      [name, value, low, high, unit, basisNames[basis]].map((cell) =>
        typeof cell === 'number' ? valueInWords(cell) : (cell ?? 'unknown'),
      ),
    );
  return h(
    'div',
    h('dl.facts', ...items, ...others),
    twin('Facts with their bounds', () =>
      table('Least and most that each can be', ['', 'Value', 'Least', 'Most', 'Unit', 'Basis'], rows()),
    ),
  );
}

/** The moments of a trip, each of which shows its place in the lanes. */
export function momentList(trip: Trip, jump: (moment: Moment) => void): HTMLElement {
  const all = momentsOf(trip);
  const shown = all.slice(0, mostMoments);
  const items = shown.map((moment) => {
    const [sign, name] = momentWords[moment.kind];
    const at =
      moment.startTime === null
        ? `sample ${valueInWords(moment.from)}`
        : clockOf(Math.round((moment.startTime - trip.startTime) / 1000) * 1000);
    const button = h(
      'button.moment',
      { onclick: () => jump(moment) },
      h('span.sign', { 'aria-hidden': 'true' }, sign),
      h('span', `${at} ${name}`),
      h('span.note', momentValues(moment)),
    );
    button.classList.add(moment.kind);
    return h('li', button);
  });
  const left = all.length - shown.length;
  return h(
    'section.moments',
    { 'aria-label': 'Moments' },
    h('h3', 'Moments ', h('span.note', all.length === 0 ? 'none' : counted(all.length, 'place'))),
    items.length > 0 && h('ul', ...items),
    left > 0 && h('p.note', `${counted(left, 'further one')} not listed.`),
  );
}

/** A list of more would hide the lanes. */
const mostMoments = 60;

function seconds(ms: number): string {
  return ms < 1000 ? '0 s' : durationInWords(ms);
}

function rounded(value: number, digits: number): string {
  return valueInWords(Number(value.toFixed(digits)));
}
