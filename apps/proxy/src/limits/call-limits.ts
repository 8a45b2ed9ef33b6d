import type { Caller } from '../callers/caller.js';
import type { Refusal } from '../refusal.js';

/** What the limits say of one call: refused, or passed with headers for its answer (name, value, name, value). */
export type LimitVerdict =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'pass'; readonly headers: readonly string[] };

/** Counts calls against the limits of callers and vehicles. */
export interface CallLimits {
  /** @param vehicle the VIN of the call, or empty when it names none; it is not kept in the clear outside this process */
  take(caller: Caller, vehicle: string): LimitVerdict | Promise<LimitVerdict>;
}
