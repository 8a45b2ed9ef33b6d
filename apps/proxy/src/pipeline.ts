// The pipeline: all steps of a request in their order, and what a process keeps for all of them. Every runtime runs this one.
import { attempt } from './attempt.js';
import { type ProxyConfig, type ResolvedConfig, resolveConfig } from './config.js';
import { Fence } from './fence/fence.js';
import { compileChecks } from './forward/check-request.js';
import { Forwarder } from './forward/forwarder.js';
import { compilePlanner } from './forward/plan-request.js';
import { RequestLifetime } from './forward/request-lifetime.js';
import { ClientsInFlight } from './limits/clients-in-flight.js';
import { DriftReport } from './observability/drift-report.js';
import {
  describeError,
  type Observer,
  OpenRecord,
  observeTogether,
  type RequestRecord,
} from './observability/observer.js';
import type { RequestSpan } from './observability/spans.js';
import type { PipelineParts } from './pipeline-parts.js';
import { clientAddress, forwardedForHeader } from './request/client-address.js';
import { corsHeaders, preflightHeaders } from './request/cors.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { traceContext } from './request/trace-context.js';
import type { ProxyError } from './response/proxy-error.js';
import type { ResponseWriter } from './response/response-writer.js';
import { endWithError } from './steps/end-with-error.js';
import { type CallOwner, ProxyCall } from './steps/proxy-call.js';
import { clientInFlightReason, inFlightReason, limited, overloaded } from './steps/rejections.js';
import {
  authenticate,
  checkAgainstContract,
  enterFence,
  noteWithdrawal,
  routeOf,
  takeFromLimits,
  tokenFor,
} from './steps/steps.js';

/** Makes what a reload replaces. */
function activate(given: ProxyConfig, parts: PipelineParts, drift: DriftReport) {
  const config = resolveConfig(given);
  const { transport } = parts;
  const forwarder = new Forwarder({ config, transport, drift });
  return {
    config,
    parts,
    forwarder,
    check: compileChecks(config),
    plan: compilePlanner(config, transport.keepsCoding),
  };
}

type Active = ReturnType<typeof activate>;

/** Everything that happens to a request, in the order in which the request meets it. */
export class Pipeline {
  readonly drift: DriftReport;
  readonly #observer: Required<Observer>;
  #owner: Owner;
  #inFlight = 0;
  readonly fence: Fence;
  /** They go on over a reload, as the requests do. */
  readonly #clients = new ClientsInFlight();
  /** Whether the proxy is about to stop. Requests are still served; readiness says no. */
  draining = false;
  /** Whether the proxy breaks off, from now on, what has not ended in the time to drain. */
  breaksOff = false;

  constructor(config: ProxyConfig, parts: PipelineParts) {
    this.drift = new DriftReport((finding) => this.#attempt('', () => parts.onDrift?.(finding)));
    this.#observer = observeTogether(parts.observer === undefined ? [] : [parts.observer]);
    this.fence = parts.fence ?? new Fence();
    this.#owner = this.#ownerWith(config, parts);
  }

  /** Continues with another configuration and other parts. Requests in progress end as they began. */
  use(config: ProxyConfig, parts: PipelineParts): void {
    this.#active.parts.transport.close();
    this.#owner = this.#ownerWith(config, parts);
  }

  get #active(): Active {
    return this.#owner.active;
  }

  get config(): ResolvedConfig {
    return this.#active.config;
  }

