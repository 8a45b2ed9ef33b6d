import { errorCatalogue, type OperationId, operations } from '@vehicle-data/openapi';
import { z } from 'zod';
import { dirtyKinds, isDirtyKind } from './dirty-data.js';
import { Random } from './fleet/random.js';

/** Which calls a fault affects: all, unless narrowed. */
const scope = {
  vin: z.string().optional(),
  operationId: z.enum(Object.keys(operations)).optional(),
  /** Share of the calls that are affected, 0 to 1; all of them by default. */
  probability: z.number().min(0).max(1).optional(),
  /** Seed of the draw for `probability`; 1 by default. */
  seed: z.int().min(0).max(4_294_967_295).optional(),
  /** After how many affected calls the fault is over; never by default. */
  times: z.int().min(1).max(1_000_000).optional(),
};
const plainKinds = [
  'expired-token',
  'cut-body',
  'stalled-body',
  'wrong-content-type',
  'malformed-json',
  ...Object.keys(dirtyKinds).filter(isDirtyKind),
] as const;
const code = z.enum(errorCatalogue.map((entry) => entry.code));
const retryAfterSeconds = z.number().min(0).max(86_400).optional();
export const fault = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('latency'), latencyMs: z.number().min(0).max(600_000), ...scope }),
    z.strictObject({ kind: z.literal('error'), code, retryAfterSeconds, ...scope }),
    z.strictObject({ kind: z.literal('status'), status: z.int().min(200).max(599), retryAfterSeconds, ...scope }),
    z.strictObject({ kind: z.enum(plainKinds), ...scope }),
  ],
  `kind must be latency, error, status, ${plainKinds.join(', ')}`,
);
/** One fault: what goes wrong, and for which calls. Durations are in the unit of their name. */
export type Fault = Readonly<z.infer<typeof fault>>;

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
