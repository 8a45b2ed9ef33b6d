// Who has read the data of a vehicle, as far as this sandbox has seen it. Behind a proxy, the audit log of the proxy knows more: its clients.
import * as v from 'valibot';

const row = v.object({
  client: v.string(),
  operation: v.string(),
  count: v.number(),
  good: v.number(),
  last: v.string(),
  from: v.optional(v.string(), ''),
  to: v.optional(v.string(), ''),
});

/** The members of `vds-proxy audit who --json` that the page of an owner shows. */
export const accounting = v.object({
  /** The name of the vehicle in the log and in receipts. */
  vehicle: v.string(),
  rows: v.array(row),
});

/** Who has read the data of one vehicle. */
export type OwnerAccounting = v.InferOutput<typeof accounting>;

type Row = OwnerAccounting['rows'][number];

const maxVehicles = 1000;
const maxRows = 100;

/** One request for the data of a vehicle. */
export interface Read {
  readonly vin: string;
  /** `User-Agent` of the client. */
  readonly client: string;
  readonly operation: string;
  readonly isGood: boolean;
  readonly time: string;
  readonly from: string;
  readonly to: string;
}

/** Counts requests for the data of vehicles, in memory: of the 1,000 vehicles that were read last. */
export class Reads {
  readonly #byVin = new Map<string, Map<string, Row>>();

  add({ vin, client, operation, isGood, time, from, to }: Read): void {
    const rows = this.#byVin.get(vin) ?? new Map<string, Row>();
    this.#byVin.delete(vin);
    this.#byVin.set(vin, rows);
    const [oldest = ''] = this.#byVin.keys();
    if (this.#byVin.size > maxVehicles) this.#byVin.delete(oldest);
    const key = JSON.stringify([client, operation]);
    const before = rows.get(key);
    if (before === undefined && rows.size >= maxRows) return;
    rows.set(key, {
      client,
      operation,
      count: (before?.count ?? 0) + 1,
      good: (before?.good ?? 0) + (isGood ? 1 : 0),
      last: time,
      from: [from, before?.from ?? from].sort()[0] ?? '',
      to: [to, before?.to ?? to].sort()[1] ?? '',
    });
  }

  of(vin: string): OwnerAccounting {
    const rows = [...(this.#byVin.get(vin)?.values() ?? [])];
    return { vehicle: '', rows: rows.sort((one, other) => (one.last < other.last ? 1 : -1)) };
  }

  clear(): void {
    this.#byVin.clear();
  }
}
