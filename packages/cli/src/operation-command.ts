import type { CallOptions, TripIteratorOptions, VehicleDataClient } from '@vehicle-data/client';
import type { EnumerationColumn, EnumerationSummary, NumberColumn, NumberSummary } from '@vehicle-data/client/series';
import { CliError } from './cli-error.js';

/** A command made from an operation of the contract. */
export interface OperationCommand {
  readonly operationId: string;
  /** Words of the command, such as `vehicles list`. */
  readonly words: readonly string[];
  /** A shorter word for the same command. */
  readonly alias: string | null;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly description: string }[];
  /** Member of `data` that holds a list; `null` for a record. */
  readonly items: string | null;
  /** Members of one item of the list. */
  readonly columns: readonly string[];
  /** Unit of each measured member, by its dotted path. */
  readonly units: Readonly<Record<string, string>>;
  /** JSON Schema of `data`. */
  readonly dataSchema: object;
  /** Calls the operation. `dataAgeMs` is the age of the record, `null` where the record has no time. */
  readonly call: (
    client: VehicleDataClient,
    given: Readonly<Record<string, string | undefined>>,
    options: CallOptions,
  ) => Promise<{ readonly data: object; readonly dataAgeMs?: number | null }>;
}

/** A trip with its signals, whatever series it is of. */
export interface ReadTrip {
  readonly trip: object;
  readonly columns: {
    readonly startTime: number | null;
    readonly durationMs: number | null;
    readonly columns: Readonly<Record<string, NumberColumn | EnumerationColumn | undefined>>;
  };
  readonly summary: {
    readonly distance: { readonly value: number; readonly unit: string } | null;
    readonly signals: Readonly<Record<string, NumberSummary | EnumerationSummary | undefined>>;
  };
}

export interface SeriesCommand {
  readonly name: string;
  readonly operationId: string;
  readonly startTime: string;
  readonly duration: string;
  readonly signals: Readonly<Record<string, object>>;
  /** Trips of at most as many days as one request may have, as sent. */
  readonly window: (
    client: VehicleDataClient,
    days: Readonly<Record<'vin' | 'startDate' | 'endDate' | 'zoneId', string>>,
    options: CallOptions,
  ) => Promise<readonly object[]>;
  /** Reads every trip of a range with its columns and summary. */
  readonly read: (
    client: VehicleDataClient,
    range: Readonly<Record<'vin' | 'from' | 'to' | 'zoneId', string>>,
    options: TripIteratorOptions,
  ) => Promise<readonly ReadTrip[]>;
}

const mostTrips = 20_000;

/** The trips of an iteration as a list, up to 20,000: what is shown at once must fit in memory. */
export async function collect<Trip>(trips: AsyncIterable<Trip>): Promise<readonly Trip[]> {
  const list: Trip[] = [];
  for await (const trip of trips) {
    list.push(trip);
    if (list.length > mostTrips)
      throw new CliError('too-many-trips', `the range has more than ${mostTrips} trips; choose fewer days`);
  }
  return list;
}
