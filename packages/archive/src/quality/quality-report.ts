// What the quality of an archive's data is said in. `schema/quality.schema.json` says the same for other languages.

/** What is missing in an archive, or odd, by vehicle and month. */
export interface QualityReport {
  readonly version: 1;
  /** When it was made, ISO 8601 in UTC. */
  readonly madeAt: string;
  /** Zone in which days count. */
  readonly zoneId: string;
  readonly vehicles: readonly VehicleQuality[];
  /** What somebody should look at: none where nothing is missing, late, changed, or odd. */
  readonly alarms: readonly QualityAlarm[];
}

/** The months of one vehicle. */
export interface VehicleQuality {
  readonly brand: string;
  readonly vehicle: string;
  readonly months: readonly MonthQuality[];
}

/** One month of one vehicle. Trips are named by their start, ISO 8601 in UTC. */
export interface MonthQuality {
  /** yyyy-MM. */
  readonly month: string;
  /** Trips on each day of the month, the first day first. */
  readonly tripsByDay: readonly number[];
  readonly daysWithTrips: number;
  readonly trips: number;
  /** By the odometer, in trips. */
  readonly drivenKm: number;
  /** By the odometer, between trips. */
  readonly missingKm: number;
  readonly gaps: readonly QualityGap[];
  /** Trips that began before the one before them had ended. */
  readonly overlapping: readonly string[];
  /** Trips that the other series does not have. */
  readonly oneSided: readonly { readonly start: string | null; readonly series: string }[];
  /** Trips that arrived late. */
  readonly late: readonly LateTrip[];
  /** Trips that were different, or gone, when their day was fetched again. */
  readonly changed: readonly string[];
  /** Trips that have samples without a time that the data support. */
  readonly untimed: readonly string[];
  /** Share of the time of trips for which samples have no such time, from 0 to 1. */
  readonly unknownShare: number;
  /** Samples a second of each trip and series; all `null` without trips. */
  readonly samplesPerSecond: {
    readonly lowest: number | null;
    readonly median: number | null;
    readonly highest: number | null;
  };
  /** Samples outside their range, and those without a value. */
  readonly outOfRange: number;
  readonly missing: number;
  /** Members that the contract does not have, or that are of another type than it says. */
  readonly members: readonly string[];
  /** Windows between the first and the last of the vehicle that are not in the archive: they failed, or were never asked for. */
  readonly windowsMissing: readonly { readonly series: string; readonly from: string; readonly to: string }[];
}

/** Kilometers that were driven between two trips. */
export interface QualityGap {
  /** Start of the trip before and of the trip behind. */
  readonly after: string;
  readonly before: string;
  readonly km: number;
}

/** A trip that was not there when an export took its day as complete, an hour after the day or later, and came after that. */
export interface LateTrip {
  readonly start: string;
  readonly series: string;
  readonly firstSeenAt: string;
  /** First seen minus end of the trip. */
  readonly latenessMs: number;
}

/** What an alarm is about. */
export type QualityAlarmKind =
  | 'missing-km'
  | 'overlapping'
  | 'one-sided'
  | 'late'
  | 'changed'
  | 'untimed'
  | 'out-of-range'
  | 'members'
  | 'windows-missing';

/** Something in a month that somebody should look at. */
export interface QualityAlarm {
  readonly kind: QualityAlarmKind;
  readonly brand: string;
  readonly vehicle: string;
  readonly month: string;
  readonly count: number;
}

/** Of what the quality is wanted. */
export interface QualityOptions {
  /** First month that is reported, as a day of it, yyyy-MM-dd. Default: all. */
  readonly since?: string | undefined;
  /** VINs or pseudonyms. Default: all vehicles. */
  readonly vehicles?: readonly ({ readonly vin: string } | { readonly vehicle: string })[] | undefined;
  /**
   * How long a trip must have been over, in milliseconds, when an export took its day as complete without it, to count as late. Default
   * an hour.
   */
  readonly lateAfterMs?: number | undefined;
}
