import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';

/** Finds out from finished requests what has become of consents, and notifies others. */
export interface VehicleEvents {
  /**
   * Receives every request that was planned, when it has ended. Returns at once: no request waits for an event.
   *
   * @param hasWithdrawn whether it was a withdrawal that took effect
   */
  ended(plan: ForwardPlan, record: RequestRecord, hasWithdrawn: boolean): void;
}
