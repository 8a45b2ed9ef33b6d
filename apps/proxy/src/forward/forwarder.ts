import { proxyError } from '../response/proxy-error.js';
import { breakerReason, CircuitBreakers, type Settle } from './circuit-breaker.js';
import { type ForwardedRequest, type ForwardingParts, noToken } from './forward-plan.js';
import { ClientLeft, type LifetimeListener } from './request-lifetime.js';
import { ResponsePassage, TokenRejected, UnusableResponse, type UpstreamVerdict } from './response-passage.js';
import type { UpstreamAttempt, UpstreamFailure, UpstreamHead, UpstreamSink } from './transport/upstream-transport.js';

/** Retries that are possible without any requests before them. */
const retryReserve = 10;
const retriesPerRequest = 0.1;
/** Time after which a client may try again while the operator replaces a fixed token, in seconds. */
const fixedTokenSeconds = 30;

const notSent: UpstreamAttempt = { resume() {}, cancel() {} };

/** Sends requests to one upstream, within its circuit breakers and retry budget. */
export class Forwarder {
  readonly parts: ForwardingParts;
  readonly #breakers = new CircuitBreakers();
  // One for every ten requests, and a reserve for quiet times: retries would otherwise double the load of an upstream that fails.
  #retries = retryReserve;

  constructor(parts: ForwardingParts) {
    this.parts = parts;
  }

  /**
   * Sends a request and passes its response.
   *
   * @throws {ProxyError} when the client must get this error: as an envelope, or, when its response has begun, as a cut
   * @throws {ClientLeft} when the client left
   */
  forward(forwarded: ForwardedRequest): Promise<void> {
    const { plan, record } = forwarded;
    const settle = this.#breakers.admit(plan.brand, record.client, plan.vehicle, performance.now());
    if (typeof settle === 'number') {
      const seconds = Math.max(1, Math.ceil(settle / 1000));
      throw proxyError('overloaded', [], ['retry-after', String(seconds)], breakerReason);
    }
    this.#retries = Math.min(retryReserve, this.#retries + retriesPerRequest);
    return new ProxiedRequest(this, forwarded, settle).run();
  }

