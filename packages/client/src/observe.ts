import type { VehicleDataError } from './errors.js';
import type { OperationId } from './generated/operations.js';
import type { AnswerIssue } from './validate-answer.js';

/** What hooks and logger see of a call: never a token, a VIN, an address, a query or a body. */
export interface CallEvent {
  readonly operation: OperationId;
  readonly method: string;
  /** Path template. */
  readonly route: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Milliseconds since the call began. */
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Error code of a failed attempt. */
  readonly code?: string | undefined;
  /** Pause before the next attempt in milliseconds. */
  readonly delayMs?: number | undefined;
}

/** Functions that are called as a call goes on. What they throw is dropped: observing never breaks a call. */
export interface Hooks {
  /** An attempt is about to be sent. */
  readonly onRequest?: ((event: CallEvent) => void) | undefined;
  /** A successful answer was read. */
  readonly onResponse?: ((event: CallEvent) => void) | undefined;
  /** An attempt failed and another follows. */
  readonly onRetry?: ((event: CallEvent) => void) | undefined;
  /** The call failed. */
  readonly onError?: ((event: CallEvent, error: VehicleDataError) => void) | undefined;
  /** The answer breaks the contract (`validate.mode` is `report` or `enforce`). */
  readonly onInvalidAnswer?: ((event: CallEvent, issues: readonly AnswerIssue[]) => void) | undefined;
}

/** A logger of the usual shape; `console` fits. */
export interface Logger {
  debug(message: string, fields: CallEvent): void;
  warn(message: string, fields: CallEvent): void;
  error(message: string, fields: CallEvent): void;
}

/** Tells hook and logger, and lets neither break the call. */
export function tell(notify: () => void): void {
  try {
    notify();
  } catch {
    // An observer's fault is its own.
  }
}
