import type { SeriesName } from '@vehicle-data/client/series';
import type { Dated } from '../../trip/calendar.js';
import type { TripRecord } from '../../trip/trip.js';

/** What a page says where the data inside it cannot be read. */
export const damaged = 'The data inside this page are damaged. Make the page again.';

/** How long something that may change or that failed counts as read. */
export const freshMs = 60_000;

export interface VehicleEntry {
  /** What the source calls it; never shown. */
  readonly key: string;
  readonly name: string;
  /** A second line, such as the model. */
  readonly detail: string;
}

/** Trips of some days, both included. */
export interface Window {
  readonly first: string;
  readonly last: string;
  readonly records: readonly TripRecord[];
  readonly problems: readonly string[];
  /** Series whose trips could not be read. */
  readonly failed?: readonly SeriesName[];
  /** When it is to be read again, in milliseconds since 1970; never unless set. */
  readonly staleAt?: number | undefined;
}

/** Where trips come from. Every method rejects with a `SourceError` whose message a reader understands. */
export interface TripSource {
  /** Brands to choose from; empty where there is no choice. */
  readonly brands: readonly string[];
  /** What the source takes for now, in milliseconds since 1970. */
  readonly now: () => number;
  /** The vehicles of a brand; later calls are about these. */
  readonly vehicles: (brand: string) => Promise<{ vehicles: readonly VehicleEntry[]; problems: readonly string[] }>;
  /** When trips are, without their samples; absent where only reading a window tells. */
  readonly index?: (vehicle: VehicleEntry) => Promise<readonly Dated[]>;
  /** Reads the trips of a window that includes a day. A window that is being read is not read again. */
  readonly read: (vehicle: VehicleEntry, day: string, zone: string) => Promise<Window>;
  /** The latest location as the API returns it; absent where the source has none. */
  readonly location?: (vehicle: VehicleEntry) => Promise<unknown>;
}

/** A failure in a sentence for the reader. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
