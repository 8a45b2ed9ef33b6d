import { type Attempt, type CallEvent, type Hooks, levelOf, logLevels } from '../observe.js';
import type { Call } from './call.js';

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
