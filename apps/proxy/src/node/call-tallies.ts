import type { CallRecord } from '../observer.js';

/** Upper bounds of the classes of durations, in seconds. */
export const durationClasses = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Only these stand in a label; a caller could send any other word. */
const methods = new Set(['GET', 'DELETE', '-']);

/** Numbers of the finished calls of one kind. */
export interface CallTally {
  readonly method: string;
  /** Route template. */
  readonly route: string;
  readonly status: number;
  readonly code: string;
  calls: number;
  /** Calls of which at least one request went to the service; durations, bytes and attempts are theirs. */
  sent: number;
  attempts: number;
  bytes: number;
  seconds: number;
  /** Calls by the class of their duration; the last one holds what is longer than every class. */
  readonly byClass: number[];
}

/** Counts finished calls by route, method, status and code. */
export class CallTallies {
  readonly #byRoute = new Map<string, CallTally[]>();

  /** Every tally. */
  *all(): Iterable<CallTally> {
    for (const ofRoute of this.#byRoute.values()) yield* ofRoute;
  }

  /** Counts one call. */
  add(record: CallRecord): void {
    const tally = this.#tallyOf(record);
    tally.calls++;
    if (record.attempts === 0) return;
    const seconds = record.durationMs / 1000;
    tally.sent++;
    tally.attempts += record.attempts;
    tally.bytes += record.bytes;
    tally.seconds += seconds;
    let place = 0;
    while (place < durationClasses.length && seconds > (durationClasses[place] ?? 0)) place++;
    tally.byClass[place] = (tally.byClass[place] ?? 0) + 1;
  }

  #tallyOf(record: CallRecord): CallTally {
    const { template: route, status, code } = record;
    const method = methods.has(record.method) ? record.method : 'other';
    let ofRoute = this.#byRoute.get(route);
    if (ofRoute === undefined) {
      ofRoute = [];
      this.#byRoute.set(route, ofRoute);
    }
    for (const tally of ofRoute)
      if (tally.status === status && tally.code === code && tally.method === method) return tally;
    const byClass = new Array<number>(durationClasses.length + 1).fill(0);
    const numbers = { calls: 0, sent: 0, attempts: 0, bytes: 0, seconds: 0, byClass };
    const tally: CallTally = { method, route, status, code, ...numbers };
    ofRoute.push(tally);
    return tally;
  }
}
