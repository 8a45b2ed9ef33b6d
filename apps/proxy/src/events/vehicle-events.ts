import type { Withdrawn } from '../fence/fence.js';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';

/** Finds out from requests what has become of consents, and notifies others. */
export interface VehicleEvents {
  /**
   * Queues the event of a withdrawal whose fence stands. Resolves when it outlives the process, or after a second: then it follows. Its
   * delivery is waited for by nobody. Never rejects.
   */
  withdrawn(withdrawn: Withdrawn): Promise<void>;
  /** Receives every request that was planned, when it has ended. Returns at once: no request waits for an event. */
  ended(plan: ForwardPlan, record: RequestRecord): void;
}
