import { type ProxyError, proxyError } from '../response/proxy-error.js';
import { noToken, type ReplacedToken } from './forward-plan.js';
import { ClientLeft, type LifetimeListener, type RequestLifetime } from './request-lifetime.js';
import {
  type PassageListener,
  type PassageOutcome,
  type PassageParts,
  type PassageRequest,
  ResponsePassage,
  type UpstreamVerdict,
} from './response-passage.js';
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
export interface ForwardingParts extends PassageParts {
  readonly transport: UpstreamTransport;
  readonly retries: RetryBudget;
  /** Time in which a body must make progress, in milliseconds. */
  readonly bodyIdleMs: number;
  /** Time for the whole request, in milliseconds; `null` for as long as its body makes progress. */
  readonly totalDeadlineMs: number | null;
}

/** One request on its way: where it comes from, where it goes, and what is noted about it. */
export interface ForwardedRequest extends PassageRequest {
  /** The request to send, with its access token. */
  readonly request: UpstreamRequest;
  /** Gets another token after the upstream rejected this one; `null` when the token is the client's own. */
  readonly replaceToken: (() => Promise<ReplacedToken>) | null;
  readonly lifetime: RequestLifetime;
}

/** Time after which a client may try again while the operator replaces a fixed token, in seconds. */
const fixedTokenSeconds = 30;

const notSent: UpstreamAttempt = { resume() {}, cancel() {} };

/**
 * Sends one request to the upstream: a GET again when a connection broke, and once more with another token when the upstream rejected
 * that of the proxy. It settles once: with a response that was passed or cut, or with the error that the client is to get.
 */
export class ProxiedRequest implements UpstreamSink, LifetimeListener, PassageListener {
  readonly #parts: ForwardingParts;
  readonly #forwarded: ForwardedRequest;
  readonly #onEnd: (verdict: UpstreamVerdict) => void;
  #request: UpstreamRequest;
  #passage: ResponsePassage;
  #upstream: UpstreamAttempt = notSent;
  #state: 'sent' | 'renewing' | 'done' = 'sent';
  #replayed = false;
  #paused = false;
  #moved = true;
  #quietSinceMs = 0;
  #verdict: UpstreamVerdict = 'unknown';
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** @param onEnd receives what the request says about the upstream, before it settles */
  constructor(parts: ForwardingParts, forwarded: ForwardedRequest, onEnd: (verdict: UpstreamVerdict) => void) {
    this.#parts = parts;
    this.#forwarded = forwarded;
    this.#onEnd = onEnd;
    this.#request = forwarded.request;
    this.#passage = new ResponsePassage(parts, forwarded, this);
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
      if (this.#state === 'sent') this.#guarded(() => this.#send());
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
    if (!this.#passage.begun && lifetime.isOver(nowMs)) this.#timeOut('the deadline passed');
    else if (this.#passage.headed && nowMs - this.#quietSinceMs >= bodyIdleMs)
      this.#timeOut(this.#paused ? 'the client took nothing' : 'the upstream fell silent');
    else if (totalDeadlineMs !== null && nowMs - lifetime.startedMs >= totalDeadlineMs)
      this.#timeOut('the total deadline passed');
  }

  head(head: UpstreamHead): void {
    this.#moved = true;
    this.#guarded(() => this.#passage.head(head));
  }

  data(chunk: Uint8Array): boolean {
    this.#moved = true;
    try {
      const more = this.#passage.data(chunk);
      this.#paused = !more;
      return more;
    } catch (error) {
      this.crashed(error);
      return false;
    }
  }

  end(): void {
    this.#guarded(() => this.#passage.end());
  }

  fail({ code, reason, nothingReceived }: UpstreamFailure): void {
    if (this.#state === 'done') return;
    const { record } = this.#forwarded;
    const mayRetry = nothingReceived && this.#request.repeatable && record.attempts === 1;
    if (mayRetry && this.#parts.retries.take()) {
      this.#guarded(() => this.#send());
      return;
    }
    this.#verdict = 'failed';
    this.#stop(proxyError(code, [], [], reason));
  }

  settled(outcome: PassageOutcome): void {
    if (outcome.kind === 'token-rejected') this.#renew();
    else {
      this.#verdict = outcome.verdict;
      if (outcome.kind === 'passed') this.#done();
      else {
        this.#stop(outcome.error);
        this.#upstream.cancel();
      }
    }
  }

  crashed(error: unknown): void {
    if (this.#state === 'done') return;
    this.#done(error);
    this.#upstream.cancel();
  }

  /** An exception in a callback of the transport must not reach the transport. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.crashed(error);
    }
  }

  #send(): void {
    this.#forwarded.record.attempts++;
    this.#upstream = this.#parts.transport.send(this.#request, this);
    // A response or a failure can come while `send` still runs.
    if (this.#state !== 'sent') this.#upstream.cancel();
  }

  /**
   * Replaces a rejected token of the proxy and sends the request again, when it may be sent twice. Otherwise only the next request has the
   * new token. The client gets no rejection: its own credentials are good.
   */
  #renew(): void {
    const { replaceToken } = this.#forwarded;
    const replaced = replaceToken?.();
    this.#state = 'renewing';
    this.#upstream.cancel();
    if (replaced === undefined || this.#replayed || !this.#request.repeatable) {
      replaced?.catch(() => {});
      this.#stop(noToken(replaced === undefined ? fixedTokenSeconds : 1));
      return;
    }
    this.#replayed = true;
    this.#passage = new ResponsePassage(this.#parts, this.#forwarded, this);
    replaced.then((outcome) => this.#replay(outcome)).catch((error: unknown) => this.crashed(error));
  }

  #replay(outcome: ReplacedToken): void {
    if (this.#state !== 'renewing') return;
    if (outcome.kind === 'same') this.#stop(noToken(1));
    else if (outcome.kind === 'unavailable') this.#stop(noToken(outcome.retryAfterSeconds));
    else {
      this.#request = outcome.request;
      this.#state = 'sent';
      this.#paused = false;
      this.#send();
    }
  }

  #timeOut(reason: string): void {
    if (this.#state === 'renewing') this.#stop(noToken(1));
    else {
      if (!this.#paused) this.#verdict = 'failed';
      this.#stop(proxyError('upstream-timeout', [], [], reason), this.#paused ? 'client-too-slow' : undefined);
    }
    this.#upstream.cancel();
  }

  /** Ends with an error: as an envelope, or, when the response has begun, with a cut. */
  #stop(error: ProxyError, code: string = error.code): void {
    const { out, record } = this.#forwarded;
    if (!this.#passage.begun) {
      this.#done(error);
      return;
    }
    record.code = code;
    record.reason = error.reason;
    this.#done();
    out.cut();
  }

  #done(error?: unknown): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#passage.stop();
    this.#onEnd(this.#verdict);
    if (error === undefined) this.#resolve();
    else this.#reject(error);
  }
}
