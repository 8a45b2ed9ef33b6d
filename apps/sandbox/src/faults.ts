import type { ErrorCode } from '@vehicle-data/openapi';
import { type Answer, type CallFacts, errorEntry, failure, toResponse } from './answer.js';
import { changeMembers, type MemberChange } from './fault-members.js';
import { breakOff, pause } from './fault-transport.js';
import { Random } from './fleet/random.js';
import type { Match } from './routes.js';
import { bearerOf, type Tokens } from './tokens.js';

/** What goes wrong. Durations are in milliseconds, `retryAfterSeconds` in seconds. */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly latencyMs: number }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  | {
      readonly kind:
        | 'expired-token'
        | 'cut-body'
        | 'stalled-body'
        | 'wrong-content-type'
        | 'malformed-json'
        | MemberChange;
    };

/** Which calls a fault meets: all, unless narrowed. */
export interface FaultScope {
  readonly vin?: string | undefined;
  readonly operationId?: string | undefined;
  /** Share of the calls that are met, 0 to 1; all of them unless set. */
  readonly probability?: number | undefined;
  /** Seed of the draw for `probability`; 1 unless set. */
  readonly seed?: number | undefined;
  /** After how many met calls the fault is over; never unless set. */
  readonly times?: number | undefined;
}

/** One fault: what goes wrong, and for which calls. */
export type Fault = FaultScope & FaultEffect;

interface ActiveFault {
  readonly fault: Fault;
  readonly random: Random;
  timesLeft: number;
}

/** A call on its way through the faults. */
interface FaultyCall {
  readonly request: Request;
  readonly match: Match | undefined;
  /** The raw query with its `?`, or nothing. */
  readonly query: string;
  readonly facts: CallFacts;
  readonly tokens: Tokens;
  /** The answer without faults. */
  readonly answer: () => Promise<Answer>;
}

/** Seconds of a Retry-After that was not set. */
const usualRetryAfterSeconds = 30;

/** The faults that are switched on. Several may meet the same call; then all apply, and the first error or status is the answer. */
export class Faults {
  #active: ActiveFault[] = [];

  get none(): boolean {
    return this.#active.length === 0;
  }

  list(): readonly Fault[] {
    return this.#active.map(({ fault }) => fault);
  }

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      this.#active.push({
        fault,
        random: new Random('fault', fault.seed ?? 1),
        timesLeft: fault.times ?? Number.POSITIVE_INFINITY,
      });
    }
  }

  clear(): void {
    this.#active = [];
  }

  /** Answers a call with whatever faults meet it. */
  async play(call: FaultyCall): Promise<Response> {
    const met = this.#meet(call);
    for (const effect of met) if (effect.kind === 'latency') await pause(effect.latencyMs, call.request.signal);
    const replaced = met.map((effect) => replacement(effect, call)).find((answer) => answer !== undefined);
    let answer = replaced ?? (await call.answer());
    let transport: 'cut-body' | 'stalled-body' | undefined;
    for (const { kind } of met) {
      if (kind === 'cut-body' || kind === 'stalled-body') transport = kind;
      else if (kind === 'wrong-content-type') answer.headers['content-type'] = 'text/html';
      else if (kind === 'malformed-json') answer = { ...answer, body: `${text(answer).slice(0, -1)},` };
      else if (kind === 'null-members' || kind === 'unknown-members' || kind === 'out-of-range') {
        if (answer.status === 200) answer = { ...answer, body: changeMembers(text(answer), kind, call.match?.id) };
      }
    }
    const response = toResponse(answer);
    return transport ? breakOff(response, text(answer), transport, call.request.signal) : response;
  }

  #meet(call: FaultyCall): readonly FaultEffect[] {
    const vin = call.match?.path['vin'] ?? new URLSearchParams(call.query).get('vin');
    return this.#active
      .filter((active) => {
        const { fault, random } = active;
        if (active.timesLeft <= 0) return false;
        if (fault.vin !== undefined && fault.vin !== vin) return false;
        if (fault.operationId !== undefined && fault.operationId !== call.match?.id) return false;
        if (fault.probability !== undefined && !random.chance(fault.probability)) return false;
        active.timesLeft--;
        return true;
      })
      .map(({ fault }) => fault);
  }
}

/** The answer that an effect gives in place of the service's, if it is one of that kind. */
function replacement(effect: FaultEffect, { request, facts, tokens }: FaultyCall): Answer | undefined {
  if (effect.kind === 'error') {
    const answer = failure(facts, effect.code);
    const waits = effect.retryAfterSeconds !== undefined || errorEntry(effect.code)?.status === 429;
    if (waits) answer.headers['retry-after'] = String(effect.retryAfterSeconds ?? usualRetryAfterSeconds);
    return answer;
  }
  if (effect.kind === 'status') {
    const { status, retryAfterSeconds } = effect;
    const headers: Record<string, string> = { 'content-type': 'text/html', 'x-request-id': facts.requestId };
    if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
    // What a balancer in front of a service sends when the service itself does not answer.
    return { status, headers, body: `<!doctype html><title>${status}</title><h1>${status}</h1>` };
  }
  if (effect.kind === 'expired-token') {
    const token = bearerOf(request.headers.get('authorization') ?? '');
    if (token === undefined) return undefined;
    tokens.expire(token);
    return failure(facts, '4011');
  }
  return undefined;
}

function text({ body }: Answer): string {
  if (typeof body === 'string') return body;
  const decoder = new TextDecoder();
  return body.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}
