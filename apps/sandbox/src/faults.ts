import { type ErrorCode, type OperationId, type OperationSpec, operations } from '@vehicle-data/openapi';
import { type DirtyKind, dirtyKinds, makeDirty } from './dirty-data.js';
import { breakOff, pause } from './fault-transport.js';
import { Random } from './fleet/random.js';
import { responses } from './generated/responses.js';
import { bodyText, type CallFacts, errorEntry, failure, type Reply, toResponse } from './reply.js';
import { bearerOf, type Tokens } from './tokens.js';

/** What goes wrong. Durations are in milliseconds, `retryAfterSeconds` in seconds. */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly latencyMs: number }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: PlainFaultKind };

/** The kinds of faults that have no members of their own. */
export const plainFaultKinds = [
  'expired-token',
  'cut-body',
  'stalled-body',
  'wrong-content-type',
  'malformed-json',
  ...dirtyKinds,
] as const;

export type PlainFaultKind = (typeof plainFaultKinds)[number];

/** Which calls a fault affects: all, unless narrowed. */
export interface FaultScope {
  readonly vin?: string | undefined;
  readonly operationId?: string | undefined;
  /** Share of the calls that are affected, 0 to 1; all of them by default. */
  readonly probability?: number | undefined;
  /** Seed of the draw for `probability`; 1 by default. */
  readonly seed?: number | undefined;
  /** After how many affected calls the fault is over; never by default. */
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
  readonly operationId: OperationId | undefined;
  readonly vin: string | undefined;
  readonly facts: CallFacts;
  readonly tokens: Tokens;
  /** The response without faults. */
  readonly reply: () => Reply | Promise<Reply>;
}

/** Seconds of a Retry-After that was not set. */
const usualRetryAfterSeconds = 30;

/** The faults that are switched on. Several may affect the same call; then all apply, and the first error or status is the response. */
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
      const timesLeft = fault.times ?? Number.POSITIVE_INFINITY;
      this.#active.push({ fault, random: new Random('fault', fault.seed ?? 1), timesLeft });
    }
  }

  clear(): void {
    this.#active = [];
  }

  /** Responds to a call with whatever faults affect it. */
  async play(call: FaultyCall): Promise<Response> {
    const effects = this.#affecting(call);
    const { signal } = call.request;
    for (const effect of effects) if (effect.kind === 'latency') await pause(effect.latencyMs, signal);
    let reply = effects.map((effect) => replacement(effect, call)).find((found) => found !== undefined);
    reply ??= await call.reply();
    for (const { kind } of effects) reply = changed(reply, kind, call);
    const transport = effects
      .map(({ kind }) => kind)
      .findLast((kind) => kind === 'cut-body' || kind === 'stalled-body');
    return transport ? breakOff(toResponse(reply), bodyText(reply), transport, signal) : toResponse(reply);
  }

  #affecting({ vin, operationId }: FaultyCall): readonly FaultEffect[] {
    return this.#active
      .filter((active) => {
        const { fault, random } = active;
        if (active.timesLeft <= 0) return false;
        if (fault.vin !== undefined && fault.vin !== vin) return false;
        if (fault.operationId !== undefined && fault.operationId !== operationId) return false;
        if (fault.probability !== undefined && !random.chance(fault.probability)) return false;
        active.timesLeft--;
        return true;
      })
      .map(({ fault }) => fault);
  }
}

/** The response that an effect gives in place of the service's, if it is one of that kind. */
function replacement(effect: FaultEffect, { request, facts, tokens }: FaultyCall): Reply | undefined {
  if (effect.kind === 'error') {
    const reply = failure(facts, effect.code);
    const waits = effect.retryAfterSeconds !== undefined || errorEntry(effect.code)?.status === 429;
    if (waits) reply.headers['retry-after'] = String(effect.retryAfterSeconds ?? usualRetryAfterSeconds);
    return reply;
  }
  if (effect.kind === 'status') {
    const { status, retryAfterSeconds } = effect;
    const headers: Record<string, string> = { 'content-type': 'text/html', 'x-request-id': facts.requestId };
    if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
    // What a balancer in front of a service sends when the service itself does not respond.
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

function changed(reply: Reply, kind: FaultEffect['kind'], { operationId, facts }: FaultyCall): Reply {
  if (kind === 'wrong-content-type') return { ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } };
  if (kind === 'malformed-json') return { ...reply, body: `${bodyText(reply).slice(0, -1)},` };
  const dirty = dirtyKinds.find((known) => known === kind);
  return dirty && operationId ? dirtyReply(reply, dirty, operationId, facts) : reply;
}

/** A success with dirty data; an error stays as it is. */
export function dirtyReply(reply: Reply, kind: DirtyKind, id: OperationId, { nowMs }: CallFacts): Reply {
  const schema = responses[id]?.data;
  if (typeof reply.body === 'string' || reply.body.data === undefined || schema === undefined) return reply;
  const { series }: OperationSpec = operations[id];
  return { ...reply, body: { ...reply.body, data: makeDirty(kind, reply.body.data, { schema, series, nowMs }) } };
}
