import type { Call } from './call.js';
import type { VehicleDataError } from './errors.js';
import type { OperationId } from './generated/operations.js';
import type { AnswerIssue } from './validate-answer.js';

/** What hooks and logger see of a call: never a token, a VIN, an address, a query or a body. */
export interface CallEvent {
  readonly operation: OperationId;
  readonly method: string;
  /** Path template. */
  readonly route: string;
  /** 1 for the first attempt, 0 before it. */
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
  readonly onRetry?: ((event: CallEvent, error: VehicleDataError) => void) | undefined;
  /** The call failed. */
  readonly onError?: ((event: CallEvent, error: VehicleDataError) => void) | undefined;
  /** The answer breaks the contract (`validate.mode` is `report` or `enforce`). */
  readonly onInvalidAnswer?: ((event: CallEvent, issues: readonly AnswerIssue[]) => void) | undefined;
}

/** A logger of the usual shape; `console` fits. Requests and answers are `debug`, retries and invalid answers `warn`. */
export interface Logger {
  debug(message: string, fields: CallEvent): void;
  warn(message: string, fields: CallEvent): void;
  error(message: string, fields: CallEvent): void;
}

const levels = {
  onRequest: 'debug',
  onResponse: 'debug',
  onRetry: 'warn',
  onInvalidAnswer: 'warn',
  onError: 'error',
} as const;

type Outcome = Pick<CallEvent, 'status' | 'requestId' | 'code' | 'delayMs'>;

/** Tells hook and logger about a step of a call. */
export function report<Step extends keyof Hooks>(
  call: Call,
  step: Step,
  { status, requestId, code, delayMs }: Outcome = {},
  subject?: unknown,
): void {
  const { operation, settings, attempt, startedAt } = call;
  const { hooks, logger, clock } = settings;
  if (!hooks && !logger) return;
  const event: CallEvent = {
    operation: operation.id,
    method: operation.method,
    route: operation.path,
    attempt,
    durationMs: clock.now() - startedAt,
    status,
    requestId,
    code,
    delayMs,
  };
  // Each step has one kind of subject, which its callers below this line give.
  const hook = hooks?.[step] as ((event: CallEvent, subject: unknown) => void) | undefined;
  quietly(() => hook?.(event, subject));
  quietly(() => logger?.[levels[step]](`vehicle data: ${operation.id} ${step.slice(2)}`, event));
}

/** Runs an observer, whose faults are its own. */
export function quietly(observe: () => void): void {
  try {
    observe();
  } catch {}
}
