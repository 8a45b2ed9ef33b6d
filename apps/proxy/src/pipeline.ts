import { anonymous, authUnavailable, type ClientAuth } from './auth/client.js';
import { type ProxyConfig, type ResolvedConfig, resolveConfig, servedOperations } from './config.js';
import { type ForwardPlan, noToken, type WithdrawalListener, withToken } from './forward/forward-plan.js';
import { Forwarder } from './forward/forwarder.js';
import type { ForwardedRequest } from './forward/proxied-request.js';
import { RequestLifetime } from './forward/request-lifetime.js';
import type { Ticker } from './forward/ticker.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';
import type { RateLimits } from './limits/rate-limits.js';
import { type DriftListener, DriftReport } from './observability/drift-report.js';
import {
  describeError,
  type Observer,
  observeTogether,
  openRecord,
  type RequestRecord,
} from './observability/observer.js';
import type { RequestSpan, Tracing } from './observability/spans.js';
import { clientAddress, forwardedForHeader } from './request/client-address.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { compilePlanner, pathOf } from './request/plan-request.js';
import { compileRoutes } from './request/routes.js';
import { type TraceContext, traceContext } from './request/trace-context.js';
import { corsHeaders } from './response/cors.js';
import { endWithError } from './response/end-with-error.js';
import { type ProxyError, proxyError } from './response/proxy-error.js';
import { ResponseChecks } from './response/response-check.js';
import type { ResponseWriter } from './response/response-writer.js';
import { type TokenSource, tokenReplacer } from './upstream-token/token-source.js';

/** What a runtime brings to the pipeline besides its configuration. */
export interface PipelineParts {
  readonly transport: UpstreamTransport;
  readonly ticker: Ticker;
  /** Default: nobody is notified. */
  readonly observer?: Observer;
  /** Default: anyone may call. */
  readonly clientAuth?: ClientAuth;
  /** Default: no limits. */
  readonly limits?: RateLimits;
  /** Access tokens for the upstream, where the configuration leaves them to the proxy. Default: none. */
  readonly tokens?: TokenSource;
  /** Receives every withdrawal with its outcome. Default: nobody is notified. */
  readonly onWithdrawal?: WithdrawalListener;
  /** Receives each violation of the contract once. Default: nobody is notified. */
  readonly onDrift?: DriftListener;
  /** Starts a span for each request. Default: none, and the upstream gets the trace context of the client. */
  readonly tracing?: Tracing;
}

/** Everything that happens to a request, in the order in which the request meets it. */
export class Pipeline {
  config: ResolvedConfig;
  readonly drift: DriftReport;
  forwarder: Forwarder;
  #parts: PipelineParts;
  readonly #observer: Required<Observer>;
  readonly #matchRoute = compileRoutes(servedOperations);
  #planRequest: ReturnType<typeof compilePlanner>;
  #inFlight = 0;
  /** Whether the proxy is about to stop. Requests are still served; readiness says no. */
  draining = false;

  constructor(config: ProxyConfig, parts: PipelineParts) {
    this.config = resolveConfig(config);
    this.drift = new DriftReport(parts.onDrift);
    const checks = new ResponseChecks(this.config.validateResponses, this.drift);
    this.forwarder = new Forwarder({ ...this.config, transport: parts.transport, checks });
    this.#parts = parts;
    this.#observer = observeTogether(parts.observer === undefined ? [] : [parts.observer]);
    this.#planRequest = compilePlanner(this.config, parts.transport.keepsCoding);
  }