  get forwarder(): Forwarder {
    return this.#active.forwarder;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The most requests that one client has in flight. */
  get mostOfOneClient(): number {
    return this.#clients.most;
  }

  /** Handles a request of the contract, from its head to the end of its response. Never rejects. */
  async handle(request: IncomingRequest, out: ResponseWriter): Promise<void> {
    if (this.respondsToPreflight(request, out)) return;
    const call = this.begin(request, out);
    const { parts, check } = this.#activeOf(call);
    try {
      this.admit(call);
      if (parts.clientAuth !== undefined) await authenticate(call, parts.clientAuth, parts.limits);
      const checking = checkAgainstContract(call, check);
      if (checking !== undefined) await checking;
      const counting = parts.limits && takeFromLimits(call, parts.limits);
      if (counting !== undefined) await counting;
      await this.send(call);
    } catch (error) {
      call.fail(error);
    }
    call.end();
  }

  /** Responds to the preflight of a browser whose page may call; `false` when a request is none. */
  respondsToPreflight(request: IncomingRequest, out: ResponseWriter): boolean {
    const preflight = preflightHeaders(this.config.cors, request);
    if (preflight === null) return false;
    this.#attempt(request.requestId, () => {
      out.begin(204, preflight, null);
      out.end();
    });
    return true;
  }

  /** Begins a call, which this pipeline ends. */
  begin(request: IncomingRequest, out: ResponseWriter): ProxyCall {
    const { config } = this.#active;
    const lifetime = new RequestLifetime(config.deadlineMs, this.fence.onTick);
    const call = new ProxyCall({ request, out, lifetime, ...this.#beginRecord(request) }, this.#owner);
    call.responseHeaders = corsHeaders(config.cors, request.header('origin'));
    this.#inFlight++;
    return call;
  }

  /** Takes over a call that somebody else has begun, with what it has found out so far. */
  adopt(call: ProxyCall): void {
    const { config } = this.#active;
    call.owner = this.#owner;
    // It is checked by the rules of this configuration, whatever was checked before.
    call.checked = null;
    call.lifetime.continueWith(config.deadlineMs, this.fence.onTick);
    call.responseHeaders = [...corsHeaders(config.cors, call.request.header('origin')), ...call.responseHeaders];
    this.#inFlight++;
    if (this.#inFlight > config.maxInFlight) throw overloaded(inFlightReason);
    this.#share(call, config);
  }

  /** Listens to what happens to the response, and rejects a request beyond those that may be in flight. */
  admit(call: ProxyCall): void {
    call.out.listen(call.lifetime);
    if (this.#inFlight > this.#activeOf(call).config.maxInFlight) throw overloaded(inFlightReason);
    routeOf(call);
  }

  /** Sends the request, and passes its response. */
  async send(call: ProxyCall): Promise<void> {
    const { config, parts, forwarder, check } = this.#activeOf(call);
    if (call.checked === null) await checkAgainstContract(call, check);
    const { plan, fenced, out, lifetime, record, responseHeaders } = call;
    if (plan === null || fenced === null) return;
    const tokens = (plan.token === 'token-endpoint' && parts.tokens) || null;
    const obtained = tokenFor(call, plan, tokens);
    const token = obtained instanceof Promise ? await obtained : obtained;
    // Half of the time is left for the withdrawal itself, however slow the disk is.
    if (!plan.request.repeatable && parts.audit !== undefined)
      await noteWithdrawal(call, plan, parts.audit, config.deadlineMs / 2);
    const writer = fenced.writer(out, record, config.allowStopAll);
    await forwarder.forward({ plan, tokens, token, responseHeaders, out: writer, lifetime, record });
    const settling = fenced.settle();
    if (settling !== null) await settling;
  }

  /** Whatever a reload replaces meanwhile, a call ends as it began. */
  #activeOf(call: ProxyCall): Active {
    return call.owner instanceof Owner ? call.owner.active : this.#active;
  }

  #ownerWith(config: ProxyConfig, parts: PipelineParts): Owner {
    const active = activate(config, parts, this.drift);
    return new Owner(active, {
      recognized: (call) => this.#share(call, active.config),
      checked: (call) => this.#guard(call, active),
      failed: (call, error) =>
        endWithError(error, call, this.breaksOff, (unknown) => this.report(unknown, call.record.requestId)),
      ended: (call) => this.#ended(call, parts),
    });
  }

  /** Leaves a client no more than its share of the requests in flight. Where clients are not told apart there is nobody to share with. */
  #share(call: ProxyCall, { maxInFlightPerClient }: ResolvedConfig): void {
    const { id } = call.client;
    if (id === '') return;
    if (!this.#clients.enter(id, maxInFlightPerClient)) throw limited(clientInFlightReason);
    call.counted = id;
  }

  /** Plans what is sent, and rejects what a withdrawal or an operator has blocked. */
  #guard(call: ProxyCall, { plan }: Active): void | Promise<void> {
    if (call.checked === null) return;
    call.plan = plan(call.checked, call.request, call.trace);
    return enterFence(call, call.plan, this.fence);
  }

  #ended(call: ProxyCall, parts: PipelineParts): void {
    const { plan, record, withdrawal, lifetime } = call;
    this.#inFlight--;
    call.fenced?.leave();
    if (call.counted !== '') this.#clients.leave(call.counted);
    lifetime.end();
    record.durationMs = performance.now() - lifetime.startedMs;
    this.#finish(record, call.span);
    if (plan === null) return;
    const { audit, events, reads } = parts;
    if (events !== undefined) this.#attempt(record.requestId, () => events.ended(plan, record));
    // One that was rejected before it could be sent is counted: a flood of those takes no room.
    if (!plan.request.repeatable)
      this.#attempt(record.requestId, async () => {
        const begun = await withdrawal;
        return begun === null ? audit?.rejected(record) : begun.end(record);
      });
    // What was not sent has read nothing: a flood of rejected requests takes no room.
    else if (record.attempts > 0) reads?.read(record, plan);
  }

  /** Responds to a request whose head is not good, and notes it. */
  reject(request: Omit<IncomingRequest, 'method' | 'target'>, error: ProxyError, out: ResponseWriter): void {
    const { record, span } = this.#beginRecord(request);
    endWithError(error, { out, record, responseHeaders: [] }, this.breaksOff, (unknown) =>
      this.report(unknown, record.requestId),
    );
    this.#finish(record, span);
  }

  /** Begins the record of a request, and its span. */
  #beginRecord(request: Omit<IncomingRequest, 'method' | 'target'>) {
    const { config, parts } = this.#active;
    const record = new OpenRecord(request.requestId);
    record.address = clientAddress(request.peerAddress, request.header(forwardedForHeader), config.trustedHops);
    const sent = traceContext(request);
    const span = this.#attempt(record.requestId, () => parts.tracing?.(sent)) ?? null;
    const trace = span?.context ?? sent;
    record.traceParent = trace.parent;
    return { record, span, trace };
  }

  #finish(record: RequestRecord, span: RequestSpan | null): void {
    this.#observer.call(record);
    if (span !== null) this.#attempt(record.requestId, () => span.end(record));
  }

  /** Reports an error that no rule foresees, without its message. */
  report(error: unknown, requestId: string): void {
    this.#observer.unexpected(describeError(error, requestId));
  }

  /** Takes a step that is not the pipeline's own. What it throws or rejects with is reported, and changes nothing for the request. */
  #attempt<T>(requestId: string, step: () => T): T | null {
    return attempt(step, (error) => this.report(error, requestId));
  }
}

/** Owns the calls that began with one configuration. */
class Owner implements CallOwner {
  readonly active: Active;
  readonly recognized: NonNullable<CallOwner['recognized']>;
  readonly checked: NonNullable<CallOwner['checked']>;
  readonly failed: CallOwner['failed'];
  readonly ended: CallOwner['ended'];

  constructor(active: Active, { recognized, checked, failed, ended }: Required<CallOwner>) {
    this.active = active;
    this.recognized = recognized;
    this.checked = checked;
    this.failed = failed;
    this.ended = ended;
  }
}
