import type { Call } from './call.js';
import type { Attempt } from './call-options.js';
import type { VehicleDataError } from './errors.js';
import type { ResponseIssue } from './middleware.js';

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
 * are `debug`; retries, waits and invalid responses `warn`; failures `error`.
 */
export interface Logger {
  debug(message: string, fields: CallEvent): unknown;
  warn(message: string, fields: CallEvent): unknown;
  error(message: string, fields: CallEvent): unknown;
}

/** Least level that a logger receives. */
export type LogLevel = keyof Logger | 'off';
export const logLevels: readonly LogLevel[] = ['debug', 'warn', 'error', 'off'];

const levelOf = {
  onRequest: 'debug',
  onResponse: 'debug',
  onRetry: 'warn',
  onThrottle: 'warn',
  onInvalidResponse: 'warn',
  onError: 'error',
} as const satisfies Record<keyof Hooks, LogLevel>;
export const hookNames: readonly string[] = Object.keys(levelOf);

/** What names an attempt to user code. */
export function attemptOf({ operation: { id, method, path }, attempt, brand }: Call): Attempt {
  return { operation: id, method, route: path, attempt, brand };
}

/** Calls hook and logger for a step of a call. */
export function report<Step extends keyof Hooks>(
  call: Call,
  step: Step,
  { status, requestId, code, delayMs }: { readonly [Name in keyof CallEvent]?: CallEvent[Name] | undefined } = {},
  subject?: unknown,
): void {
  const { hooks, logger, logLevel = 'debug' } = call;
  const known = Object.entries({ status, requestId, code, delayMs }).filter(([, value]) => value !== undefined);
  const durationMs = call.clock.now() - call.startedAt;
  const event: CallEvent = { ...attemptOf(call), durationMs, ...Object.fromEntries(known) };
  // Each step has one kind of subject, which the code that reports it gives.
  const observers = hooks as Readonly<Record<string, (event: CallEvent, subject: unknown) => unknown>> | undefined;
  quietly(() => observers?.[step]?.(event, subject));
  const level = levelOf[step];
  if (logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return;
  const facts = [code, status && `HTTP ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  quietly(() =>
    logger?.[level](`vehicle data: ${call.operation.name} ${step.slice(2)}${facts && ` (${facts})`}`, event),
  );
}

/** Runs an observer, whose faults are its own: those of an async function too. */
export function quietly(observe: () => unknown): void {
  // Whatever it throws or rejects with.
  (async () => observe())().catch(() => undefined);
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
