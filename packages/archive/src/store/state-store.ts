import type { VehicleKey, WindowEntry, WindowKey } from '../format/window-entry.js';

export type { Arrivals, VehicleKey, WindowEntry, WindowKey } from '../format/window-entry.js';

/**
 * What an archive knows beside its files: settings, who works on it, which windows it has, what is being purged and what must not
 * come back. A folder keeps it in files, a collector in PostgreSQL. Every change survives a crash once its promise resolves.
 *
 * Vehicles never share fate: what is stored of one can be read, damaged, purged and repaired without the others.
 */
export interface StateStore {
  /** The settings as they were stored, unchecked; `undefined` for a new archive. */
  settings(): Promise<Readonly<Record<string, unknown>> | undefined>;
  saveSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;

  /**
   * Takes the right to change something alone, and keeps it by a heartbeat until it is released.
   *
   * @param scope What is changed: `archive`, or a vehicle as `brand/vehicle`. A folder has one lease for everything.
   * @throws ArchiveError `archive-locked`, with the holder in its `holder`, where another holds it and has not expired.
   */
  lease(scope: string): Promise<Lease>;
  /** Ends the lease of another holder, whoever it is. Returns who it was; `undefined` where nobody held it. */
  unlock(scope: string): Promise<LeaseHolder | undefined>;

  /** Vehicles of which something is stored, in the order of brand and pseudonym. */
  vehicles(filter?: VehicleFilter): AsyncIterable<VehicleKey>;
  /**
   * Windows, in the order of brand, vehicle, series and first day. Never holds all of them in memory.
   *
   * @throws ArchiveError `archive-damaged` where those of a vehicle cannot be read.
   */
  windows(filter?: WindowFilter): AsyncIterable<WindowEntry>;
  /** The entry that has the days of a window: its own, or that of its settled month. */
  find(window: WindowKey): Promise<WindowEntry | undefined>;
  /**
   * Stores an entry in place of every entry of the same vehicle and series that shares a day with it.
   *
   * @param lease Checked in the same step as far as the store can.
   * @throws ArchiveError `archive-locked` where the lease is lost: nothing was stored.
   */
  upsert(entry: WindowEntry, lease: Lease): Promise<void>;

  /**
   * Writes down that a vehicle is going to be purged. From here on no window of it is found or stored, and its files are as good as
   * gone: a crash is followed by the rest of the purge. Must work where the store has no room left, as far as the store can.
   */
  beginPurge(purge: Purge): Promise<void>;
  /** Forgets every entry of the vehicle and the purge itself, so that not even the pseudonym is left, but for a tombstone. */
  finishPurge(purge: Purge): Promise<void>;
  /** Purges that were begun and not finished, each with its brand. */
  unfinishedPurges(): Promise<readonly Purge[]>;

  /** Whether a vehicle was erased and must not come back. */
  isErased(vehicle: string): Promise<boolean>;
  /** Removes the tombstone of a vehicle: it may be fetched again. Returns whether there was one. */
  readmit(vehicle: string): Promise<boolean>;
}

/** Which vehicles are wanted; what is left out is not looked at. */
export interface VehicleFilter {
  readonly brand?: string | undefined;
  readonly vehicle?: string | undefined;
}

/** Which windows are wanted; what is left out is not looked at. */
export interface WindowFilter extends VehicleFilter {
  readonly series?: string | undefined;
  /** `true`: only windows that are not settled. */
  readonly open?: boolean | undefined;
}

/** What a purge removes. One that was begun is finished when the archive is opened. */
export interface Purge {
  readonly vehicle: string;
  /** The one brand that is purged. Default: every brand. */
  readonly brand?: string | undefined;
  /** `true` leaves a tombstone: the vehicle is not fetched again until it is readmitted. Default false: consent may come back. */
  readonly erase?: boolean | undefined;
  /** When it was begun, in milliseconds since 1970 UTC. Default: the time of `beginPurge`. */
  readonly at?: number | undefined;
}

/** Who holds a lease. */
export interface LeaseHolder {
  /** Machine and process, for a person. */
  readonly name: string;
  /** When it was taken, ISO 8601 in UTC. */
  readonly since: string;
  /** When it was renewed last, ISO 8601 in UTC. */
  readonly renewedAt: string;
}

/** The right to change something. */
export interface Lease {
  readonly scope: string;
  /** @throws ArchiveError `archive-locked` where the lease is lost, such as after a long sleep. */
  check(): Promise<void>;
  release(): Promise<void>;
}
