import {
  addDays,
  type CalendarDay,
  calendar,
  type Dated,
  dayOf,
  daysBetween,
  isZone,
  tripsByDay,
} from '../trip/calendar.js';
import type { Placement } from '../trip/stacks.js';
import { readTrips, type Trip, type TripRecord } from '../trip/trip.js';
import { counted } from '../trip/words.js';
import { readAddress, writeAddress } from './address.js';
import { calendarStrip } from './calendar-strip.js';
import { h } from './element.js';
import { positionCard } from './position-card.js';
import { SourceError, type TripSource, type VehicleEntry, type Window } from './source/source.js';
import { setTheme, watchTheme } from './theme.js';
import { tokenForm } from './token-form.js';
import { tripList } from './trip-list.js';
import { startOf, TripPage } from './trip-page.js';

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

/** The page: chooses a vehicle, a day, a trip, and shows them. */
export class App {
  readonly #source: TripSource;
  readonly #shelves = new Map<string, Shelf>();
  readonly #calendar = h('div', {});
  readonly #main = h('main', { id: 'main' });
  readonly #status = h('p', { class: 'status', role: 'status' });
  readonly #vehicleChoice = h('select', { id: 'vehicle' });
  readonly #position = h('div', {});
  readonly #choices = h('div', { class: 'choices' });
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
    document.body.replaceChildren(
      h('a', { class: 'skip', href: '#main', onclick: (event) => this.#skip(event) }, 'Skip to the trips'),
      h('header', { class: 'top' }, h('h1', {}, title), this.#choices),
      this.#status,
      this.#calendar,
      this.#main,
      h(
        'footer',
        {},
        h(
          'p',
          {},
          'The interface does not specify when samples were measured. This page places them evenly where the data support it, and says so. Nothing is interpolated.',
        ),
      ),
    );
    watchTheme(() => this.#page?.redraw());
    addEventListener('hashchange', () => void this.#show());
  }

  async start(): Promise<void> {
    this.#fillChoices();
    await this.#guard(async () => {
      const { vehicles, problems } = await this.#source.vehicles(this.#brand);
      this.#vehicles = vehicles;
      const { vehicle } = readAddress();
      this.#vehicleChoice.replaceChildren(
        ...vehicles.map(({ name, detail }, index) =>
          h('option', { value: index, selected: index === vehicle }, detail ? `${name} (${detail})` : name),
        ),
      );
      if (vehicles.length === 0) {
        this.#calendar.replaceChildren();
        this.#say(
          problems[0] ?? 'There are no trips here: no vehicle shares data with this application.',
          problems.slice(1),
        );
        return;
      }
      await this.#show();
    });
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.#main.querySelector<HTMLElement>('a, button')?.focus();
  }

