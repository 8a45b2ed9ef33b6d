import type { RequestRecord } from '../observability/observer.js';

/** A withdrawal of consent that may be sent. */
export interface BegunWithdrawal {
  /** Notes how it ended. Called once. */
  end(record: RequestRecord): void;
}

/** Keeps account of withdrawals of consent: each is noted before it is sent and once more when it has ended. */
export interface WithdrawalAudit {
  /**
   * Notes that a withdrawal is about to be sent.
   *
   * @param vehicle the VIN, or empty for all vehicles of the brand
   * @param withinMs time after which the withdrawal no longer waits for its note, in milliseconds
   * @returns `null` when it must not be sent
   */
  begin(record: RequestRecord, brand: string, vehicle: string, withinMs: number): Promise<BegunWithdrawal | null>;
  /** Counts a request to withdraw that was rejected before it was sent. */
  rejected(record: RequestRecord): void;
}
