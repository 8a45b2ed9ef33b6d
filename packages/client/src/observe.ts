import type { VehicleDataError } from './errors.js';
import type { OperationId } from './generated/operation-ids.js';
import type { ResponseIssue } from './responses.js';

/** One attempt of a call. */
export interface Attempt {
  readonly operation: OperationId;
  readonly method: string;
  /** Path template. */
  readonly route: string;
  /** 1 for the first attempt, 0 before it. */
  readonly attempt: number;
  readonly brand: string;
  /** The `tag` of the client, where it has one. */
  readonly tag?: string;
}

/** What hooks and logger see of a call: never a token, a VIN, an address, a query or a body. */
export interface CallEvent extends Attempt {
  /** Milliseconds since the call began. */
  readonly durationMs: number;
  readonly status?: number;
  readonly requestId?: string;
  /** Error code of a failed attempt. */
  readonly code?: string;
  /** Pause before the next attempt in milliseconds. */
  readonly delayMs?: number;
}

/** Functions that are called as a call proceeds. What they throw or reject with is dropped: observing never breaks a call. */
export interface Hooks {
  /** An attempt is about to be sent. */
  readonly onRequest?: ((event: CallEvent) => unknown) | undefined;
  /** A successful response was read. */
  readonly onResponse?: ((event: CallEvent) => unknown) | undefined;
  /** An attempt failed and another follows. */
  readonly onRetry?: ((event: CallEvent, error: VehicleDataError) => unknown) | undefined;
  /** A request waits because a rate limit was reached; `delayMs` says how long. */
  readonly onThrottle?: ((event: CallEvent) => unknown) | undefined;
  /** The call failed. */
  readonly onError?: ((event: CallEvent, error: VehicleDataError) => unknown) | undefined;
  /** The response breaks the contract (`validate.mode` is `report` or `enforce`). */
  readonly onInvalidResponse?: ((event: CallEvent, issues: readonly ResponseIssue[]) => unknown) | undefined;
}

/**
 * A logger of the usual shape; `console` and a winston logger fit, `pinoLogger()` makes one of pino. Requests and responses
 * are `debug`, and so are calls that you ended and "no data"; retries, waits and invalid responses `warn`; failures `error`.
 */
export interface Logger {
  debug(message: string, fields: CallEvent): unknown;
  warn(message: string, fields: CallEvent): unknown;
  error(message: string, fields: CallEvent): unknown;
}

/** Least level that a logger receives. */
export type LogLevel = keyof Logger | 'off';
export const logLevels: readonly LogLevel[] = ['debug', 'warn', 'error', 'off'];

const levelOfStep = {
  onRequest: 'debug',
  onResponse: 'debug',
  onRetry: 'warn',
  onThrottle: 'warn',
  onInvalidResponse: 'warn',
  onError: 'error',
} as const satisfies Record<keyof Hooks, keyof Logger>;
export const hookNames: readonly string[] = Object.keys(levelOfStep);

/** The level of a step. A call that user code ended, and "no data", are normal ends of a call. */
export function levelOf(step: keyof Hooks, subject?: VehicleDataError | readonly ResponseIssue[]): keyof Logger {
  if (step !== 'onError' || !subject || !('resolution' in subject)) return levelOfStep[step];
  const isNormal = subject.code === 'aborted' || subject.resolution === 'no-data';
  return isNormal ? 'debug' : levelOfStep[step];
}

/** A logger that takes the fields first, as pino does. */
export type FieldsFirstLogger = Readonly<Record<keyof Logger, (fields: CallEvent, message: string) => unknown>>;

/**
 * A logger for the client made of a pino logger, which takes the fields before the message.
 *
 * @example
 * createVehicleDataClient({ baseUrl, brand, logger: pinoLogger(pino()) });
 */
export function pinoLogger(pino: FieldsFirstLogger): Logger {
  return {
    debug: (message, fields) => pino.debug(fields, message),
    warn: (message, fields) => pino.warn(fields, message),
    error: (message, fields) => pino.error(fields, message),
  };
}
