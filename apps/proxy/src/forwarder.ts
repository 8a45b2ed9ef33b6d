import type { OperationId } from '@vehicle-data/openapi';
import type { AnswerChecks } from './answer-check.js';
import type { AnswerOut } from './answer-out.js';
import type { CallTimes } from './call-clock.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { Exchange } from './exchange.js';
import type { CallRecord, Observer } from './observer.js';
import { refusal } from './refusal.js';
import { RetryBudget } from './retry-budget.js';
import type { UpstreamCall, UpstreamTransport } from './transport.js';
import type { Watch } from './watch.js';

/** A checked call, ready to be sent. */
export interface ForwardPlan {
  readonly operationId: OperationId;
  /** Path template, for logs and metrics. */
  readonly template: string;
  readonly requestId: string;
  readonly coding: 'gzip' | 'identity';
  readonly call: UpstreamCall;
  /** Identifier of the caller, or empty. */
  readonly caller: string;
  /** The caller's `traceparent`, or empty. */
  readonly traceParent: string;
  readonly brand: string;
  /** The VIN that the call names, or empty. */
  readonly vehicle: string;
  /** Whether the call still needs an access token of the proxy. */
  readonly needsToken: boolean;
  /** Gets another token after the service has rejected the one in the call; `null` when the token is the caller's own. */
  readonly replaceToken: (() => Promise<ReplacedCall>) | null;
}

/** What became of a call whose token the service rejected. */
export type ReplacedCall =
  | { readonly kind: 'call'; readonly call: UpstreamCall }
  | { readonly kind: 'same' }
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number };

/** How a call ended for its caller. */
export type CallOutcome = Pick<CallRecord, 'code' | 'status' | 'reason' | 'attempts' | 'bytes'>;

/** What a call says about the health of the service; a caller that left early says nothing. */
export type ServiceVerdict = 'fine' | 'failed' | 'unknown';

/** What a forwarder is made of. */
export interface ForwarderParts {
  readonly transport: UpstreamTransport;
  readonly watch: Watch;
  readonly observer: Observer;
  readonly checks: AnswerChecks;
  readonly deadlineMs: number;
  readonly maxInFlight: number;
  readonly serverTiming: boolean;
}

const noHeaders: readonly string[] = [];

/** Sends calls to one service within its limits: calls in flight, circuit breaker, retry budget, deadlines. */
export class Forwarder {
  readonly transport: UpstreamTransport;
  readonly watch: Watch;
  readonly times: CallTimes;
  readonly checks: AnswerChecks;
  readonly breaker = new CircuitBreaker();
  /** Whether answers say in `Server-Timing` how long the service took. */
  readonly serverTiming: boolean;
  readonly #observer: Observer;
  readonly #maxInFlight: number;
  readonly #retries = new RetryBudget();
  #inFlight = 0;

  constructor(parts: ForwarderParts) {
    this.transport = parts.transport;
    this.watch = parts.watch;
    this.#observer = parts.observer;
    this.checks = parts.checks;
    this.serverTiming = parts.serverTiming;
    this.#maxInFlight = parts.maxInFlight;
    const { deadlineMs } = parts;
    this.times = { deadlineMs, headMs: deadlineMs * 0.8, quietMs: deadlineMs * 0.5 };
  }

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Sends a call, or sheds it with 503. Returns `null` when it was shed.
   *
   * @param answerHeaders further headers for the caller's answer, as name, value, name, value
   */
  start(plan: ForwardPlan, out: AnswerOut, answerHeaders: readonly string[] = noHeaders): Exchange | null {
    const nowMs = performance.now();
    const full = this.#inFlight >= this.#maxInFlight;
    if (full || !this.breaker.admits(nowMs)) {
      const waitSeconds = full ? 1 : Math.max(1, Math.ceil(this.breaker.waitMs(nowMs) / 1000));
      const refused = refusal('overloaded', [], ['retry-after', String(waitSeconds)]);
      out.refuse(refused);
      const reason = full ? 'too many calls in flight' : 'the circuit breaker is open';
      this.#record(plan, { code: refused.code, status: refused.status, reason, attempts: 0, bytes: 0 }, nowMs);
      return null;
    }
    this.#inFlight++;
    this.#retries.earn();
    return new Exchange(this, plan, out, answerHeaders, nowMs);
  }

  /** Whether the retry budget allows one more attempt. */
  mayRetry(): boolean {
    return this.#retries.take();
  }

  /** Notes the end of a call. */
  finished(plan: ForwardPlan, outcome: CallOutcome, service: ServiceVerdict, startedMs: number): void {
    this.#inFlight--;
    if (service !== 'unknown') this.breaker.settle(service === 'failed', performance.now());
    this.#record(plan, outcome, startedMs);
  }

  #record(plan: ForwardPlan, outcome: CallOutcome, startedMs: number): void {
    const { requestId, template, call, caller, traceParent } = plan;
    const durationMs = performance.now() - startedMs;
    this.#observer.call({ requestId, method: call.method, template, ...outcome, durationMs, caller, traceParent });
  }
}
