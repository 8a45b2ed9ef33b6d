import { badgesOf } from '../trip/badges.js';
import { dayOf, lastTime, timeOfDay } from '../trip/calendar.js';
import type { Trip } from '../trip/trip.js';
import { counted, distanceInWords, durationInWords } from '../trip/words.js';
import { hrefOf, noTrip, tripNames } from './address.js';
import { dayInWords } from './calendar-strip.js';
import { h } from './element.js';

export function tripList(day: string, trips: readonly Trip[], zone: string, selected: Trip | undefined): HTMLElement {
  const items = [...tripNames(trips)].map(([trip, id]) => {
    const facts = [durationInWords(trip.durationMs), distanceInWords(trip.distance)];
    // What holds for every trip is left to the page of the trip.
    const badges = badgesOf(trip).filter(({ kind }) => kind !== 'time-assumed');
    const labels = badges.map(({ kind, label, explanation }) => h(`span.badge.${kind}`, { title: explanation }, label));
    const link = h(
      'a.trip-card',
      { id, href: hrefOf({ ...noTrip, day, trip: id }), 'aria-current': trip === selected && 'true' },
      h('span.trip-time', timesOf(trip, zone)),
      h('span.note', facts.filter((fact) => fact !== undefined).join(' · ')),
      h(
        'span.note',
        { title: trip.signals.map(({ path }) => path).join(', ') },
        counted(trip.signals.length, 'signal'),
      ),
      h('span.badges', ...labels),
    );
    return h('li', link);
  });
  return h(
    'section.trip-list',
    { 'aria-label': 'Trips of the day' },
    h('h2', `${dayInWords(day)} `, h('span.note', counted(trips.length, 'trip'))),
    items.length === 0 ? h('p.message', 'No trip starts on this day.') : h('ul', ...items),
  );
}

/** Start and end of a trip in the zone, the end with its day if that is another; no end without a length or past the calendar. */
export function timesOf({ startTime, durationMs }: Trip, zone: string): string {
  const endTime = startTime + durationMs;
  const start = timeOfDay(startTime, zone);
  if (durationMs === 0 || endTime > lastTime) return start;
  const [day, end] = [dayOf(endTime, zone), timeOfDay(endTime, zone)];
  return day === dayOf(startTime, zone) ? `${start} – ${end}` : `${start} – ${dayInWords(day)}, ${end}`;
}
