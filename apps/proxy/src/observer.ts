/** What is known about one finished call. No member ever holds a path, query, VIN, place, nickname or token. */
export interface CallRecord {
  readonly requestId: string;
  readonly method: string;
  /** Path template of the contract, own page, or `-` when the request matched none. */
  readonly template: string;
  /** Status sent to the caller; 0 when the caller left before one was sent. */
  readonly status: number;
  /** Error code, `upstream-error` for a passed error answer, or empty for success. */
  readonly code: string;
  /** What happened, in fixed words. */
  readonly reason: string;
  /** Requests sent to the service for this call. */
  readonly attempts: number;
  /** Bytes of the body handed on. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Identifier of the caller, or empty. */
  readonly caller: string;
  /** The caller's `traceparent`, or empty. */
  readonly traceParent: string;
}

/** Hears of every finished call. */
export interface Observer {
  call(record: CallRecord): void;
}

/** Lets several hear of every call. */
export function observeTogether(observers: readonly Observer[]): Observer {
  return {
    call(record) {
      for (const observer of observers) observer.call(record);
    },
  };
}

/** Hears and does nothing. */
export const silentObserver: Observer = { call() {} };
