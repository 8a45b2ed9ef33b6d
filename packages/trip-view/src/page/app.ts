import { addDays, calendar, type Dated, dayOf, daysBetween, isZone, tripsByDay } from '../trip/calendar.js';
import { readTrips, type Trip, type TripRecord } from '../trip/trip.js';
import { counted } from '../trip/words.js';
import { type Address, hrefOf, readAddress, writeAddress } from './address.js';
import { calendarStrip } from './calendar-strip.js';
import { h } from './element.js';
import { positionCard } from './position-card.js';
import { SourceError, type TripSource, type VehicleEntry, type Window } from './source/source.js';
import { setTheme, themes, watchTheme } from './theme.js';
import { tripList } from './trip-list.js';
import { startOf, type TripPage, tripPage } from './trip-page.js';

/** Days of the strip before a reader asks for earlier ones. */
const stripDays = 28;

/** Everything that was read of one vehicle. */
interface Shelf {
  readonly windows: Window[];
  readonly records: Set<TripRecord>;
  trips: readonly Trip[];
  problems: readonly string[];
  index: readonly Dated[] | undefined;
}

/** Whether all trips of the vehicle were read at once, as those inside a page are. */
function isWhole({ windows }: Shelf): boolean {
  return windows.some(({ first }) => first < '0001');
}

/** The page: chooses a vehicle, a day, a trip, and shows them. */
export class App {
  readonly #source: TripSource;
  readonly #shelves = new Map<string, Shelf>();
  readonly #calendar = h('div');
  readonly #main = h('main', { id: 'main' });
  readonly #status = h('p.status', { role: 'status' });
  readonly #vehicleChoice = h('select');
  readonly #vehicleField = h('label', { hidden: true }, h('span', 'Vehicle'), this.#vehicleChoice);
  readonly #position = h('div');
  #vehicles: readonly VehicleEntry[] = [];
  #brand: string;
  #zone: string;
  #shownDays = stripDays;
  #page: TripPage | undefined;
  /** Rises with each showing, so that a slow response never replaces a newer one. */
  #turn = 0;

