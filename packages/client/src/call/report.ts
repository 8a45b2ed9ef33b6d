// What hooks and logger receive.
import type { VehicleDataError } from '../errors.js';
import { type Attempt, type CallEvent, levelOf, logLevels } from '../observe.js';
import type { ResponseIssue } from '../responses.js';
import type { Call } from './call.js';

/** What names an attempt to user code. */
export function attemptOf({ operation: { id, method, path }, attempt, brand, tag }: Call): Attempt {
  return { operation: id, method, route: path, attempt, brand, ...(tag !== undefined && { tag }) };
}

/** What a hook receives beside the event. */
interface Subjects {
  readonly onRequest: [];
  readonly onResponse: [];
  readonly onRetry: [error: VehicleDataError];
  readonly onThrottle: [];
  readonly onError: [error: VehicleDataError];
  readonly onInvalidResponse: [issues: readonly ResponseIssue[]];
}

type Observers = {
  readonly [Step in keyof Subjects]?: ((event: CallEvent, ...subject: Subjects[Step]) => unknown) | undefined;
};

/** What is known at a step, beside the attempt. */
type StepFacts = { readonly [Name in 'status' | 'requestId' | 'code' | 'delayMs']?: CallEvent[Name] | undefined };

/** Calls hook and logger for a step of a call. */
export function report<Step extends keyof Subjects>(
  call: Call,
  step: Step,
  { status, requestId, code, delayMs }: StepFacts,
  ...subject: Subjects[Step]
): void {
  const { logger, logLevel, operation } = call;
  const hooks: Observers | undefined = call.hooks;
  if (!hooks && !logger) return;
  const known = Object.entries({ status, requestId, code, delayMs }).filter(([, value]) => value !== undefined);
  const durationMs = call.clock.now() - call.startedAt;
  const event: CallEvent = { ...attemptOf(call), durationMs, ...Object.fromEntries(known) };
  quietly(() => hooks?.[step]?.(event, ...subject));
  const level = levelOf(step, subject[0]);
  if (logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return;
  const facts = [code, status && `HTTP ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  const message = `vehicle data: ${operation.name} ${step.slice(2)}${facts && ` (${facts})`}`;
  quietly(() => logger?.[level](message, event));
}

/** Runs an observer, whose faults are its own: those of an async function too. */
export function quietly(observe: () => unknown): void {
  // Whatever it throws or rejects with.
  (async () => observe())().catch(() => undefined);
}
