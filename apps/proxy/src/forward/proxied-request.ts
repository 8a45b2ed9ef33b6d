import type { OpenRecord } from '../observability/observer.js';
import { requestIdIn } from '../request/request-id.js';
import { BufferedBody } from '../response/buffered-body.js';
import { canBeginResponse, classifyResponse } from '../response/classify-response.js';
import { errorCodeOf, maxErrorBodyBytes } from '../response/error-envelope.js';
import type { ResponseCheck } from '../response/inflated-check.js';
import { type ProxyError, proxyError } from '../response/proxy-error.js';
import type { ResponseChecks } from '../response/response-check.js';
import { headerValue, withoutHeaders } from '../response/response-headers.js';
import { type ResponseWriter, respond } from '../response/response-writer.js';
import { isTokenRejection } from '../upstream-token/token-source.js';
import { type ForwardPlan, noToken, type ReplacedToken } from './forward-plan.js';
import { EnforcingRelay, type Relay, ReportingRelay } from './relay.js';
import { ClientLeft, type LifetimeListener, type RequestLifetime } from './request-lifetime.js';
import type { RetryBudget } from './retry-budget.js';
import type {
  UpstreamAttempt,
  UpstreamFailure,
  UpstreamHead,
  UpstreamRequest,
  UpstreamSink,
  UpstreamTransport,
} from './transport/upstream-transport.js';

/** What every forwarded request has in common. */
export interface ForwardingParts {
  readonly transport: UpstreamTransport;
  readonly checks: ResponseChecks;
  readonly retries: RetryBudget;
  /** Time in which a body must make progress, in milliseconds. */
  readonly bodyIdleMs: number;
  /** Time for the whole request, in milliseconds; `null` for as long as its body makes progress. */
  readonly totalDeadlineMs: number | null;
  /** Whether responses say in `Server-Timing` how long the upstream took. */
  readonly serverTiming: boolean;
}

/** One request on its way: where it comes from, where it goes, and what is noted about it. */
export interface ForwardedRequest {
  readonly plan: ForwardPlan;
  /** The request to send, with its access token. */
  readonly request: UpstreamRequest;
  /** Gets another token after the upstream rejected this one; `null` when the token is the client's own. */
  readonly replaceToken: (() => Promise<ReplacedToken>) | null;
  /** Further headers for the response, as name, value, name, value. */
  readonly responseHeaders: readonly string[];
  readonly out: ResponseWriter;
  readonly lifetime: RequestLifetime;
  readonly record: OpenRecord;
}

/** What a request says about the health of the upstream. A client that left early says nothing. */
export type UpstreamVerdict = 'fine' | 'failed' | 'unknown';

type State = 'waiting' | 'headed' | 'relaying' | 'buffering' | 'checking' | 'renewing' | 'done';

/** Time after which a client may try again while the operator replaces a fixed token, in seconds. */
const fixedTokenSeconds = 30;

const notSent: UpstreamAttempt = { resume() {}, cancel() {} };

/**
 * Sends one request to the upstream, judges the head of the response, and passes or buffers its body. It settles once: with a response that
 * was passed or cut, or with the error that the client is to get.
 */
export class ProxiedRequest implements UpstreamSink, LifetimeListener {
  readonly #parts: ForwardingParts;
  readonly #forwarded: ForwardedRequest;
  readonly #buffered = new BufferedBody();
  #request: UpstreamRequest;
  #upstream: UpstreamAttempt = notSent;
  #state: State = 'waiting';
  #head: UpstreamHead | null = null;
  #headMs = 0;
  #check: ResponseCheck | null = null;
  #relay: Relay | null = null;
  #replayed = false;
  #begun = false;
  #paused = false;
  #moved = true;
  #quietSinceMs = 0;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  verdict: UpstreamVerdict = 'unknown';

  constructor(parts: ForwardingParts, forwarded: ForwardedRequest) {
    this.#parts = parts;
    this.#forwarded = forwarded;
    this.#request = forwarded.request;
  }

