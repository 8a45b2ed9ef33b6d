import type { CallOptions, VehicleDataClient } from '@vehicle-data/client';

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
}