  /** Takes one retry out of the budget, when there is one. */
  takeRetry(): boolean {
    if (this.#retries < 1) return false;
    this.#retries--;
    return true;
  }
}

/**
 * Sends one request to the upstream: a GET again when a connection broke, and once more with another token when the upstream rejected
 * that of the proxy. It settles once: with a response that was passed, or with the error that ends the request.
 */
class ProxiedRequest implements UpstreamSink, LifetimeListener {
  readonly #forwarder: Forwarder;
  readonly #forwarded: ForwardedRequest;
  readonly #settle: Settle;
  #token: string;
  #passage: ResponsePassage;
  #upstream: UpstreamAttempt = notSent;
  #state: 'sent' | 'renewing' | 'done' = 'sent';
  #replayed = false;
  #paused = false;
  #moved = true;
  #quietSinceMs = 0;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(forwarder: Forwarder, forwarded: ForwardedRequest, settle: Settle) {
    this.#forwarder = forwarder;
    this.#forwarded = forwarded;
    this.#settle = settle;
    this.#token = forwarded.token;
    this.#passage = new ResponsePassage(forwarder.parts, forwarded);
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#forwarded.lifetime.attach(this);
      if (this.#state === 'sent') this.#send();
    });
  }

  drained(): void {
    if (!this.#paused || this.#state === 'done') return;
    this.#paused = false;
    this.#moved = true;
    this.#guarded(() => this.#upstream.resume());
  }

  closed(): void {
    this.#fail(new ClientLeft('client-closed-request'), 'unknown');
  }

  tick(nowMs: number): void {
    if (this.#state === 'done') return;
    // A client can take nothing of a response that waits for another one.
    if (this.#moved || (this.#paused && this.#forwarded.out.isQueued)) {
      this.#moved = false;
      this.#quietSinceMs = nowMs;
    }
    const { lifetime, record } = this.#forwarded;
    const { bodyIdleMs, sendTimeoutMs, totalDeadlineMs } = this.#forwarder.parts.config;
    // A full buffer of the kernel takes more only when a third of it is free again: a slow client moves in leaps, seconds apart.
    const idleMs = this.#paused ? sendTimeoutMs : bodyIdleMs;
    if (record.status === 0 && lifetime.isOver(nowMs)) this.#timeOut('the deadline passed');
    else if (this.#passage.headed && nowMs - this.#quietSinceMs >= idleMs)
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
    const more = this.#guarded(() => this.#passage.data(chunk)) ?? false;
    this.#paused = !more;
    return more;
  }

  end(): void {
    this.#guarded(() => {
      const verdict = this.#passage.end();
      if (verdict instanceof Promise)
        verdict.then((later) => this.#done(later)).catch((error: unknown) => this.#caught(error));
      else this.#done(verdict);
    });
  }

  fail({ code, reason, nothingReceived }: UpstreamFailure): void {
    if (this.#state !== 'sent') return;
    const { plan, record } = this.#forwarded;
    const mayRetry = nothingReceived && plan.request.repeatable && record.attempts === 1;
    if (mayRetry && this.#forwarder.takeRetry()) this.#send();
    else this.#fail(proxyError(code, [], [], reason), 'failed');
  }

  /** Takes a step while the response is awaited. An exception in a callback of the transport must not reach the transport. */
  #guarded<T>(step: () => T): T | undefined {
    if (this.#state !== 'sent') return undefined;
    try {
      return step();
    } catch (error) {
      this.#caught(error);
      return undefined;
    }
  }

  #caught(error: unknown): void {
    if (error instanceof TokenRejected && this.#state === 'sent') void this.#renew();
    else this.#fail(error, error instanceof UnusableResponse ? error.verdict : 'unknown');
  }

  #send(): void {
    const { plan, record } = this.#forwarded;
    const { transport } = this.#forwarder.parts;
    record.attempts++;
    let { request } = plan;
    if (this.#token !== '')
      request = { ...request, headers: [...request.headers, 'authorization', `Bearer ${this.#token}`] };
    this.#guarded(() => {
      this.#upstream = transport.send(request, this);
    });
    // A response or a failure can come while `send` still runs.
    if (this.#state !== 'sent') this.#upstream.cancel();
  }

  /**
   * Replaces a rejected token of the proxy and sends the request again, when it may be sent twice. Otherwise only the next request has the
   * new token. The client gets no rejection: its own credentials are good.
   */
  async #renew(): Promise<void> {
    const { tokens, plan } = this.#forwarded;
    this.#state = 'renewing';
    this.#passage = new ResponsePassage(this.#forwarder.parts, this.#forwarded);
    this.#upstream.cancel();
    try {
      if (tokens === null) throw noToken(fixedTokenSeconds);
      const replaced = tokens.replace(plan.brand, this.#token);
      if (this.#replayed || !plan.request.repeatable) {
        replaced.catch(() => {});
        throw noToken(1);
      }
      const token = await replaced;
      if (this.#state !== 'renewing') return;
      if (token === null) throw noToken(tokens.retryAfterSeconds(plan.brand));
      if (token === this.#token) throw noToken(1);
      this.#token = token;
    } catch (error) {
      this.#fail(error, 'unknown');
      return;
    }
    this.#replayed = true;
    this.#paused = false;
    this.#state = 'sent';
    this.#send();
  }

  #timeOut(reason: string): void {
    if (this.#state === 'renewing') this.#fail(noToken(1), 'unknown');
    else if (this.#paused) this.#fail(new ClientLeft('client-too-slow', reason), 'unknown');
    else this.#fail(proxyError('upstream-timeout', [], [], reason), 'failed');
  }

  #fail(error: unknown, verdict: UpstreamVerdict): void {
    if (this.#state === 'done') return;
    this.#reject(error);
    this.#done(verdict);
    this.#upstream.cancel();
  }

  #done(verdict: UpstreamVerdict): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#passage.stop();
    if (verdict !== 'unknown') this.#settle(verdict === 'failed', performance.now());
    this.#resolve();
  }
}
