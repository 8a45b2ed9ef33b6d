import { errorCatalogue, type OperationId, operations } from '@vehicle-data/openapi';
import * as v from 'valibot';
import { dirtyKinds, isDirtyKind } from './dirty-data.js';
import { Random } from './fleet/random.js';

const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));
const whole = (least: number, most: number) => v.pipe(between(least, most), v.integer());

/** Which calls a fault affects: all, unless narrowed. */
const scope = {
  vin: v.optional(v.string()),
  operationId: v.optional(v.picklist(Object.keys(operations))),
  /** Share of the calls that are affected, 0 to 1; all of them by default. */
  probability: v.optional(between(0, 1)),
  /** Seed of the draw for `probability`; 1 by default. */
  seed: v.optional(whole(0, 4_294_967_295)),
  /** After how many affected calls the fault is over; never by default. */
  times: v.optional(whole(1, 1_000_000)),
};
const plainKinds = [
  'expired-token',
  'cut-body',
  'stalled-body',
  'wrong-content-type',
  'malformed-json',
  ...Object.keys(dirtyKinds).filter(isDirtyKind),
] as const;
const code = v.picklist(errorCatalogue.map((entry) => entry.code));
const retryAfterSeconds = v.optional(between(0, 86_400));
export const fault = v.variant(
  'kind',
  [
    v.strictObject({ kind: v.literal('latency'), latencyMs: between(0, 600_000), ...scope }),
    v.strictObject({ kind: v.literal('error'), code, retryAfterSeconds, ...scope }),
    v.strictObject({ kind: v.literal('status'), status: whole(200, 599), retryAfterSeconds, ...scope }),
    v.strictObject({ kind: v.picklist(plainKinds), ...scope }),
  ],
  `kind must be latency, error, status, ${plainKinds.join(', ')}`,
);
/** One fault: what goes wrong, and for which calls. Durations are in the unit of their name. */
export type Fault = Readonly<v.InferOutput<typeof fault>>;

/** The faults that are switched on. Several may affect the same call; then all apply, and the first error or status is the response. */
export class Faults {
  #active: { readonly fault: Fault; readonly random: Random; timesLeft: number }[] = [];

  list(): readonly Fault[] {
    return this.#active.map(({ fault }) => fault);
  }

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      const { seed = 1, times: timesLeft = Number.POSITIVE_INFINITY } = fault;
      this.#active.push({ fault, random: new Random('fault', seed), timesLeft });
    }
  }

  clear(): void {
    this.#active = [];
  }

  /** The faults that affect one call. */
  affecting(vin: string | undefined, operationId: OperationId | undefined): readonly Fault[] {
    return this.#active.flatMap((active) => {
      const { fault, random } = active;
      if ((fault.vin ?? vin) !== vin || (fault.operationId ?? operationId) !== operationId) return [];
      if (active.timesLeft === 0 || !random.chance(fault.probability ?? 1)) return [];
      active.timesLeft--;
      return fault;
    });
  }
}
