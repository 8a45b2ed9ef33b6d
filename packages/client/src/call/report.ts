// What hooks and logger receive.
import { type Attempt, type CallEvent, type Hooks, levelOf, logLevels } from '../observe.js';
import type { Call } from './call.js';

/** What names an attempt to user code. */
export function attemptOf({ operation: { id, method, path }, attempt, brand, tag }: Call): Attempt {
  return { operation: id, method, route: path, attempt, brand, ...(tag !== undefined && { tag }) };
}

/** What is known at a step, beside the attempt. */
type StepFacts = { readonly [Name in 'status' | 'requestId' | 'code' | 'delayMs']?: CallEvent[Name] | undefined };

/** Calls hook and logger for a step of a call. */
export function report<Step extends keyof Hooks>(
  call: Call,
  step: Step,
  { status, requestId, code, delayMs }: StepFacts = {},
  subject?: unknown,
): void {
  const { hooks, logger, logLevel, operation } = call;
  if (!hooks && !logger) return;
  const known = Object.entries({ status, requestId, code, delayMs }).filter(([, value]) => value !== undefined);
  const durationMs = call.clock.now() - call.startedAt;
  const event: CallEvent = { ...attemptOf(call), durationMs, ...Object.fromEntries(known) };
  // Each step has one kind of subject, which the code that reports it gives.
  const observers = hooks as Readonly<Record<string, (event: CallEvent, subject: unknown) => unknown>> | undefined;
  quietly(() => observers?.[step]?.(event, subject));
  const level = levelOf(step, step === 'onError' ? (subject as Parameters<typeof levelOf>[1]) : undefined);
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
