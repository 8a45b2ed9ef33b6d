import { attempt } from './attempt.js';
import type { ReadAudit } from './audit/read-audit.js';
import type { BegunWithdrawal, WithdrawalAudit } from './audit/withdrawal-audit.js';
import { anonymous, authUnavailable, type ClientAuth } from './auth/client.js';
import { type ProxyConfig, type ResolvedConfig, resolveConfig } from './config.js';
import type { VehicleEvents } from './events/vehicle-events.js';
import { Fence, type FencedRequest } from './fence/fence.js';
import { type ForwardPlan, noToken } from './forward/forward-plan.js';
import { Forwarder } from './forward/forwarder.js';
import { compilePlanner } from './forward/plan-request.js';
import { ClientLeft, RequestLifetime } from './forward/request-lifetime.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';
import { ClientsInFlight } from './limits/clients-in-flight.js';
import type { RateLimits } from './limits/rate-limits.js';
import { type DriftListener, DriftReport } from './observability/drift-report.js';
import {
  brokenOff,
  describeError,
  type Observer,
  OpenRecord,
  observeTogether,
  type RequestRecord,
} from './observability/observer.js';
import type { RequestSpan, Tracing } from './observability/spans.js';
import { clientAddress, forwardedForHeader } from './request/client-address.js';
import { corsHeaders, preflightHeaders } from './request/cors.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { matchRoute, pathOf } from './request/routes.js';
import { traceContext } from './request/trace-context.js';
import { errorBody, ProxyError, proxyError } from './response/proxy-error.js';
import { type ResponseWriter, respond } from './response/response-writer.js';
import type { TokenSource } from './upstream-token/token-source.js';

const encoder = new TextEncoder();

/** What a runtime brings to the pipeline besides its configuration. */
export interface PipelineParts {
  readonly transport: UpstreamTransport;
  /** Default: nobody is notified. */
  readonly observer?: Observer;
  /** Default: anyone may call. */
  readonly clientAuth?: ClientAuth;
  /** Default: no limits. */
  readonly limits?: RateLimits;
  /** Access tokens for the upstream, where the configuration leaves them to the proxy. Default: none. */
  readonly tokens?: TokenSource;
  /** Notes every withdrawal before it is sent, and its outcome. Default: none is noted. */
  readonly audit?: WithdrawalAudit;
  /** Notes each request that read data. Default: none is noted. */
  readonly reads?: ReadAudit;
  /** What must not leave after a withdrawal. Default: what this process alone knows of withdrawals. */
  readonly fence?: Fence;
  /** Notifies others when a consent has ended. Default: nobody is notified. */
  readonly events?: VehicleEvents;
  /** Receives each violation of the contract once. Default: nobody is notified. */
  readonly onDrift?: DriftListener;
  /** Starts a span for each request. Default: none, and the upstream gets the trace context of the client. */
  readonly tracing?: Tracing;
}

/** Makes what a reload replaces. */
function activate(given: ProxyConfig, parts: PipelineParts, drift: DriftReport) {
  const config = resolveConfig(given);
  const { transport } = parts;
  const forwarder = new Forwarder({ config, transport, drift });
  return { config, parts, forwarder, planRequest: compilePlanner(config, transport.keepsCoding) };
}

