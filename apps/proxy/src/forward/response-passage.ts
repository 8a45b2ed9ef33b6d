import { requestIdIn } from '../request/request-id.js';
import { BufferedBody } from '../response/buffered-body.js';
import { ProxyError } from '../response/proxy-error.js';
import { codingOf, headerValue, withoutHeaders } from '../response/response-headers.js';
import { respond } from '../response/response-writer.js';
import { isTokenRejection } from '../upstream-token/token-source.js';
import { canBeginResponse, errorCodeOf, faultOf, maxErrorBodyBytes } from './classify-response.js';
import type { ForwardedRequest, ForwardingParts } from './forward-plan.js';
import { beginCheck, type ResponseCheck } from './response-check.js';
import type { UpstreamFailure, UpstreamHead } from './transport/upstream-transport.js';

/** What a request says about the health of the upstream. A client that left early says nothing. */
export type UpstreamVerdict = 'fine' | 'failed' | 'unknown';

/** Ends a request whose upstream gives no response, or one that does not pass to the client. */
export class UpstreamProblem extends ProxyError {
  readonly verdict: UpstreamVerdict;

  constructor(
    reason: string,
    code: UpstreamFailure['code'] = 'upstream-invalid-response',
    verdict: UpstreamVerdict = 'failed',
    headers: readonly string[] = [],
  ) {
    super(code, [], headers, reason);
    this.verdict = verdict;
  }
}

/** Ends a passage whose response says that the proxy's own access token is no longer good. */
export class TokenRejected extends Error {
  override readonly name = 'TokenRejected';
}

/** Bytes that are held until an enforced response begins: 64 kB. */
const maxHeldBytes = 65_536;

/**
 * Judges one response of the upstream and passes it to the client. An error response is held for a look at its envelope. An enforced
 * response is held as well, so that a short one that violates the contract becomes an error envelope; of a longer one, the piece with the
 * first violation and everything after it stay behind.
 *
 * The constructor, `data` and `end` throw {@link UpstreamProblem} for a response that must not pass, and {@link TokenRejected}.
 */
export class ResponsePassage {
  readonly #parts: ForwardingParts;
  readonly #request: ForwardedRequest;
  readonly #head: UpstreamHead;
  readonly #headMs = performance.now();
  readonly #enforced: boolean;
  /** Whether the first piece of a body that streams has come. */
  #started = false;
  #held: BufferedBody | null;
  /** The check of a body that has begun, until its verdict is known. */
  #check: ResponseCheck | null = null;
  #leftBytes: number;
  #stopped = false;

  constructor(parts: ForwardingParts, request: ForwardedRequest, head: UpstreamHead) {
    this.#parts = parts;
    this.#request = request;
    this.#head = head;
    this.#enforced = parts.config.validateResponses === 'enforce';
    this.#held = head.status === 200 ? null : new BufferedBody();
    this.#leftBytes = head.length ?? Number.POSITIVE_INFINITY;
    request.record.upstreamRequestId = head.requestId;
    request.record.upstreamStatus = head.status;
    const fault = faultOf(head, request.plan.coding);
    if (fault !== '') throw this.#invalid(fault);
  }

