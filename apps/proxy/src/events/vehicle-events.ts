import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';

/** Finds out from finished requests what has become of consents, and notifies others. */
export interface VehicleEvents {
  /** Receives every request that was planned, when it has ended. Returns at once: no request waits for an event. */
  ended(plan: ForwardPlan, record: RequestRecord): void;
}
