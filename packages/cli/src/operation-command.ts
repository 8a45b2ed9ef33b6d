import type { CallOptions, TripIterator, TripIteratorOptions, VehicleDataClient } from '@vehicle-data/client';
import type { EnumerationColumn, EnumerationSummary, NumberColumn, NumberSummary } from '@vehicle-data/client/series';

/** What a response says beside its payload, as far as commands show it. */
export interface CommandResponse {
  readonly data: object;
  readonly requestId?: string | undefined;
  /** Age of the record in milliseconds; `null` where the record has no time. */
  readonly dataAgeMs?: number | null;
}

/** A command made from an operation of the contract. */
export interface OperationCommand {
  readonly operationId: string;
  /** Words of the command, such as `vehicles list`. */
  readonly words: readonly string[];
  /** A shorter word for the same command. */
  readonly alias: string | null;
  readonly summary: string;
  readonly deprecated: boolean;
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly description: string }[];
  /** Member of `data` that holds a list; `null` for a record. */
  readonly items: string | null;
  /** Members of one item of the list. */
  readonly columns: readonly string[];
  /** Unit of each measured member, by its dotted path. */
  readonly units: Readonly<Record<string, string>>;
  readonly measuredAt: string | null;
  /** JSON Schema of `data`. */
  readonly dataSchema: object;
  readonly call: (
    client: VehicleDataClient,
    given: Readonly<Record<string, string | undefined>>,
    options: CallOptions,
  ) => Promise<CommandResponse>;
}

/** A trip with its signals, whatever series it is of. */
export interface ReadTrip {
  readonly trip: object;
  readonly columns: {
    readonly startTime: number | null;
    readonly durationMs: number | null;
    readonly length: number;
    readonly columns: Readonly<Record<string, NumberColumn | EnumerationColumn | undefined>>;
  };
  readonly summary: {
    readonly distance: { readonly value: number; readonly unit: string } | null;
    readonly signals: Readonly<Record<string, NumberSummary | EnumerationSummary | undefined>>;
  };
}

/** The days of a range for one vehicle. */
export interface CommandRange {
  readonly vin: string;
  readonly from: string;
  readonly to: string;
  readonly zoneId?: string;
}

/** A series of trips of the contract. */
export interface SeriesCommand {
  readonly name: string;
  readonly operationId: string;
  readonly startTime: string;
  readonly duration: string;
  readonly signals: Readonly<Record<string, object>>;
  readonly trips: (
    client: VehicleDataClient,
    range: CommandRange,
    options: TripIteratorOptions,
  ) => TripIterator<object>;
  /** Trips of at most as many days as one request may have, as sent. */
  readonly window: (
    client: VehicleDataClient,
    days: {
      readonly vin: string;
      readonly startDate: string;
      readonly endDate: string;
      readonly zoneId: string;
    },
    options: CallOptions,
  ) => Promise<readonly object[]>;
  /** Reads every trip of a range with its columns and summary. */
  readonly read: (
    client: VehicleDataClient,
    range: CommandRange,
    options: TripIteratorOptions,
  ) => Promise<readonly ReadTrip[]>;
}