  constructor(title: string, source: TripSource, zone: string) {
    this.#source = source;
    this.#brand = source.brands[0] ?? '';
    this.#zone = zone;
    const basis =
      'The interface does not specify when samples were measured. This page places them evenly where the data support it, and says so. Nothing is interpolated.';
    document.body.replaceChildren(
      h('a.skip', { href: '#main', onclick: (event) => this.#skip(event) }, 'Skip to the trips'),
      h('header.top', h('h1', title), this.#choices()),
      this.#status,
      this.#calendar,
      this.#main,
      h('footer', h('p', basis)),
    );
    watchTheme(() => this.#page?.redraw());
    addEventListener('hashchange', () => void this.#show());
  }

  async start(): Promise<void> {
    await this.#guard(async () => {
      const { vehicles, problems } = await this.#source.vehicles(this.#brand);
      this.#vehicles = vehicles;
      const options = vehicles.map(({ name, detail }, index) =>
        h('option', { value: index }, detail ? `${name} (${detail})` : name),
      );
      this.#vehicleChoice.replaceChildren(...options);
      this.#vehicleField.hidden = vehicles.length === 0;
      const none = 'There are no trips here: no vehicle shares data with this application.';
      if (vehicles.length === 0) return this.#say(problems[0] ?? none, problems.slice(1));
      await this.#show();
    });
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.#main.querySelector<HTMLElement>('a, button')?.focus();
  }

  #choices(): HTMLElement {
    const choice = (label: string, names: readonly string[], chosen: (name: string) => void) => {
      const select = h('select', ...names.map((name) => h('option', name)));
      select.addEventListener('change', () => chosen(select.value));
      return h('label', h('span', label), select);
    };
    const none = { day: undefined, trip: undefined, compare: undefined };
    const { brands } = this.#source;
    const zones = [...new Set([this.#zone, Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC'])].filter(isZone);
    const brandChoice = choice('Brand', brands, (brand) => {
      this.#brand = brand;
      this.#shelves.clear();
      history.replaceState(null, '', '#');
      void this.start();
    });
    const zoneChoice = choice('Time zone', zones, (zone) => {
      this.#zone = zone;
      // Windows are made of days, and days of other zones are other days.
      this.#shelves.clear();
      history.replaceState(null, '', hrefOf(none));
      void this.#show();
    });
    this.#vehicleChoice.addEventListener('change', () =>
      writeAddress({ ...none, vehicle: Number(this.#vehicleChoice.value) }),
    );
    return h(
      'div.choices',
      brands.length > 1 && brandChoice,
      this.#vehicleField,
      zoneChoice,
      choice('Theme', themes, (name) => setTheme(themes.find((theme) => theme === name) ?? 'auto')),
      h('button', { onclick: () => print() }, 'Print'),
    );
  }

  async #show(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    await this.#guard(async () => {
      const address = readAddress();
      const entry = this.#vehicles[address.vehicle] ?? this.#vehicles[0];
      if (entry === undefined) return;
      this.#vehicleChoice.value = String(this.#vehicles.indexOf(entry));
      const shelf = await this.#shelfOf(entry);
      const today = dayOf(this.#source.now, this.#zone);
      const day = address.day ?? this.#lastDay(shelf) ?? today;
      await this.#read(entry, shelf, day);
      if (turn !== this.#turn) return;
      this.#status.textContent = '';
      const chosen = address.day ?? this.#lastDay(shelf) ?? today;
      this.#showCalendar(shelf, chosen, today);
      this.#showDay(shelf, chosen, address);
      void this.#showPosition(entry, turn);
    });
  }

  async #shelfOf(entry: VehicleEntry): Promise<Shelf> {
    const known = this.#shelves.get(entry.key);
    if (known) return known;
    this.#status.textContent = 'Reading…';
    const index = await this.#source.index(entry);
    const shelf: Shelf = { windows: [], records: new Set(), trips: [], problems: [], index };
    this.#shelves.set(entry.key, shelf);
    return shelf;
  }

  /** Reads the window of a day unless it was read. */
  async #read(entry: VehicleEntry, shelf: Shelf, day: string): Promise<void> {
    if (shelf.windows.some(({ first, last }) => first <= day && day <= last)) return;
    this.#status.textContent = 'Reading trips…';
    const window = await this.#source.read(entry, this.#brand, day, this.#zone);
    shelf.windows.push(window);
    for (const record of window.records) shelf.records.add(record);
    const { trips, problems } = readTrips([...shelf.records]);
    shelf.trips = trips;
    shelf.problems = [...new Set([...shelf.windows.flatMap((one) => one.problems), ...problems])];
  }

  #lastDay(shelf: Shelf): string | undefined {
    const last = (shelf.index ?? shelf.trips).at(-1);
    return last && dayOf(last.startTime, this.#zone);
  }

  #showCalendar(shelf: Shelf, selected: string, today: string): void {
    const dated = shelf.index ?? shelf.trips;
    const everything = shelf.index !== undefined || isWhole(shelf);
    const first = [addDays(today, 1 - this.#shownDays), selected].sort()[0];
    const found = everything
      ? calendar(dated, this.#zone)
      : calendar(dated, this.#zone, first, today > selected ? today : selected);
    const days = found.length > 0 ? found : calendar([], this.#zone, selected, selected);
    const read = new Set(everything ? [] : shelf.windows.flatMap((window) => daysBetween(window.first, window.last)));
    const earlier = () => {
      this.#shownDays += stripDays;
      this.#showCalendar(shelf, selected, today);
    };
    const hadFocus = this.#calendar.contains(document.activeElement);
    const strip = calendarStrip(
      days.map((day) => ({ ...day, read: everything || read.has(day.day) })),
      selected,
      (day) => writeAddress({ day, trip: undefined, compare: undefined }),
      everything ? undefined : earlier,
    );
    this.#calendar.replaceChildren(strip);
    const current = strip.querySelector<HTMLElement>('[aria-current]');
    // In the next frame: now it would lay out the page once more.
    requestAnimationFrame(() => {
      const days = current?.parentElement;
      if (days) days.scrollLeft = current.offsetLeft - days.clientWidth / 2;
    });
    if (hadFocus) current?.focus({ preventScroll: true });
  }

  #showDay(shelf: Shelf, day: string, { trip: id, compare, placement }: Address): void {
    const trips = tripsByDay(shelf.trips, this.#zone).get(day) ?? [];
    const trip = trips.find((candidate) => startOf(candidate) === id) ?? trips[0];
    const other = shelf.trips.find((candidate) => startOf(candidate) === compare && candidate !== trip);
    this.#page?.destroy();
    this.#page = undefined;
    const problems = shelf.problems.map((problem) => h('p.message.problem', { role: 'alert' }, problem));
    if (shelf.trips.length === 0 && isWhole(shelf)) {
      this.#main.replaceChildren(...problems, h('p.message', 'There are no trips here.'));
      return;
    }
    const list = tripList(day, trips, this.#zone, trip?.id, (one) =>
      hrefOf({ day, trip: startOf(one), compare: undefined }),
    );
    this.#main.replaceChildren(...problems, list);
    if (trip !== undefined) {
      this.#page = tripPage(trip, other, shelf.trips, placement, this.#zone, {
        place: (to) => writeAddress({ placement: to }),
        compare: (to) => writeAddress({ day, trip: startOf(trip), compare: to }),
      });
      this.#main.append(this.#page.element);
      document.title = `${counted(trips.length, 'trip')} on ${day}`;
    }
    this.#main.append(this.#position);
  }

  async #showPosition(entry: VehicleEntry, turn: number): Promise<void> {
    const { location } = this.#source;
    if (location === undefined) return;
    const found = await location(entry, this.#brand).then(
      (data) => h('div.cards', positionCard(data, this.#zone, this.#source.now)),
      (error: unknown) => {
        const reason = error instanceof SourceError ? error.message : 'The location could not be read.';
        return h('p.message', `Latest location: ${reason}`);
      },
    );
    if (turn === this.#turn) this.#position.replaceChildren(found);
  }

  /** Runs a step; a failure becomes a sentence on the page, never a blank one. */
  async #guard(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const known = error instanceof SourceError;
      this.#say(known ? error.message : 'These trips could not be shown. The data are not as expected.');
      if (known && error.wantsToken) this.#askForToken();
    }
  }

  #say(message: string, more: readonly string[] = []): void {
    this.#status.textContent = '';
    this.#page?.destroy();
    this.#page = undefined;
    const again = h('button', { onclick: () => void this.start() }, 'Try again');
    this.#main.replaceChildren(
      h('div.message', { role: 'alert' }, h('p', message), ...more.map((text) => h('p', text)), again),
    );
  }

  /** Asks for an access token. It is kept in memory alone: not in the address, not in storage. */
  #askForToken(): void {
    const { setToken } = this.#source;
    if (setToken === undefined) return;
    const input = h('input', { type: 'password', autocomplete: 'off', required: true });
    const label = h('label', 'Access token (kept in memory only) ', input);
    const form = h('form.message', label, ' ', h('button', 'Read trips'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      setToken(input.value.trim());
      void this.start();
    });
    this.#main.append(form);
  }
}
