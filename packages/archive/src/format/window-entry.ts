// What an archive knows of a window beside its file.
import type { VehicleWindow } from '../windows.js';

/** A vehicle of an archive. */
export interface VehicleKey {
  readonly brand: string;
  /** Pseudonym of the vehicle. */
  readonly vehicle: string;
}

/** Names a window. */
export interface WindowKey extends VehicleKey {
  readonly series: string;
  /** First day, yyyy-MM-dd. */
  readonly from: string;
}

/** One window that was fetched, or a settled month of them. A file is a pure function of the trips; what depends on the clock stands here. */
export interface WindowEntry extends VehicleWindow {
  readonly series: string;
  /** Key of the file in the blob store, `null` where the window has no trips. */
  readonly path: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly rows: number;
  readonly trips: number;
  /** When the file was fetched last, ISO 8601 in UTC. */
  readonly fetchedAt: string;
  /** When trips of these days were seen first, ISO 8601 in UTC; `null` where that is not known any more. */
  readonly firstSeenAt: string | null;
  /** `false` while further trips may arrive: some of the window is fetched again. */
  readonly settled: boolean;
  /** Digest of the contract that the file was written with. */
  readonly contract: string;
  /** Hash of the file that this one replaced. */
  readonly replaced?: string | null | undefined;
  /** When trips of a window that was not settled yet were seen first; `undefined` where that is not known. */
  readonly arrivals?: readonly Arrivals[] | undefined;
  /** Starts of trips that were different, or gone, when their day was fetched again; milliseconds since 1970 UTC. */
  readonly changed?: readonly number[] | undefined;
  /**
   * When each day was fetched last, ISO 8601 in UTC. A day that is not there was not fetched. Left out where the window is settled, and
   * by earlier versions of this package where it was fetched whole.
   */
  readonly days?: Readonly<Record<string, string>> | undefined;
}

/** Trips that one fetch found, and no fetch before. */
export interface Arrivals {
  /** When the days of these trips were fetched before, ISO 8601 in UTC; `null` where they had not been. */
  readonly after: string | null;
  /** When they were found. */
  readonly at: string;
  /** Starts of the trips, in milliseconds since 1970 UTC. */
  readonly starts: readonly number[];
}