  #fillChoices(): void {
    const zones = [...new Set([this.#zone, Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC'])].filter(isZone);
    const zoneChoice = h('select', { id: 'zone' }, ...zones.map((zone) => h('option', { value: zone }, zone)));
    zoneChoice.addEventListener('change', () => {
      this.#zone = zoneChoice.value;
      // Windows are made of days, and days of other zones are other days.
      this.#shelves.clear();
      writeAddress({ day: undefined, trip: undefined, compare: undefined });
    });
    this.#vehicleChoice.addEventListener('change', () =>
      writeAddress({ vehicle: Number(this.#vehicleChoice.value), day: undefined, trip: undefined, compare: undefined }),
    );
    const brandChoice = h('select', { id: 'brand' }, ...this.#source.brands.map((brand) => h('option', {}, brand)));
    brandChoice.addEventListener('change', () => {
      this.#brand = brandChoice.value;
      this.#shelves.clear();
      history.replaceState(null, '', '#');
      void this.start();
    });
    const theme = h('select', { id: 'theme' }, ...['auto', 'light', 'dark'].map((name) => h('option', {}, name)));
    theme.addEventListener('change', () => {
      if (theme.value === 'light' || theme.value === 'dark' || theme.value === 'auto') setTheme(theme.value);
    });
    const field = (name: string, label: string, select: Node) =>
      h('label', { for: name }, h('span', {}, label), select);
    this.#choices.replaceChildren(
      ...(this.#source.brands.length > 1 ? [field('brand', 'Brand', brandChoice)] : []),
      field('vehicle', 'Vehicle', this.#vehicleChoice),
      field('zone', 'Time zone', zoneChoice),
      field('theme', 'Theme', theme),
      h('button', { type: 'button', onclick: () => print() }, 'Print'),
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
      const found = await this.#read(entry, shelf, day);
      if (turn !== this.#turn) return;
      this.#status.textContent = '';
      const chosen = address.day ?? this.#lastDay(shelf) ?? today;
      this.#showCalendar(shelf, chosen, today);
      if (!found) return;
      this.#showDay(shelf, chosen, address.trip, address.compare, address.placement);
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
  async #read(entry: VehicleEntry, shelf: Shelf, day: string): Promise<boolean> {
    if (shelf.windows.some(({ first, last }) => first <= day && day <= last)) return true;
    this.#status.textContent = 'Reading trips…';
    const window = await this.#source.read(entry, this.#brand, day, this.#zone);
    shelf.windows.push(window);
    for (const record of window.records) shelf.records.add(record);
    const { trips, problems } = readTrips([...shelf.records]);
    shelf.trips = trips;
    shelf.problems = [...new Set([...shelf.windows.flatMap((one) => one.problems), ...problems])];
    return true;
  }

  #lastDay(shelf: Shelf): string | undefined {
    const last = (shelf.index ?? shelf.trips).at(-1);
    return last && dayOf(last.startTime, this.#zone);
  }

  #showCalendar(shelf: Shelf, selected: string, today: string): void {
    const dated = shelf.index ?? shelf.trips;
    const everything = shelf.index !== undefined || shelf.windows.some(({ first }) => first < '0001');
    let days: CalendarDay[];
    if (everything) days = calendar(dated, this.#zone);
    else {
      const first = [addDays(today, 1 - this.#shownDays), selected].sort()[0] ?? today;
      days = calendar(dated, this.#zone, first, today > selected ? today : selected);
    }
    if (days.length === 0) days = calendar([], this.#zone, selected, selected);
    const read = new Set(shelf.windows.flatMap(({ first, last }) => (first < '0001' ? [] : daysBetween(first, last))));
    const earlier = everything
      ? undefined
      : () => {
          this.#shownDays += stripDays;
          this.#showCalendar(shelf, selected, today);
        };
    const hadFocus = this.#calendar.contains(document.activeElement);
    const strip = calendarStrip(
      days.map((day) => ({ ...day, read: everything || read.has(day.day) })),
      selected,
      (day) => writeAddress({ day, trip: undefined, compare: undefined }),
      earlier,
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

  #showDay(shelf: Shelf, day: string, id: string | undefined, compare: string | undefined, placement: Placement): void {
    const trips = tripsByDay(shelf.trips, this.#zone).get(day) ?? [];
    const trip = trips.find((candidate) => startOf(candidate) === id) ?? trips[0];
    const other = shelf.trips.find((candidate) => startOf(candidate) === compare && candidate !== trip);
    this.#page?.destroy();
    this.#page = undefined;
    const problems = shelf.problems.map((problem) => h('p', { class: 'message problem', role: 'alert' }, problem));
    if (shelf.trips.length === 0 && shelf.windows.some(({ first }) => first < '0001')) {
      this.#main.replaceChildren(...problems, h('p', { class: 'message' }, 'There are no trips here.'));
      return;
    }
    const list = tripList(day, trips, this.#zone, trip?.id, (one) =>
      writeAddress.href({ day, trip: startOf(one), compare: undefined }),
    );
    this.#main.replaceChildren(...problems, list);
    if (trip !== undefined) {
      this.#page = new TripPage(trip, other, shelf.trips, placement, this.#zone, {
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
    try {
      const data = await location(entry, this.#brand);
      if (turn === this.#turn)
        this.#position.replaceChildren(h('div', { class: 'cards' }, positionCard(data, this.#zone, this.#source.now)));
    } catch (error) {
      const reason = error instanceof SourceError ? error.message : 'The location could not be read.';
      if (turn === this.#turn)
        this.#position.replaceChildren(h('p', { class: 'message' }, `Latest location: ${reason}`));
    }
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
    const again = h('button', { type: 'button', onclick: () => void this.start() }, 'Try again');
    this.#main.replaceChildren(
      h(
        'div',
        { class: 'message', role: 'alert' },
        h('p', {}, message),
        ...more.map((text) => h('p', {}, text)),
        again,
      ),
    );
  }

  #askForToken(): void {
    const { setToken } = this.#source;
    if (setToken === undefined) return;
    const form = tokenForm((token) => {
      setToken(token);
      void this.start();
    });
    this.#main.append(form);
  }
}
