// The first screen: a month of a vehicle, day by day and trip by trip.
import type { Moment, MomentKind } from '@vehicle-data/client/facts';
import { addDays } from '#kit/calendar.js';
import { badgesOf } from '../trip/badges.js';
import { type Dated, dayOf, daysBetween, tripsByDay, zoneAt } from '../trip/calendar.js';
import { factsOf, momentsOf, momentValues, momentWords, sparkOf, strengthOf } from '../trip/facts.js';
import { ticks } from '../trip/ranges.js';
import { groupBy } from '../trip/read.js';
import type { Trip } from '../trip/trip.js';
import { counted, durationInWords, valueInWords } from '../trip/words.js';
import { hrefOf, noTrip, tripNames } from './address.js';
import { dayInWords } from './calendar-strip.js';
import { h, narrow, table, twin } from './element.js';
import { timesOf } from './trip-list.js';

/** What a month shows, and of which days the trips are read. */
export interface Month {
  /** As `yyyy-mm`. */
  readonly month: string;
  readonly trips: readonly Trip[];
  readonly isRead: (day: string) => boolean;
  /** Last day that has come. */
  readonly latest: string;
  readonly zone: string;
  /** All trips of the vehicle, where their times are known without reading them. */
  readonly all: readonly Dated[] | undefined;
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');

/** A month in words: `March 2026`. */
export const monthInWords = (month: string) => `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

/** A month so many months after another, both as `yyyy-mm`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** Days of a month, the last one not after today. */
export function daysOfMonth(month: string, today: string): readonly string[] {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  return daysBetween(`${month}-01`, last < today ? last : today);
}

const kilometers = (km: number) => `${valueInWords(Number(km.toFixed(km < 10 ? 1 : 0)))} km`;
const distanceOf = (trips: readonly Trip[]) =>
  trips.reduce((sum, trip) => sum + (factsOf(trip).distance.value ?? 0), 0);
const lengthOf = (trips: readonly Trip[]) => trips.reduce((sum, { durationMs }) => sum + durationMs, 0);

export function monthView(shown: Month): HTMLElement {
  const { month, trips, zone, latest, isRead } = shown;
  const days = daysOfMonth(month, latest);
  const byDay = tripsByDay(trips, zone);
  const own = days.flatMap((day) => byDay.get(day) ?? []);
  const names = tripNames(trips);
  const unread = days.filter((day) => !isRead(day)).length;
  const unknown = own.filter((trip) => factsOf(trip).distance.value === null).length;
  const total = [
    `${kilometers(distanceOf(own))} in ${counted(own.length, 'trip')}`,
    own.length > 0 && durationInWords(lengthOf(own)),
    unknown > 0 && `${counted(unknown, 'trip')} without a distance`,
    unread > 0 && `${counted(unread, 'day')} not read yet`,
  ];
  const later = addMonths(month, 1);
  const link = (target: string, text: string) =>
    h('a.month-link', { href: hrefOf({ ...noTrip, month: target }) }, text);
  return h(
    'section.month-view',
    { 'aria-label': 'Month' },
    h(
      'header.stack-head',
      h('div', h('h2', monthInWords(month)), h('p.note', total.filter(Boolean).join(' · '))),
      h(
        'nav.tools',
        { 'aria-label': 'Months' },
        link(addMonths(month, -1), 'Earlier'),
        later <= latest.slice(0, 7) && link(later, 'Later'),
      ),
    ),
    yearStrip(shown),
    bars(shown, days, byDay),
    extremes(own, names, zone),
    rowsOf(days, byDay, names, zone, isRead),
    twin('Days as a table', () =>
      table(
        'Trips by day',
        ['Day', 'Trips', 'Distance', 'Length of trips', 'Provisional'],
        days.map((day) => {
          const found = byDay.get(day) ?? [];
          const cells = [String(found.length), kilometers(distanceOf(found)), durationInWords(lengthOf(found))];
          const isProvisional = found.some(({ provisional }) => provisional) ? 'yes' : 'no';
          return [
            dayInWords(day),
            ...(isRead(day) ? (found.length > 0 ? cells : ['0', '–', '–']) : ['not read yet', '–', '–']),
            isProvisional,
          ];
        }),
      ),
    ),
  );
}

/** Kilometers by day with a scale, and of each week. */
function bars({ isRead }: Month, days: readonly string[], byDay: ReadonlyMap<string, readonly Trip[]>): HTMLElement {
  const distances = new Map(days.map((day) => [day, distanceOf(byDay.get(day) ?? [])]));
  const scale = ticks(0, Math.max(1, ...distances.values()), 3);
  const step = (scale[1] ?? 1) - (scale[0] ?? 0);
  const top = step * Math.ceil(Math.max(1, ...distances.values()) / step);
  const weeks = [...groupBy(days, weekOf).values()];
  const dayBar = (day: string) => {
    const found = byDay.get(day) ?? [];
    const km = distances.get(day) ?? 0;
    const isProvisional = found.some(({ provisional }) => provisional);
    const said = isRead(day)
      ? `${counted(found.length, 'trip')}${found.length > 0 ? `, ${kilometers(km)}${isProvisional ? ', provisional' : ''}` : ''}`
      : 'not read yet';
    const [weekday = '', date] = dayInWords(day).split(' ');
    // A month of links is too narrow for fingers: there, the rows are the links.
    return h(
      `${narrow().matches ? 'span' : 'a'}.month-day${isProvisional ? '.provisional' : ''}${isRead(day) ? '' : '.unread'}`,
      {
        href: !narrow().matches && hrefOf({ ...noTrip, day }),
        title: `${dayInWords(day)}: ${said}`,
      },
      h('span.km', { '--part': `${found.length > 0 ? Math.max(2, (km / top) * 100) : 0}%` }),
      h('span.date', { 'aria-hidden': 'true' }, date),
      h('span.weekday', { 'aria-hidden': 'true' }, weekday.slice(0, 2)),
    );
  };
  return h(
    'div.month-chart',
    h('div.scale', { 'aria-hidden': 'true' }, ...[top, top / 2, 0].map((km) => h('span', kilometers(km)))),
    h(
      'div.weeks',
      ...weeks.map((week) => {
        const found = week.flatMap((day) => byDay.get(day) ?? []);
        const text = found.length > 0 ? [kilometers(distanceOf(found)), counted(found.length, 'trip')] : ['–'];
        return h(
          week.length < 3 ? 'div.week.short' : 'div.week',
          { '--days': String(week.length) },
          h('div.week-days', ...week.map(dayBar)),
          h('p.note', ...text.flatMap((part) => [h('span.total', part), ' '])),
        );
      }),
    ),
    h(
      'p.legend.note',
      h('span', h('span.key.bar'), ' distance of the day'),
      h('span', h('span.key.bar.provisional'), ' provisional: may still change'),
      h('span', h('span.key.none'), ' no trip'),
      h('span', h('span.key.none.unread'), ' not read yet'),
    ),
  );
}

/** The Monday of the week of a day. */
function weekOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/** The strongest moment of each kind: one click to its place. */
function extremes(trips: readonly Trip[], names: ReadonlyMap<Trip, string>, zone: string): HTMLElement | undefined {
  const strongest = new Map<MomentKind, { readonly trip: Trip; readonly moment: Moment }>();
  const counts = new Map<MomentKind, number>();
  for (const trip of trips)
    for (const moment of momentsOf(trip)) {
      counts.set(moment.kind, 1 + (counts.get(moment.kind) ?? 0));
      const known = strongest.get(moment.kind);
      if (!known || strengthOf(moment) > strengthOf(known.moment)) strongest.set(moment.kind, { trip, moment });
    }
  if (strongest.size === 0) return undefined;
  const items = (Object.keys(momentWords) as MomentKind[]).flatMap((kind) => {
    const found = strongest.get(kind);
    if (!found) return [];
    const { trip, moment } = found;
    const [sign, name] = momentWords[kind];
    const day = dayOf(trip.startTime, zone);
    const link = h(
      'a.moment',
      { href: hrefOf({ ...noTrip, day, trip: names.get(trip), ...placeOf(trip, moment) }) },
      h('span.sign', { 'aria-hidden': 'true' }, sign),
      h('span', `${name} `, h('span.note', `${counts.get(kind)} ×`)),
      h('span.note', `strongest: ${momentValues(moment)}, ${dayInWords(day)}`),
    );
    return h('li', link);
  });
  return h(
    'section.moments',
    { 'aria-label': 'Moments of the month' },
    h('h3', 'Moments of the month'),
    h('ul', ...items),
  );
}

/** The part of a trip around a moment, for an address. */
function placeOf(trip: Trip, { startTime, endTime, from, to }: Moment) {
  const [start, end] =
    startTime === null || endTime === null ? [from, to] : [startTime - trip.startTime, endTime - trip.startTime];
  const around = Math.max((end - start) * 2, startTime === null ? 30 : 30_000);
  return { from: Math.max(0, start - around), to: end + around, at: start };
}

/** A row for each trip: when, how far, how long, its speed, and its moments. */
function rowsOf(
  days: readonly string[],
  byDay: ReadonlyMap<string, readonly Trip[]>,
  names: ReadonlyMap<Trip, string>,
  zone: string,
  isRead: (day: string) => boolean,
): HTMLElement {
  const groups = days.toReversed().flatMap((day) => {
    const found = byDay.get(day) ?? [];
    if (found.length === 0) return [];
    const heading = h(
      'h3',
      dayInWords(day),
      ' ',
      h('span.note', `${kilometers(distanceOf(found))}, ${counted(found.length, 'trip')}`),
    );
    return [heading, h('ul.rows', ...found.map((trip) => h('li', rowOf(trip, day, names.get(trip), zone))))];
  });
  const none = days.every(isRead) ? 'No trip starts in this month.' : '';
  return h(
    'section.trip-rows',
    { 'aria-label': 'Trips of the month' },
    ...(groups.length > 0 ? groups : [h('p.note', none)]),
  );
}

function rowOf(trip: Trip, day: string, name: string | undefined, zone: string): HTMLElement {
  const counts = groupBy(momentsOf(trip), ({ kind }) => kind);
  const signs = [...counts].map(([kind, all]) => {
    const [sign, words] = momentWords[kind];
    const title = `${words}: ${counted(all.length, 'moment')}`;
    return h('span.sign', { title, role: 'img', 'aria-label': title }, sign);
  });
  const badges = badgesOf(trip)
    .filter(({ kind }) => kind !== 'time-assumed' && kind !== 'sentinel')
    .map(({ kind, label, explanation }) => h(`span.badge.${kind}`, { title: explanation }, label));
  const { value } = factsOf(trip).distance;
  return h(
    'a.trip-row',
    { id: name, href: hrefOf({ ...noTrip, day, trip: name }) },
    h('span', h('span.trip-time', timesOf(trip, zone)), ' ', h('span.note', zoneAt(trip.startTime, zone))),
    h('span', value === null ? 'distance unknown' : kilometers(value)),
    h('span', durationInWords(trip.durationMs)),
    spark(trip),
    h('span.signs', ...signs),
    h('span.badges', ...badges),
  );
}

/** The derived speed of a trip as a small picture. */
function spark(trip: Trip): Element {
  const values = sparkOf(trip, 48);
  if (values.length === 0) return h('span.note', 'no speed');
  const top = Math.max(1, ...values);
  const bars = values.map((kmh) => h('span', { '--part': `${(kmh / top) * 100}%` }));
  const label = `Speed, derived: up to ${valueInWords(Math.round(top))} km/h`;
  return h('span.spark', { role: 'img', 'aria-label': label, title: label }, ...bars);
}

/** A year as a heat strip of the time in trips, where all trips are known: each day is a cell, each month a link. */
function yearStrip({ all, month, zone, latest }: Month): HTMLElement | undefined {
  if (all === undefined) return undefined;
  const byDay = tripsByDay(all, zone);
  // A year that ends with the newest trip, unless the month is before it.
  const newest = [...byDay.keys()].findLast((day) => day <= latest)?.slice(0, 7) ?? month;
  const last = newest < month || addMonths(newest, -11) > month ? month : newest;
  const months = Array.from({ length: 12 }, (_, index) => addMonths(last, index - 11));
  if ([...byDay.keys()].every((day) => day.startsWith(month))) return undefined;
  const hoursOf = (day: string) =>
    (byDay.get(day) ?? []).reduce((sum, { durationMs }) => sum + durationMs, 0) / 3_600_000;
  const parts = months.map((one) => {
    const days = daysOfMonth(one, latest);
    const hours = days.reduce((sum, day) => sum + hoursOf(day), 0);
    const text = `${monthInWords(one)}: ${valueInWords(Number(hours.toFixed(1)))} h in trips`;
    const cells = days.map((day) => h('span', { '--part': `${Math.min(1, hoursOf(day) / 3) * 100}%` }));
    return h(
      'a.heat',
      {
        href: hrefOf({ ...noTrip, month: one }),
        title: text,
        'aria-current': one === month && 'date',
      },
      h('span.cells', { 'aria-hidden': 'true' }, ...cells),
      h('span.note', { 'aria-hidden': 'true' }, (monthNames[Number(one.slice(5)) - 1] ?? '').slice(0, 3)),
    );
  });
  return h(
    'section.year',
    { 'aria-label': 'Twelve months' },
    h('div.heats', ...parts),
    h('p.note', 'Time in trips by day, up to three hours for the strongest color. Provisional days count.'),
  );
}