  /** Takes a piece of the body. Returns whether more may come now. */
  data(chunk: Uint8Array): boolean {
    const { out, record } = this.#request;
    if (chunk.length === 0) return true;
    if (record.upstreamRequestId === '') record.upstreamRequestId = requestIdIn(chunk);
    if (!this.#started) {
      if (this.#held !== null) {
        if (this.#held.length + chunk.length > maxErrorBodyBytes)
          throw this.#invalid('an error response that is too long');
        this.#held.add(chunk);
        return true;
      }
      this.#start(chunk);
    }
    record.bytes += chunk.length;
    if (this.#enforced) return this.#passChecked(chunk);
    const more = out.data(chunk);
    // After the piece is on its way: the check delays nothing.
    this.#check?.write(chunk);
    return more;
  }

  /** Ends the response. Returns what it says about the upstream; later for an error response. */
  end(): UpstreamVerdict | Promise<UpstreamVerdict> {
    if (!this.#started) {
      if (this.#held === null) throw new UpstreamProblem('an empty body');
      const body = this.#held.take();
      return errorCodeOf(body, codingOf(this.#head.headers)).then((code) => this.#passError(body, code));
    }
    if (this.#enforced) {
      this.#endCheck();
      this.#release();
    }
    this.#request.out.end();
    if (!this.#enforced) this.#check?.end();
    return 'fine';
  }

  /** Ends the passage without an outcome. */
  stop(): void {
    this.#stopped = true;
    this.#check?.stop?.();
  }

  /** Begins the response with its first piece, so that a failure until now still gets an envelope and not a cut response. */
  #start(first: Uint8Array): void {
    if (!canBeginResponse(first, codingOf(this.#head.headers)))
      throw new UpstreamProblem('a body that is no JSON object');
    this.#started = true;
    this.#check = beginCheck(this.#parts, this.#request.plan.operationId, this.#head);
    if (this.#enforced) this.#held = new BufferedBody();
    else this.#writeHead();
  }

  #passChecked(chunk: Uint8Array): boolean {
    this.#leftBytes -= chunk.length;
    const good = this.#check?.write(chunk) ?? true;
    // A client takes a response for complete with its last byte, so the verdict comes before that.
    if (!good || this.#leftBytes <= 0) this.#endCheck(good);
    if (this.#held === null) return this.#request.out.data(chunk);
    this.#held.add(chunk);
    return this.#held.length < maxHeldBytes || this.#release();
  }

  #endCheck(good = true): void {
    const check = this.#check;
    this.#check = null;
    if (check?.end() === false || !good) throw new UpstreamProblem('a response that violates the contract');
  }

  /** Passes what is held of an enforced response, in one piece. */
  #release(): boolean {
    if (this.#held === null) return true;
    const bytes = this.#held.take();
    this.#held = null;
    this.#writeHead();
    return this.#request.out.data(bytes);
  }

  #writeHead(): void {
    const { status, length } = this.#head;
    this.#request.record.status = status;
    this.#request.out.begin(status, this.#headers(), length);
  }

  /** The headers that the client gets. */
  #headers(): readonly string[] {
    const { responseHeaders, lifetime } = this.#request;
    const own = this.#head.headers;
    const headers = responseHeaders.length === 0 ? own : [...withoutHeaders(own, responseHeaders), ...responseHeaders];
    if (!this.#parts.config.serverTiming) return headers;
    // https://www.w3.org/TR/server-timing/#the-server-timing-header-field
    return [...headers, 'server-timing', `service;dur=${(this.#headMs - lifetime.startedMs).toFixed(1)}`];
  }

  /** Passes an error response whose envelope has this code; `null` when it has none. */
  #passError(body: Uint8Array, code: string | null): UpstreamVerdict {
    if (this.#stopped) return 'unknown';
    if (code === null) throw this.#invalid('an error response without the envelope');
    const head = this.#head;
    const { plan, out, record } = this.#request;
    if (plan.token !== 'forward' && isTokenRejection(head.status, code)) throw new TokenRejected();
    const check = beginCheck(this.#parts, plan.operationId, head);
    check?.write(body);
    check?.end();
    record.bytes = body.length;
    record.upstreamCode = code;
    record.status = head.status;
    record.code = 'upstream-error';
    respond(out, head.status, this.#headers(), body);
    return head.status >= 500 ? 'failed' : 'fine';
  }

  #invalid(reason: string): Error {
    const { status, headers: own } = this.#head;
    if (this.#request.plan.token !== 'forward' && isTokenRejection(status, '')) return new TokenRejected();
    // A 4xx is no failure of the upstream, whatever its body: one client could otherwise shut it for all.
    const clientsFault = status >= 400 && status < 500;
    // A client that was asked to wait does.
    const retryAfter = headerValue(own, 'retry-after');
    const headers = retryAfter === undefined ? [] : ['retry-after', retryAfter];
    return new UpstreamProblem(reason, 'upstream-invalid-response', clientsFault ? 'fine' : 'failed', headers);
  }
}