  /**
   * Sends the request and passes the response.
   *
   * @throws {ProxyError} when the client has not got a response and must get this one
   * @throws {ClientLeft} when the client left
   */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#forwarded.lifetime.attach(this);
      if (this.#state === 'waiting') this.#guarded(() => this.#send());
    });
  }

  drained(): void {
    if (!this.#paused || this.#state === 'done') return;
    this.#paused = false;
    this.#moved = true;
    this.#guarded(() => this.#upstream.resume());
  }

  clientLeft(): void {
    if (this.#state === 'done') return;
    this.#done(new ClientLeft());
    this.#upstream.cancel();
  }

  tick(nowMs: number): void {
    if (this.#state === 'done') return;
    if (this.#moved) {
      this.#moved = false;
      this.#quietSinceMs = nowMs;
    }
    const { lifetime } = this.#forwarded;
    const { bodyIdleMs, totalDeadlineMs } = this.#parts;
    if (!this.#begun && lifetime.isOver(nowMs)) this.#timeOut('the deadline passed');
    else if (this.#head !== null && nowMs - this.#quietSinceMs >= bodyIdleMs)
      this.#timeOut(this.#paused ? 'the client took nothing' : 'the upstream fell silent');
    else if (totalDeadlineMs !== null && nowMs - lifetime.startedMs >= totalDeadlineMs)
      this.#timeOut('the total deadline passed');
  }

  head(head: UpstreamHead): void {
    this.#guarded(() => this.#onHead(head));
  }

  data(chunk: Uint8Array): boolean {
    try {
      return this.#onData(chunk);
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  end(): void {
    this.#guarded(() => this.#onEnd());
  }

  fail(failure: UpstreamFailure): void {
    if (this.#state !== 'done') this.#guarded(() => this.#onFailure(failure));
  }

  /** An exception in a callback of the transport must not reach the transport. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(): void {
    this.#forwarded.record.attempts++;
    this.#upstream = this.#parts.transport.send(this.#request, this);
    // A response or a failure can come while `send` still runs.
    if (this.#over()) this.#upstream.cancel();
  }

  #over(): boolean {
    return this.#state === 'done' || this.#state === 'renewing';
  }

  #onHead(head: UpstreamHead): void {
    this.#moved = true;
    this.#head = head;
    this.#forwarded.record.upstreamRequestId = head.requestId;
    this.#headMs = performance.now();
    const verdict = classifyResponse(head, this.#forwarded.plan.coding);
    if (verdict.kind === 'invalid') this.#invalid(head, verdict.reason);
    else this.#state = verdict.kind === 'stream' ? 'headed' : 'buffering';
  }

  #onData(chunk: Uint8Array): boolean {
    this.#moved = true;
    if (chunk.length === 0) return !this.#over();
    const { record } = this.#forwarded;
    if (record.upstreamRequestId === '') record.upstreamRequestId = requestIdIn(chunk);
    if (this.#state === 'buffering') return this.#buffer(chunk);
    if (this.#state === 'headed') this.#startRelay(chunk);
    if (this.#state !== 'relaying' || this.#relay === null) return false;
    record.bytes += chunk.length;
    const more = this.#relay.data(chunk);
    if (more === 'violation') {
      this.#endViolation();
      return false;
    }
    this.#paused = !more;
    return more;
  }

  #onEnd(): void {
    if (this.#state === 'buffering') this.#judgeError();
    else if (this.#state === 'headed') this.#abandon('an empty body');
    else if (this.#state === 'relaying' && this.#relay !== null) {
      if (!this.#relay.end()) {
        this.#endViolation();
        return;
      }
      this.verdict = 'fine';
      this.#done();
    }
  }

  #onFailure({ code, reason, nothingReceived }: UpstreamFailure): void {
    const { record } = this.#forwarded;
    const mayRetry = nothingReceived && this.#request.repeatable && record.attempts === 1;
    if (mayRetry && this.#parts.retries.take()) {
      this.#send();
      return;
    }
    this.verdict = 'failed';
    this.#stop(proxyError(code, [], [], reason));
  }

  /** Starts the response with its first piece, so that a failure until now still gets an envelope and not a cut response. */
  #startRelay(first: Uint8Array): void {
    const head = this.#head;
    if (head === null) return;
    if (!canBeginResponse(first, headerValue(head.headers, 'content-encoding')?.toLowerCase())) {
      this.#abandon('a body that is no JSON object');
      return;
    }
    const { out, plan } = this.#forwarded;
    const { checks } = this.#parts;
    this.#state = 'relaying';
    this.#check = checks.begin(plan.operationId, head);
    if (checks.enforced && this.#check !== null) {
      this.#relay = new EnforcingRelay(out, this.#check, head.length, () => this.#begin(head));
      return;
    }
    this.#begin(head);
    this.#relay = new ReportingRelay(out, this.#check);
  }

  #begin(head: UpstreamHead): void {
    this.#begun = true;
    this.#forwarded.record.status = head.status;
    this.#forwarded.out.begin(head.status, this.#headersFor(head), head.length);
  }

  #headersFor(head: UpstreamHead): readonly string[] {
    const { responseHeaders, lifetime } = this.#forwarded;
    const headers =
      responseHeaders.length === 0
        ? head.headers
        : [...withoutHeaders(head.headers, responseHeaders), ...responseHeaders];
    if (!this.#parts.serverTiming) return headers;
    // https://www.w3.org/TR/server-timing/#the-server-timing-header-field
    return [...headers, 'server-timing', `service;dur=${(this.#headMs - lifetime.startedMs).toFixed(1)}`];
  }

  #buffer(chunk: Uint8Array): boolean {
    if (this.#buffered.length + chunk.length > maxErrorBodyBytes) {
      this.#abandon('an error response that is too long');
      return false;
    }
    this.#buffered.add(chunk);
    return true;
  }

  #judgeError(): void {
    const head = this.#head;
    if (head === null) return;
    const body = this.#buffered.take();
    this.#state = 'checking';
    const judge = (code: string | null) => {
      if (this.#state !== 'checking') return;
      if (code === null) this.#invalid(head, 'an error response without the envelope');
      else if (this.#forwarded.plan.usesOwnToken && isTokenRejection(head.status, code)) this.#renew();
      else this.#passError(head, body);
    };
    const code = errorCodeOf(body, headerValue(head.headers, 'content-encoding')?.toLowerCase());
    if (code instanceof Promise) code.then((later) => this.#guarded(() => judge(later)));
    else judge(code);
  }

  #invalid(head: UpstreamHead, reason: string): void {
    // A 4xx is no failure of the upstream, whatever its body: one client could otherwise shut it for all.
    const clientsFault = head.status >= 400 && head.status < 500;
    if (this.#forwarded.plan.usesOwnToken && isTokenRejection(head.status, '')) this.#renew();
    else this.#abandon(reason, retryAfterOf(head), clientsFault ? 'fine' : 'failed');
  }

  /**
   * Replaces a rejected token of the proxy and sends the request again, when it may be sent twice. Otherwise only the next request has the
   * new token. The client gets no rejection: its own credentials are good.
   */
  #renew(): void {
    const { replaceToken } = this.#forwarded;
    const replaced = replaceToken?.();
    this.#state = 'renewing';
    this.#head = null;
    if (replaced === undefined || this.#replayed || !this.#request.repeatable) {
      replaced?.catch(() => {});
      this.#stop(noToken(replaced === undefined ? fixedTokenSeconds : 1));
      this.#upstream.cancel();
      return;
    }
    this.#replayed = true;
    this.#upstream.cancel();
    replaced.then(
      (outcome) => this.#guarded(() => this.#replay(outcome)),
      (error: unknown) => this.#fail(error),
    );
  }

  #replay(outcome: ReplacedToken): void {
    if (this.#state !== 'renewing') return;
    if (outcome.kind === 'same') this.#stop(noToken(1));
    else if (outcome.kind === 'unavailable') this.#stop(noToken(outcome.retryAfterSeconds));
    else {
      this.#request = outcome.request;
      this.#state = 'waiting';
      this.#buffered.take();
      this.#send();
    }
  }

  #passError(head: UpstreamHead, body: Uint8Array): void {
    const { plan, out, record } = this.#forwarded;
    this.verdict = head.status >= 500 ? 'failed' : 'fine';
    this.#parts.checks.examine(plan.operationId, head, body);
    record.bytes = body.length;
    record.status = head.status;
    record.code = 'upstream-error';
    this.#begun = true;
    respond(out, head.status, this.#headersFor(head), body);
    this.#done();
  }

  #endViolation(): void {
    this.#abandon('a response that violates the contract');
  }

  /** Ends the request because of what the upstream did, and its connection. */
  #abandon(reason: string, headers: readonly string[] = [], verdict: UpstreamVerdict = 'failed'): void {
    this.verdict = verdict;
    this.#stop(proxyError('upstream-invalid-response', [], headers, reason));
    this.#upstream.cancel();
  }

  #timeOut(reason: string): void {
    if (this.#state === 'renewing') this.#stop(noToken(1));
    else {
      if (!this.#paused) this.verdict = 'failed';
      this.#stop(proxyError('upstream-timeout', [], [], reason), this.#paused ? 'client-too-slow' : undefined);
    }
    this.#upstream.cancel();
  }

  /** Ends with an error: as an envelope, or, when the response has begun, with a cut. */
  #stop(error: ProxyError, code: string = error.code): void {
    const { out, record } = this.#forwarded;
    if (!this.#begun) {
      this.#done(error);
      return;
    }
    record.code = code;
    record.reason = error.reason;
    this.#done();
    out.cut();
  }

  /** Ends with an error that nobody foresaw. */
  #fail(error: unknown): void {
    if (this.#state === 'done') return;
    this.#done(error);
    this.#upstream.cancel();
  }

  #done(error?: unknown): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#check?.stop();
    if (error === undefined) this.#resolve();
    else this.#reject(error);
  }
}

/** The `Retry-After` of a response, so that a client that was asked to wait does. */
function retryAfterOf({ headers }: UpstreamHead): readonly string[] {
  const value = headerValue(headers, 'retry-after');
  return value === undefined ? [] : ['retry-after', value];
}
