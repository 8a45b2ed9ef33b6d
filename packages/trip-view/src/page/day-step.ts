// A day: the strip of days, the trips of the day, and one of them with the one that it is compared with.
import { addDays, daysFrom } from '#kit/calendar.js';
import { calendar, type Dated, dayOf, earlierOf, lastTime, laterOf, mostDays, tripsByDay } from '../trip/calendar.js';
import { counted } from '../trip/words.js';
import { type Address, hrefOf, noTrip, tripNames } from './address.js';
import { calendarStrip } from './calendar-strip.js';
import { h } from './element.js';
import { monthInWords } from './month-view.js';
import type { Shelf } from './shelf.js';
import { SourceError } from './source/source.js';
import type { App, Step } from './step.js';
import { tripList } from './trip-list.js';
import { tripPage } from './trip-page.js';

/** Days of the strip before a reader asks for earlier ones. */
export const stripDays = 28;

/** Shows the day that an address names, or the last one, and reads what it needs. */
export async function followDay(app: App, { shelf, address, today, isForced, isNewest }: Step): Promise<void> {
  const { screen, zone } = app;
  const { status, keepFocus } = screen;
  const lastDay = () => {
    const days = [...tripsByDay(shelf.index ?? shelf.trips, zone).keys()];
    // A trip of a clock that was wrong is not where a reader begins.
    return days.findLast((day) => day <= addDays(today, 1)) ?? days.at(-1) ?? today;
  };
  const showTrips = (day: string) => {
    status.textContent = '';
    keepFocus(() => {
      showCalendar(app, shelf, day, today);
      showDay(app, shelf, day, address);
    });
  };
  // An address can be of a reader in another zone, and the trip of the day before or after there.
  const time = Date.parse(address.trip?.slice(0, 24) ?? '');
  const named = Math.abs(time) <= lastTime ? dayOf(time, zone) : address.day;
  const day = named ?? lastDay();
  const shown = shelf.windowOf(day) && shelf.trips;
  if (shown) showTrips(day);
  if (shelf.isStale(day, isForced)) {
    if (isForced || !shown) status.textContent = 'Reading trips…';
    await shelf.read(day);
    await screen.released();
    if (!isNewest()) return;
    status.textContent = '';
    if (shelf.trips !== shown) showTrips(shown ? day : (named ?? lastDay()));
  }
  // The trip that it is compared with can be of a day that was not read yet.
  const otherTime = Date.parse(address.compare?.slice(0, 24) ?? '');
  const otherDay = Math.abs(otherTime) <= lastTime ? dayOf(otherTime, zone) : undefined;
  if (otherDay !== undefined && shelf.isStale(otherDay, false)) {
    await shelf.read(otherDay);
    await screen.released();
    if (!isNewest()) return;
    showTrips(day);
  }
}

function showCalendar(app: App, shelf: Shelf, selected: string, today: string): void {
  const { screen, zone } = app;
  const { calendarPlace, keepFocus } = screen;
  const all = shelf.allTrips;
  const byDay = tripsByDay<Dated>(all ?? shelf.trips, zone);
  const known = [...byDay.keys()];
  const [first = selected, last = selected] = [known[0], known.at(-1)];
  let from = earlierOf(addDays(today, 1 - app.shownDays), selected);
  let to = laterOf(today, selected);
  if (all) {
    // Of too many days, the newest until tomorrow or until the selected one.
    const end = laterOf(addDays(today, 1), selected);
    to = daysFrom(first, last) < mostDays ? last : (known.findLast((day) => day <= end) ?? selected);
    from = laterOf(earlierOf(first, to), addDays(to, 1 - mostDays));
  }
  const days = calendar(byDay, from, to).map((day) => {
    return { ...day, read: all !== undefined || shelf.windowOf(day.day) !== undefined };
  });
  const earlier = () => {
    app.shownDays += stripDays;
    keepFocus(() => showCalendar(app, shelf, selected, today));
  };
  calendarPlace.replaceChildren(calendarStrip(days, selected, all ? undefined : earlier));
  const leftOut = `${first < from ? ' Earlier days are left out.' : ''}${last > to ? ' Later days are left out.' : ''}`;
  if (all && leftOut)
    calendarPlace.append(h('p.message.problem', `The calendar shows ${counted(days.length, 'day')}.${leftOut}`));
}

/** Reads a further day, then shows the same again, with its trips to compare with. */
async function readFurther(app: App, shelf: Shelf, day: string): Promise<void> {
  const { screen, zone, show } = app;
  const { status } = screen;
  const isSame = app.stay();
  try {
    if (shelf.isStale(day, false)) {
      status.textContent = 'Reading trips…';
      await shelf.read(day);
    }
    const count = (tripsByDay(shelf.trips, zone).get(day) ?? []).length;
    if (!isSame()) return;
    await show();
    status.textContent = `${counted(count, 'trip')} of ${day} can be chosen.`;
  } catch (error) {
    if (isSame()) status.textContent = error instanceof SourceError ? error.message : 'The day could not be read.';
  }
}

function showDay(app: App, shelf: Shelf, day: string, { trip: name, compare, placement, ...state }: Address): void {
  const { screen, zone, show } = app;
  const { main, clear } = screen;
  const trips = tripsByDay(shelf.trips, zone).get(day) ?? [];
  const names = tripNames(shelf.trips);
  const trip = name ? trips.find((candidate) => names.get(candidate) === name) : trips[0];
  const isAllRead = shelf.allTrips !== undefined && shelf.index === undefined;
  const readDay = isAllRead ? undefined : (further: string) => void readFurther(app, shelf, further);
  const other = shelf.trips.find((candidate) => names.get(candidate) === compare && candidate !== trip);
  clear();
  const window = shelf.windowOf(day);
  for (const problem of [...(window?.problems ?? []), ...shelf.problems])
    main.append(h('p.message.problem', { role: 'alert' }, problem));
  if (window?.staleAt !== undefined && window.problems.length > 0)
    main.append(h('p.message', h('button', { id: 'again', onclick: () => void show(true) }, 'Try again')));
  if (shelf.allTrips?.length === 0) {
    main.append(h('p.message', 'There are no trips here.'));
    return;
  }
  document.title = `${counted(trips.length, 'trip')} on ${day}`;
  const month = day.slice(0, 7);
  main.append(
    h(
      'nav',
      { 'aria-label': 'Month' },
      h('a.month-link', { href: hrefOf({ ...noTrip, latest: false, month }) }, `◂ ${monthInWords(month)}`),
    ),
  );
  main.append(tripList(day, trips, zone, trip));
  if (trip !== undefined) main.append(tripPage(trip, other, shelf.trips, placement, zone, state, readDay));
  else if (name) main.append(h('p.message', 'The trip of this address is not here.'));
  main.append(shelf.position);
}
