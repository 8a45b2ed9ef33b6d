import {
  addDays,
  calendar,
  type Dated,
  dayOf,
  daysFrom,
  earlierOf,
  isZone,
  lastTime,
  laterOf,
  mostDays,
  tripsByDay,
} from '../trip/calendar.js';
import { counted } from '../trip/words.js';
import { type Address, hrefOf, noTrip, readAddress, tripNames, writeAddress } from './address.js';
import { calendarStrip } from './calendar-strip.js';
import { positionCard } from './cards.js';
import { h } from './element.js';
import { daysOfMonth, monthInWords, monthView } from './month-view.js';
import { Shelf } from './shelf.js';
import { SourceError, type TripSource, type VehicleEntry } from './source/source.js';
import { tripList } from './trip-list.js';
import { tripPage } from './trip-page.js';

/** Days of the strip before a reader asks for earlier ones. */
const stripDays = 28;
const basis =
  'The API does not specify when samples were measured. This page places them evenly where the data support it, and says so. Nothing is interpolated.';

/** The page: chooses a vehicle, a day, a trip, and shows them. */
export function startApp(title: string, source: TripSource, firstZone: string): void {
  const shelves = new Map<string, Shelf>();
  let shelvesFrom = '';
  const calendarPlace = h('div');
  const main = h('main', { id: 'main', tabindex: -1 });
  const status = h('p', { role: 'status' });
  let listed: ReturnType<TripSource['vehicles']> | undefined;
  let vehicles: readonly VehicleEntry[] = [];
  let brand = source.brands[0] ?? '';
  let zone = firstZone;
  let shownDays = stripDays;
  // Rises with each step, so that a slow response never replaces a newer one.
  let turn = 0;

  const choice = (label: string, names: readonly string[], chosen: (name: string, index: number) => void) => {
    const select = h('select', ...names.map((name) => h('option', name)));
    select.addEventListener('change', () => chosen(select.value, select.selectedIndex));
    return { select, field: h('label', h('span', label), select) };
  };
  const brandChoice = choice('Brand', source.brands, (chosen) => {
    brand = chosen;
    vehicles = [];
    shelves.clear();
    history.replaceState(null, '', hrefOf({ ...noTrip, vehicle: 0 }));
    start();
  });
  const vehicleChoice = choice('Vehicle', [], (_, vehicle) => writeAddress({ ...noTrip, vehicle }));
  const zones = [...new Set([zone, Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC'])].filter(isZone);
  const zoneChoice = choice('Time zone', zones, (chosen) => {
    zone = chosen;
    history.replaceState(null, '', hrefOf(noTrip));
    void show();
  });
  vehicleChoice.field.hidden = true;
  brandChoice.field.hidden = source.brands.length < 2;
  const skip = (event: Event) => {
    event.preventDefault();
    main.querySelector<HTMLElement>('a, button')?.focus();
  };
  const fields = [brandChoice, vehicleChoice, zoneChoice].map(({ field }) => field);
  document.body.replaceChildren(
    h('a.skip', { href: '#main', onclick: skip }, 'Skip to the trips'),
    h('header.top', h('h1', title), h('div.choices', ...fields)),
    status,
    calendarPlace,
    main,
    h('footer', h('p', basis)),
  );
  addEventListener('hashchange', () => void show());
  start();

  /** Reads the vehicles of the brand, then shows them. */
  function start(): void {
    listed = undefined;
    void show(true);
  }

  /** Shows what the address names; a failure becomes a sentence, never a blank page, unless its reader went on to another step. */
  async function show(isForced = false): Promise<void> {
    turn += 1;
    const own = turn;
    const isNewest = () => own === turn;
    try {
      await follow(isForced, isNewest);
    } catch (error) {
      const unexpected = 'These trips could not be shown. The data are not as expected.';
      if (isNewest()) say(error instanceof SourceError ? error.message : unexpected);
    }
  }

  /** Shows at once what was read of the address, then what a read has changed. */
  async function follow(isForced: boolean, isNewest: () => boolean): Promise<void> {
    listed ??= source.vehicles(brand).catch((error) => {
      listed = undefined;
      throw error;
    });
    const found = await listed;
    if (!isNewest()) return;
    if (found.vehicles !== vehicles) offer(found.vehicles);
    const none = 'There are no trips here: no vehicle shares data with this application.';
    if (vehicles.length === 0) return say(...(found.problems.length > 0 ? found.problems : [none]));
    const address = readAddress();
    const entry = vehicles[address.vehicle];
    vehicleChoice.select.selectedIndex = address.vehicle;
    if (entry === undefined) return say('The vehicle of this address is not here.');
    const today = dayOf(source.now(), zone);
    const shelf = await shelfOf(entry, today);
    if (!isNewest()) return;
    if (isMonth(address)) {
      await followMonth(shelf, address, today, isForced, isNewest);
      const location = isNewest() ? await locationOf(entry) : [];
      if (isNewest()) shelf.position.replaceChildren(...location);
      return;
    }
    const lastDay = () => {
      const days = [...tripsByDay(shelf.index ?? shelf.trips, zone).keys()];
      // A trip of a clock that was wrong is not where a reader begins.
      return days.findLast((day) => day <= addDays(today, 1)) ?? days.at(-1) ?? today;
    };
    const showTrips = (day: string) => {
      status.textContent = '';
      keepFocus(() => {
        showCalendar(shelf, day, today);
        showDay(shelf, day, address);
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
      if (!isNewest()) return;
      status.textContent = '';
      if (shelf.trips !== shown) showTrips(shown ? day : (named ?? lastDay()));
    }
    // The trip that it is compared with can be of a day that was not read yet.
    const otherTime = Date.parse(address.compare?.slice(0, 24) ?? '');
    const otherDay = Math.abs(otherTime) <= lastTime ? dayOf(otherTime, zone) : undefined;
    if (otherDay !== undefined && shelf.isStale(otherDay, false)) {
      await shelf.read(otherDay);
      if (!isNewest()) return;
      showTrips(day);
    }
    const location = await locationOf(entry);
    if (isNewest()) shelf.position.replaceChildren(...location);
  }

  const isMonth = ({ day, trip, latest }: Address) => !day && !trip && !latest;

  /** Shows a month at once as far as it was read, then reads what is left of it, the newest days first. */
  async function followMonth(
    shelf: Shelf,
    address: Address,
    today: string,
    isForced: boolean,
    isNewest: () => boolean,
  ): Promise<void> {
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
      if (isLast) showMonth();
    }
    status.textContent = '';
  }

  /** Offers vehicles to choose from. In a new list, the one that is shown may have another number. */
  function offer(found: readonly VehicleEntry[]): void {
    const before = vehicles[readAddress().vehicle];
    if (before) {
      const vehicle = [...found, before].findIndex(({ key }) => key === before.key);
      history.replaceState(null, '', hrefOf({ vehicle }));
    }
    vehicles = found;
    const options = found.map(({ name, detail }) => h('option', detail ? `${name} (${detail})` : name));
    vehicleChoice.select.replaceChildren(...options);
    vehicleChoice.field.hidden = found.length === 0;
  }

  async function shelfOf(entry: VehicleEntry, today: string): Promise<Shelf> {
    // Windows end today.
    if (shelvesFrom !== today) shelves.clear();
    shelvesFrom = today;
    // Days of other zones are other days.
    const key = `${zone} ${entry.key}`;
    const known = shelves.get(key);
    if (known) return known;
    status.textContent = 'Reading…';
    const shelf = new Shelf(source, entry, zone, await source.index?.(entry));
    shelves.set(key, shelf);
    return shelf;
  }

  function showCalendar(shelf: Shelf, selected: string, today: string): void {
    const all = shelf.allTrips;
    const byDay = tripsByDay<Dated>(all ?? shelf.trips, zone);
    const known = [...byDay.keys()];
    const [first = selected, last = selected] = [known[0], known.at(-1)];
    let from = earlierOf(addDays(today, 1 - shownDays), selected);
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
      shownDays += stripDays;
      keepFocus(() => showCalendar(shelf, selected, today));
    };
    calendarPlace.replaceChildren(calendarStrip(days, selected, all ? undefined : earlier));
    const leftOut = `${first < from ? ' Earlier days are left out.' : ''}${last > to ? ' Later days are left out.' : ''}`;
    if (all && leftOut)
      calendarPlace.append(h('p.message.problem', `The calendar shows ${counted(days.length, 'day')}.${leftOut}`));
  }

  /** Reads a further day, then shows the same again, with its trips to compare with. */
  async function readFurther(shelf: Shelf, day: string): Promise<void> {
    const own = turn;
    try {
      if (shelf.isStale(day, false)) {
        status.textContent = 'Reading trips…';
        await shelf.read(day);
      }
      const count = (tripsByDay(shelf.trips, zone).get(day) ?? []).length;
      if (own !== turn) return;
      await show();
      status.textContent = `${counted(count, 'trip')} of ${day} can be chosen.`;
    } catch (error) {
      if (own === turn)
        status.textContent = error instanceof SourceError ? error.message : 'The day could not be read.';
    }
  }

  function showDay(shelf: Shelf, day: string, { trip: name, compare, placement, ...state }: Address): void {
    const trips = tripsByDay(shelf.trips, zone).get(day) ?? [];
    const names = tripNames(shelf.trips);
    const trip = name ? trips.find((candidate) => names.get(candidate) === name) : trips[0];
    const isAllRead = shelf.allTrips !== undefined && shelf.index === undefined;
    const readDay = isAllRead ? undefined : (further: string) => void readFurther(shelf, further);
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

  async function locationOf(entry: VehicleEntry): Promise<readonly Node[]> {
    if (source.location === undefined) return [];
    try {
      return [h('div.cards', positionCard(await source.location(entry), zone, source.now()))];
    } catch (error) {
      const reason = error instanceof SourceError ? error.message : 'The location could not be read.';
      return [h('p.message', `Latest location: ${reason}`)];
    }
  }

  /**
   * Makes a part of the page again. A control that had the focus keeps it, by its id; the trips get it from one that is gone.
   * The selected day and trip are in the middle of their lines.
   */
  function keepFocus(make: () => void): void {
    const focused = document.activeElement;
    make();
    if (focused && !focused.isConnected) (document.getElementById(focused.id) ?? main).focus({ preventScroll: true });
    // In the next frame: now it would lay out the page once more.
    requestAnimationFrame(() => {
      for (const current of document.querySelectorAll<HTMLElement>('[aria-current]')) {
        const line = current.closest<HTMLElement>('.days, ul');
        if (line) line.scrollLeft = current.offsetLeft - line.offsetLeft + (current.offsetWidth - line.clientWidth) / 2;
      }
    });
  }

  function clear(): void {
    document.title = title;
    main.replaceChildren();
  }

  function say(...sentences: readonly string[]): void {
    status.textContent = '';
    const again = h('button', { id: 'again', onclick: start }, 'Try again');
    keepFocus(() => {
      clear();
      calendarPlace.replaceChildren();
      main.append(h('div.message', { role: 'alert' }, ...sentences.map((text) => h('p', text)), again));
    });
  }
}
