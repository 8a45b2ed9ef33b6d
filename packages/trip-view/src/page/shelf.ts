import type { Dated } from '../trip/calendar.js';
import { readTrips, type Trip, type TripRecord } from '../trip/trip.js';
import { freshMs, SourceError, type TripSource, type VehicleEntry, type Window } from './source/source.js';

/** Everything that was read of one vehicle in one zone. */
export class Shelf {
  /** Replaced only if what was read differs. */
  trips: readonly Trip[] = [];
  problems: readonly string[] = [];
  /** Holds its latest location. */
  readonly position: HTMLElement = document.createElement('div');
  readonly index: readonly Dated[] | undefined;
  readonly #read: (day: string) => Promise<Window>;
  readonly #now: () => number;
  #windows: readonly Window[] = [];

  constructor(source: TripSource, entry: VehicleEntry, zone: string, index: readonly Dated[] | undefined) {
    this.#read = (day) => source.read(entry, day, zone);
    this.#now = source.now;
    this.index = index;
  }

  /** All trips of the vehicle, where they are known at once, as those inside a page are. */
  get allTrips(): readonly Dated[] | undefined {
    return this.index ?? (this.#windows.some(({ first }) => first < '0001') ? this.trips : undefined);
  }

  windowOf(day: string): Window | undefined {
    return this.#windows.find(({ first, last }) => first <= day && day <= last);
  }

  /** Whether the window of a day is to be read, or read again; if forced, each one that may change. */
  isStale(day: string, isForced: boolean): boolean {
    const known = this.windowOf(day);
    if (known?.staleAt === undefined) return known === undefined;
    return isForced || known.staleAt <= this.#now();
  }

  /** What was wrong with the windows of some days, each sentence once. */
  problemsOf(days: readonly string[]): readonly string[] {
    return [...new Set([...days.flatMap((day) => this.windowOf(day)?.problems ?? []), ...this.problems])];
  }

  /**
   * Reads the window of a day. What was read before of a series stays if that fails, with a sentence about it.
   *
   * @param isLast whether `trips` is renewed: not while further days follow at once
   */
  async read(day: string, isLast = true): Promise<void> {
    const known = this.windowOf(day);
    const window = await this.#read(day).then(
      (read): Window => {
        const kept = known?.records.filter(({ series }) => read.failed?.includes(series)) ?? [];
        return { ...read, records: [...read.records, ...kept] };
      },
      (error: unknown): Window => {
        if (known === undefined || !(error instanceof SourceError)) throw error;
        return { ...known, problems: [error.message], staleAt: this.#now() + freshMs };
      },
    );
    const before = this.#windows.find(({ first }) => first === window.first);
    this.#windows = [...this.#windows.filter((other) => other !== before), window];
    if (!isLast || (before && contentOf(before) === contentOf(window))) return;
    // Windows of neighboring days may hold the same record.
    const records = new Set<TripRecord>(this.#windows.flatMap((window) => window.records));
    const { trips, problems } = readTrips([...records]);
    this.trips = trips;
    this.problems = problems;
  }
}

function contentOf({ records, problems }: Window): string {
  return JSON.stringify([records, problems]);
}
