// The first screen: a month, shown at once as far as it was read.
import { addDays } from '#kit/calendar.js';
import { type Dated, laterOf, tripsByDay } from '../trip/calendar.js';
import { hrefOf } from './address.js';
import { h } from './element.js';
import { daysOfMonth, monthInWords, monthView } from './month-view.js';
import type { App, Step } from './step.js';

/** Shows a month at once as far as it was read, then reads what is left of it, the newest days first. */
export async function followMonth(app: App, { shelf, address, today, isForced, isNewest }: Step): Promise<void> {
  const { screen, zone, show } = app;
  const { main, status, calendarPlace, keepFocus, clear } = screen;
  const newest = () => {
    const known = [...tripsByDay<Dated>(shelf.index ?? shelf.trips, zone).keys()].filter(
      (day) => day <= addDays(today, 1),
    );
    return known.at(-1) ?? today;
  };
  const read = new Set<unknown>();
  // Of trips that are all known at once, the month of the last one is shown.
  if (address.month === undefined && shelf.index === undefined && !shelf.windowOf(today)) {
    status.textContent = 'Reading trips…';
    await shelf.read(today);
    if (!isNewest()) return;
    read.add(shelf.windowOf(today));
  }
  const month = address.month ?? newest().slice(0, 7);
  const [only, ...others] = shelf.allTrips ?? [];
  // A month of one trip is that trip.
  if (address.month === undefined && only && others.length === 0) {
    history.replaceState(null, '', hrefOf({ latest: true }));
    return show();
  }
  const latest = laterOf(addDays(today, 1), newest());
  const days = daysOfMonth(month, latest);
  const showMonth = () => {
    keepFocus(() => {
      clear();
      calendarPlace.replaceChildren();
      document.title = monthInWords(month);
      for (const problem of shelf.problemsOf(days)) main.append(h('p.message.problem', { role: 'alert' }, problem));
      if (shelf.problemsOf(days).length > 0)
        main.append(h('p.message', h('button', { id: 'again', onclick: () => void show(true) }, 'Try again')));
      const isRead = (day: string) => shelf.windowOf(day) !== undefined;
      const { trips, allTrips: all } = shelf;
      main.append(monthView({ month, trips, isRead, latest, zone, all }), shelf.position);
    });
  };
  showMonth();
  const stale = days.filter((day) => day <= today && shelf.isStale(day, isForced)).toReversed();
  for (const day of stale) {
    if (read.has(shelf.windowOf(day))) continue;
    status.textContent = `Reading ${monthInWords(month)}…`;
    // A file of an archive has many days, and each would make all trips again.
    const isLast = shelf.index === undefined || day === stale.at(-1);
    await shelf.read(day, isLast);
    if (!isNewest()) return;
    read.add(shelf.windowOf(day));
    if (!isLast) continue;
    await screen.released();
    if (!isNewest()) return;
    showMonth();
  }
  status.textContent = '';
}
