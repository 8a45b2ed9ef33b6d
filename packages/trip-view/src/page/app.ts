// The page: which vehicle, which zone, and whether a month or a day is shown. The address says it; month-step.ts and day-step.ts show it.
import { dayOf, isZone } from '../trip/calendar.js';
import { type Address, hrefOf, noTrip, readAddress, writeAddress } from './address.js';
import { positionCard } from './cards.js';
import { followDay, stripDays } from './day-step.js';
import { h, narrow } from './element.js';
import { followMonth } from './month-step.js';
import { choice, createScreen } from './screen.js';
import { Shelf } from './shelf.js';
import { SourceError, type TripSource, type VehicleEntry } from './source/source.js';
import type { App } from './step.js';

const isMonth = ({ day, trip, latest }: Address) => !day && !trip && !latest;

/** The page: chooses a vehicle, a day, a trip, and shows them. */
export function startApp(title: string, source: TripSource, firstZone: string): void {
  const shelves = new Map<string, Shelf>();
  let shelvesFrom = '';
  let listed: ReturnType<TripSource['vehicles']> | undefined;
  let vehicles: readonly VehicleEntry[] = [];
  let brand = source.brands[0] ?? '';
  let zone = firstZone;
  // Rises with each step, so that a slow response never replaces a newer one.
  let turn = 0;

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
  const screen = createScreen(title, [brandChoice, vehicleChoice, zoneChoice], start);
  const { status, say } = screen;
  const stay = () => {
    const own = turn;
    return () => own === turn;
  };
  const app: App = {
    screen,
    get zone() {
      return zone;
    },
    shownDays: stripDays,
    show,
    stay,
  };
  addEventListener('hashchange', () => void show());
  // The days of a month are links where they are wide enough for fingers.
  narrow().addEventListener('change', () => {
    if (isMonth(readAddress())) void show();
  });
  start();

  /** Reads the vehicles of the brand, then shows them. */
  function start(): void {
    listed = undefined;
    void show(true);
  }

  /** Shows what the address names; a failure becomes a sentence, never a blank page, unless its reader went on to another step. */
  async function show(isForced = false): Promise<void> {
    turn += 1;
    const isNewest = stay();
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
    const step = isMonth(address) ? followMonth : followDay;
    await step(app, { shelf, address, today, isForced, isNewest });
    const location = isNewest() ? await locationOf(entry) : [];
    if (isNewest()) shelf.position.replaceChildren(...location);
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

  async function locationOf(entry: VehicleEntry): Promise<readonly Node[]> {
    if (source.location === undefined) return [];
    try {
      return [h('div.cards', positionCard(await source.location(entry), zone, source.now()))];
    } catch (error) {
      const reason = error instanceof SourceError ? error.message : 'The location could not be read.';
      return [h('p.message', `Latest location: ${reason}`)];
    }
  }
}