/** Everything that happens to a request, in the order in which the request meets it. */
export class Pipeline {
  readonly drift: DriftReport;
  readonly #observer: Required<Observer>;
  #active: ReturnType<typeof activate>;
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
    this.#active = activate(config, parts, this.drift);
  }

  /** Continues with another configuration and other parts. Requests in progress end as they began. */
  use(config: ProxyConfig, parts: PipelineParts): void {
    this.#active.parts.transport.close();
    this.#active = activate(config, parts, this.drift);
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
    const { config, parts, forwarder, planRequest } = this.#active;
    const preflight = preflightHeaders(config.cors, request);
    if (preflight !== null) {
      this.#attempt(request.requestId, () => {
        out.begin(204, preflight, null);
        out.end();
      });
      return;
    }
    const { clientAuth, limits } = parts;
    const { record, span, trace } = this.#begin(request);
    const lifetime = new RequestLifetime(config.deadlineMs, this.fence.onTick);
    let responseHeaders = corsHeaders(config.cors, request.header('origin'));
    let plan: ForwardPlan | null = null;
    let fenced: FencedRequest | null = null;
    let withdrawal: Promise<BegunWithdrawal | null> | null = null;
    let counted = '';
    this.#inFlight++;
    try {
      out.listen(lifetime);
      if (this.#inFlight > config.maxInFlight) throw overloaded(inFlightReason);

      const match = matchRoute(pathOf(request.target));
      if (match !== null) record.template = match.route.template;
      // Only a method of the contract: any other could be chosen to carry something into the log.
      if (match?.route.operations.has(request.method)) record.method = request.method;

      const failures = clientAuth && limits?.failures;
      const waitSeconds = failures?.waitSeconds(record.address) ?? 0;
      const slowAuth = () => overloaded('client authentication was slow');
      const client =
        clientAuth === undefined
          ? anonymous
          : await lifetime.wait(clientAuth.authenticate(request, waitSeconds > 0), slowAuth);
      if (client === authUnavailable)
        throw proxyError('client-auth-unavailable', [], ['retry-after', '10'], 'credentials cannot be checked');
      if (client === null || 'rejected' in client) {
        // Whoever has good credentials at the same address still passes.
        if (waitSeconds > 0) throw limited(unauthenticatedReason, waitSeconds);
        failures?.count(record.address);
        const challenge = ['www-authenticate', clientAuth?.challenge ?? 'Bearer'];
        throw proxyError('invalid-client-credentials', [], challenge, client?.rejected);
      }
      record.client = client.id;
      // Who reads slowly keeps no more than a share from the others; where clients are not told apart there is nobody to share with.
      if (client.id !== '') {
        if (!this.#clients.enter(client.id, config.maxInFlightPerClient)) throw limited(clientInFlightReason);
        counted = client.id;
      }

      plan = planRequest(match, request, client, trace);
      const mayUse = plan.vehicle === '' ? client.vehicles === null : (client.vehicles?.allows(plan.vehicle) ?? true);
      const slowVehicles = () => overloaded('the vehicles of the client were slow to check');
      if (mayUse !== true && !(await lifetime.wait(mayUse, slowVehicles))) throw proxyError('operation-not-allowed');

      fenced = this.fence.enter(plan, client.id, lifetime);
      const slowFence = () => overloaded('the fence was slow to check');
      const blocked = fenced.rejection();
      const rejection = blocked instanceof Promise ? await lifetime.wait(blocked, slowFence) : blocked;
      if (rejection !== null) throw rejection;

      if (limits !== undefined) {
        // No vehicle's limit may stop a withdrawal.
        const taken = limits.take(client, plan.brand, plan.request.repeatable ? plan.vehicle : '');
        const limitHeaders = await lifetime.wait(taken, () => overloaded('rate limiting was slow'));
        responseHeaders = [...responseHeaders, ...limitHeaders];
      }

      const tokens = (plan.token === 'token-endpoint' && parts.tokens) || null;
      let token: string | null = '';
      if (tokens !== null) {
        token = tokens.current(plan.brand) ?? (await lifetime.wait(tokens.obtain(plan.brand), () => noToken(1)));
        if (token === null) throw noToken(tokens.retryAfterSeconds(plan.brand));
      }
      if (!plan.request.repeatable && parts.audit !== undefined) {
        // Half of the time is left for the withdrawal itself, however slow the disk is.
        withdrawal = parts.audit.begin(record, plan.brand, plan.vehicle, config.deadlineMs / 2);
        if ((await lifetime.wait(withdrawal, notAudited)) === null) throw notAudited();
      }
      const writer = fenced.writer(out, record, config.allowStopAll);
      await forwarder.forward({ plan, tokens, token, responseHeaders, out: writer, lifetime, record });
      const settling = fenced.settle();
      if (settling !== null) await settling;
    } catch (error) {
      this.#endWithError(error, out, record, responseHeaders);
    } finally {
      this.#inFlight--;
      fenced?.leave();
      if (counted !== '') this.#clients.leave(counted);
      lifetime.end();
      record.durationMs = performance.now() - lifetime.startedMs;
      this.#finish(record, span);
      if (plan !== null && parts.events !== undefined)
        this.#attempt(record.requestId, noteEnd(parts.events, plan, record, fenced?.hasWithdrawn ?? false));
      if (plan?.request.repeatable === false) this.#endWithdrawal(withdrawal, record, parts.audit);
      // What was not sent has read nothing: a flood of rejected requests takes no room.
      else if (plan !== null && record.attempts > 0) parts.reads?.read(record, plan);
    }
  }

  /** Notes how a request to withdraw ended. One that was rejected before it could be sent is counted: a flood of those takes no room. */
  #endWithdrawal(
    withdrawal: Promise<BegunWithdrawal | null> | null,
    record: RequestRecord,
    audit: WithdrawalAudit | undefined,
  ): void {
    this.#attempt(record.requestId, async () => {
      const begun = await withdrawal;
      return begun === null ? audit?.rejected(record) : begun.end(record);
    });
  }

  /** Responds to a request whose head is not good, and notes it. */
  reject(request: Omit<IncomingRequest, 'method' | 'target'>, error: ProxyError, out: ResponseWriter): void {
    const { record, span } = this.#begin(request);
    this.#endWithError(error, out, record, []);
    this.#finish(record, span);
  }

  /**
   * The one place where an error ends a request: with the error envelope, or with a cut when the response has begun. An error that is no
   * `ProxyError` is reported without its message and becomes `internal-error`.
   */
  #endWithError(error: unknown, out: ResponseWriter, record: OpenRecord, headers: readonly string[]): void {
    if (error instanceof ClientLeft) {
      if (this.breaksOff) {
        // The proxy has left, and not the client. A response that has begun keeps its status.
        record.code = brokenOff;
        record.reason = 'the time to drain was over';
        return;
      }
      record.code = error.code;
      record.reason = error.message;
      if (error.code === 'client-too-slow') this.#attempt(record.requestId, () => out.cut());
      else record.status = 0;
      return;
    }
    const known = error instanceof ProxyError;
    if (!known) this.report(error, record.requestId);
    const shown = known ? error : proxyError('internal-error', [], [], 'an unexpected error');
    record.code = shown.code;
    record.reason = shown.reason;
    try {
      // A response that has begun is broken off.
      if (record.status !== 0) out.cut();
      else {
        record.status = shown.status;
        // Who has no good credentials does not hold a connection.
        if (shown.code === 'invalid-client-credentials' || shown.reason === unauthenticatedReason)
          out.closeAfterwards?.();
        const all = ['content-type', 'application/json', ...shown.headers, ...headers];
        respond(out, shown.status, all, encoder.encode(errorBody(shown, record.requestId)));
      }
    } catch (second) {
      this.report(second, record.requestId);
      out.cut();
    }
  }

  /** Begins the record of a request, and its span. */
  #begin(request: Omit<IncomingRequest, 'method' | 'target'>) {
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

function noteEnd(events: VehicleEvents, plan: ForwardPlan, record: RequestRecord, hasWithdrawn: boolean) {
  return () => events.ended(plan, record, hasWithdrawn);
}

function notAudited(): ProxyError {
  return proxyError('audit-unavailable', [], ['retry-after', '10'], 'the audit log cannot be written');
}

/** Reasons of requests that a limit of the proxy's own has rejected. */
export const inFlightReason = 'too many requests in flight';
export const clientInFlightReason = 'too many requests of the client in flight';
export const unauthenticatedReason = 'too many requests without good credentials from the address';

function limited(reason: string, seconds = 1): ProxyError {
  return proxyError('rate-limited', [], ['retry-after', String(seconds)], reason);
}

function overloaded(reason: string): ProxyError {
  return proxyError('overloaded', [], ['retry-after', '1'], reason);
}
