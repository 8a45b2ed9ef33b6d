import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';

/** Keeps account of requests that read data. */
export interface ReadAudit {
  /** Notes a request that was sent to the upstream and has ended. Returns at once, and never throws. */
  read(record: RequestRecord, plan: ForwardPlan): void;
}