  /** Continues with another configuration and other parts. Requests in progress end as they began. */
  use(config: ProxyConfig, parts: PipelineParts): void {
    this.config = resolveConfig(config);
    const checks = new ResponseChecks(this.config.validateResponses, this.drift);
    this.forwarder.transport.close();
    this.forwarder = new Forwarder({ ...this.config, transport: parts.transport, checks });
    this.#parts = parts;
    this.#planRequest = compilePlanner(this.config, parts.transport.keepsCoding);
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Handles a request of the contract, from its head to the end of its response. Never rejects. */
  async handle(request: IncomingRequest, out: ResponseWriter): Promise<void> {
    const { clientAuth, limits, tokens, ticker } = this.#parts;
    const record = openRecord(request.requestId);
    const lifetime = new RequestLifetime(ticker, this.config.deadlineMs);
    let responseHeaders = corsHeaders(this.config.cors, request.header('origin'));
    let plan: ForwardPlan | null = null;
    record.address = clientAddress(request.peerAddress, request.header(forwardedForHeader), this.config.trustedHops);
    const sentTrace = traceContext(request);
    const span = this.#startSpan(sentTrace, record.requestId);
    const trace = span?.context ?? sentTrace;
    record.traceParent = trace.parent;
    this.#inFlight++;
    try {
      out.listen(lifetime);
      if (this.#inFlight > this.config.maxInFlight) throw overloaded('too many requests in flight');

      const match = this.#matchRoute(pathOf(request.target));
      if (match !== null) record.template = match.route.template;
      // Only a method of the contract: any other could be chosen to carry something into the log.
      if (match?.route.operations.has(request.method)) record.method = request.method;

      const client =
        clientAuth === undefined
          ? anonymous
          : await lifetime.wait(clientAuth.authenticate(request), () => overloaded('client authentication was slow'));
      if (client === null)
        throw proxyError('invalid-client-credentials', [], ['www-authenticate', clientAuth?.challenge ?? 'Bearer']);
      if (client === authUnavailable) throw proxyError('client-auth-unavailable', [], ['retry-after', '10']);
      record.client = client.id;

      plan = this.#planRequest(match, request, client, trace);
      const mayUse = plan.vehicle === '' ? client.vehicles === null : (client.vehicles?.allows(plan.vehicle) ?? true);
      const slowVehicles = () => overloaded('the vehicles of the client were slow to check');
      if (mayUse !== true && !(await lifetime.wait(mayUse, slowVehicles))) throw proxyError('operation-not-allowed');

      if (limits !== undefined) {
        // No vehicle's limit may stop a withdrawal.
        const counted = limits.take(client, plan.brand, plan.request.repeatable ? plan.vehicle : '');
        const verdict = await lifetime.wait(counted, () => overloaded('rate limiting was slow'));
        if (verdict.kind === 'reject') throw verdict.proxyError;
        responseHeaders = [...responseHeaders, ...verdict.headers];
      }

      let { request: upstreamRequest } = plan;
      let replaceToken: ForwardedRequest['replaceToken'] = null;
      if (plan.needsToken && tokens !== undefined) {
        const current = tokens.current(plan.brand);
        const token = current ?? (await lifetime.wait(tokens.obtain(plan.brand), () => noToken(1)));
        if (token === null) throw noToken(tokens.retryAfterSeconds(plan.brand));
        upstreamRequest = withToken(plan.request, token);
        replaceToken = tokenReplacer(tokens, plan, token);
      }
      const forwarded = { plan, request: upstreamRequest, replaceToken, responseHeaders, out, lifetime, record };
      await this.forwarder.forward(forwarded);
    } catch (error) {
      endWithError(error, out, record, responseHeaders, this.#observer);
    } finally {
      this.#inFlight--;
      lifetime.end();
      record.durationMs = performance.now() - lifetime.startedMs;
      this.#finish(record, span);
      if (plan?.request.repeatable === false) this.#noteWithdrawal(plan, record);
    }
  }

  /** Responds to a request whose head is not good, and notes it. */
  reject(requestId: string, error: ProxyError, out: ResponseWriter, peerAddress: string): void {
    const record = openRecord(requestId);
    record.address = clientAddress(peerAddress, undefined, this.config.trustedHops);
    const span = this.#startSpan({ parent: '', state: '' }, requestId);
    record.traceParent = span?.context.parent ?? '';
    endWithError(error, out, record, [], this.#observer);
    this.#finish(record, span);
  }

  #startSpan(trace: TraceContext, requestId: string): RequestSpan | null {
    try {
      return this.#parts.tracing?.(trace) ?? null;
    } catch (error) {
      this.#observer.unexpected(describeError(error, requestId));
      return null;
    }
  }

  #finish(record: RequestRecord, span: RequestSpan | null): void {
    this.#observer.call(record);
    try {
      span?.end(record);
    } catch (error) {
      this.#observer.unexpected(describeError(error, record.requestId));
    }
  }

  #noteWithdrawal({ brand, vehicle }: ForwardPlan, record: RequestRecord): void {
    try {
      this.#parts.onWithdrawal?.({ ...record, brand, vehicle }, record);
    } catch (error) {
      this.#observer.unexpected(describeError(error, record.requestId));
    }
  }
}

function overloaded(reason: string): ProxyError {
  return proxyError('overloaded', [], ['retry-after', '1'], reason);
}
