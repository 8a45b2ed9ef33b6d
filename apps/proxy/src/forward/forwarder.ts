import { proxyError } from '../response/proxy-error.js';
import { breakerReason, CircuitBreakers, type Settle } from './circuit-breaker.js';
import { type ForwardedRequest, type ForwardingParts, noToken } from './forward-plan.js';
import { ClientLeft, type LifetimeListener } from './request-lifetime.js';
import { ResponsePassage, TokenRejected, UpstreamProblem, type UpstreamVerdict } from './response-passage.js';
import type { UpstreamAttempt, UpstreamFailure, UpstreamHead, UpstreamSink } from './transport/upstream-transport.js';

/** Retries that are possible without any requests before them. */
const retryReserve = 10;
const retriesPerRequest = 0.1;
/** Time after which a client may try again while the operator replaces a fixed token, in seconds. */
const fixedTokenSeconds = 30;

/** Sends requests to one upstream, within its circuit breakers and retry budget. */
export class Forwarder {
  readonly parts: ForwardingParts;
  readonly breakers = new CircuitBreakers();
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
    const settle = this.breakers.admit(plan.brand, record.client, plan.vehicle, performance.now());
    if (typeof settle === 'number') {
      const seconds = Math.max(1, Math.ceil(settle / 1000));
      throw proxyError('overloaded', [], ['retry-after', String(seconds)], breakerReason);
    }
    this.#retries = Math.min(retryReserve, this.#retries + retriesPerRequest);
    return new ProxiedRequest(this, forwarded, settle, forwarded.token).run();
  }

  /** Takes one retry out of the budget, when there is one. */
  takeRetry(): boolean {
    if (this.#retries < 1) return false;
    this.#retries--;
    return true;
  }
}

/**
 * Replaces a rejected token of the proxy with which a request can be sent again, when it may be sent twice. Otherwise only the next request
 * has the new token. The client gets no rejection: its own credentials are good.
 */
async function replaceToken(
  { tokens, plan, lifetime }: ForwardedRequest,
  rejected: string,
  replayed: boolean,
): Promise<string> {
  if (tokens === null) throw noToken(fixedTokenSeconds);
  const replaced = tokens.replace(plan.brand, rejected);
  if (replayed || !plan.request.repeatable) {
    replaced.catch(() => {});
    throw noToken(1);
  }
  const token = await lifetime.wait(replaced, () => noToken(1));
  if (token === null) throw noToken(tokens.retryAfterSeconds(plan.brand));
  if (token === rejected) throw noToken(1);
  return token;
}

/**
 * Sends one request to the upstream with one token: a GET again when a connection broke. It settles once: with a response that was passed,
 * with the error that ends the request, or, when the upstream rejected the proxy's token, as the same request with another one.
 */
class ProxiedRequest implements UpstreamSink, LifetimeListener {
  readonly #forwarder: Forwarder;
  readonly #forwarded: ForwardedRequest;
  readonly #settle: Settle;
  readonly #token: string;
  readonly #replayed: boolean;
  #passage: ResponsePassage | null = null;
  #upstream: UpstreamAttempt | null = null;
  /** Whether it has been sent again after its connection broke. */
  #isRetry = false;
  #isOver = false;
  #paused = false;
  #moved = true;
  #quietSinceMs = 0;
  #sentMs = 0;
  #resolve: (outcome?: Promise<void>) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(forwarder: Forwarder, forwarded: ForwardedRequest, settle: Settle, token: string, replayed = false) {
    this.#forwarder = forwarder;
    this.#forwarded = forwarded;
    this.#settle = settle;
    this.#token = token;
    this.#replayed = replayed;
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#forwarded.lifetime.attach(this);
      if (!this.#isOver) this.#send();
    });
  }

  drained(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#moved = true;
    this.#guarded(() => this.#upstream?.resume());
  }

  closed(): void {
    this.#fail(new ClientLeft('client-closed-request'));
  }

  stopped(error: Error): void {
    this.#fail(error);
  }

  tick(nowMs: number): void {
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
    else if (this.#passage !== null && nowMs - this.#quietSinceMs >= idleMs)
      this.#timeOut(this.#paused ? 'the client took nothing' : 'the upstream fell silent');
    else if (totalDeadlineMs !== null && nowMs - lifetime.startedMs >= totalDeadlineMs)
      this.#timeOut('the total deadline passed');
  }

  head(head: UpstreamHead): void {
    this.#moved = true;
    this.#forwarded.record.upstreamMs = performance.now() - this.#sentMs;
    this.#guarded(() => {
      this.#passage = new ResponsePassage(this.#forwarder.parts, this.#forwarded, head);
    });
  }

  data(chunk: Uint8Array): boolean {
    this.#moved = true;
    const more = this.#guarded(() => this.#passage?.data(chunk)) ?? false;
    this.#paused = !more;
    return more;
  }

  end(): void {
    this.#guarded(() => {
      const verdict = this.#passage?.end();
      if (verdict === undefined) throw new UpstreamProblem('a body without a head');
      if (verdict instanceof Promise)
        verdict.then((later) => this.#done(later)).catch((error: unknown) => this.#fail(error));
      else this.#done(verdict);
    });
  }

  fail({ code, reason, nothingReceived }: UpstreamFailure): void {
    if (this.#isOver) return;
    const mayRetry = nothingReceived && this.#forwarded.plan.request.repeatable && !this.#isRetry;
    if (mayRetry && this.#forwarder.takeRetry()) {
      this.#isRetry = true;
      this.#send();
    } else this.#fail(new UpstreamProblem(reason, code));
  }

  /** Takes a step while the response is awaited. An exception in a callback of the transport must not reach the transport. */
  #guarded<T>(step: () => T): T | undefined {
    if (this.#isOver) return undefined;
    try {
      return step();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #send(): void {
    const { plan, record } = this.#forwarded;
    const { transport } = this.#forwarder.parts;
    record.attempts++;
    this.#sentMs = performance.now();
    let { request } = plan;
    if (this.#token !== '')
      request = { ...request, headers: [...request.headers, 'authorization', `Bearer ${this.#token}`] };
    if (this.#isRetry) request = { ...request, fresh: true };
    this.#guarded(() => {
      this.#upstream = transport.send(request, this);
    });
    // A response or a failure can come while `send` still runs.
    if (this.#isOver) this.#upstream?.cancel();
  }

  async #sendAgain(): Promise<void> {
    const token = await replaceToken(this.#forwarded, this.#token, this.#replayed);
    return new ProxiedRequest(this.#forwarder, this.#forwarded, this.#settle, token, true).run();
  }

  #timeOut(reason: string): void {
    this.#fail(
      this.#paused ? new ClientLeft('client-too-slow', reason) : new UpstreamProblem(reason, 'upstream-timeout'),
    );
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (error instanceof TokenRejected) this.#resolve(this.#sendAgain());
    else this.#reject(error);
    this.#done(error instanceof UpstreamProblem ? error.verdict : 'unknown');
    this.#upstream?.cancel();
  }

  #done(verdict: UpstreamVerdict): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#passage?.stop();
    if (verdict !== 'unknown') this.#settle(verdict === 'failed', performance.now());
    this.#resolve();
  }
}
