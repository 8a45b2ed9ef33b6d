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
import type { ForwardPlan } from './forward-plan.js';
import { EnforcingRelay, type Relay, ReportingRelay } from './relay.js';
import type { UpstreamHead } from './transport/upstream-transport.js';

/** What a request says about the health of the upstream. A client that left early says nothing. */
export type UpstreamVerdict = 'fine' | 'failed' | 'unknown';

/** What became of a response: it was passed to the client, it rejects the proxy's token, or the client must get an error for it. */
export type PassageOutcome =
  | { readonly kind: 'passed'; readonly verdict: UpstreamVerdict }
  | { readonly kind: 'token-rejected' }
  | { readonly kind: 'unusable'; readonly verdict: UpstreamVerdict; readonly error: ProxyError };

/** How responses are passed. */
export interface PassageParts {
  readonly checks: ResponseChecks;
  /** Whether responses say in `Server-Timing` how long the upstream took. */
  readonly serverTiming: boolean;
}

/** The request that a response is for. */
export interface PassageRequest {
  readonly plan: ForwardPlan;
  /** Further headers for the response, as name, value, name, value. */
  readonly responseHeaders: readonly string[];
  readonly out: ResponseWriter;
  readonly record: OpenRecord;
  readonly lifetime: { readonly startedMs: number };
}

/** Hears once what became of a response. */
export interface PassageListener {
  settled(outcome: PassageOutcome): void;
  /** An exception that nobody foresaw. */
  crashed(error: unknown): void;
}

/** Judges the head of one response of the upstream, and passes its body to the client or holds it for a look at its envelope. */
export class ResponsePassage {
  readonly #parts: PassageParts;
  readonly #request: PassageRequest;
  readonly #listener: PassageListener;
  #head: UpstreamHead | null = null;
  #headMs = 0;
  #held: BufferedBody | null = null;
  #check: ResponseCheck | null = null;
  #relay: Relay | null = null;
  #settled = false;
  /** Whether the client has got the beginning of a response. */
  begun = false;

  constructor(parts: PassageParts, request: PassageRequest, listener: PassageListener) {
    this.#parts = parts;
    this.#request = request;
    this.#listener = listener;
  }

  /** Whether the head of the response has come. */
  get headed(): boolean {
    return this.#head !== null;
  }

  head(head: UpstreamHead): void {
    this.#head = head;
    this.#headMs = performance.now();
    this.#request.record.upstreamRequestId = head.requestId;
    const verdict = classifyResponse(head, this.#request.plan.coding);
    if (verdict.kind === 'invalid') this.#reject(head, verdict.reason);
    else if (verdict.kind === 'error') this.#held = new BufferedBody();
  }

  /** Takes a piece of the body. Returns whether more may come now. */
  data(chunk: Uint8Array): boolean {
    const { record } = this.#request;
    if (this.#head === null || this.#settled) return false;
    if (chunk.length === 0) return true;
    if (record.upstreamRequestId === '') record.upstreamRequestId = requestIdIn(chunk);
    if (this.#held !== null) return this.#hold(this.#held, chunk);
    this.#relay ??= this.#begin(this.#head, chunk);
    if (this.#relay === null) return false;
    record.bytes += chunk.length;
    const more = this.#relay.data(chunk);
    if (more !== 'violation') return more;
    this.#violated();
    return false;
  }

  end(): void {
    if (this.#head === null || this.#settled) return;
    if (this.#held !== null) this.#judgeError(this.#head, this.#held.take());
    else if (this.#relay === null) this.#abandon('an empty body');
    else if (this.#relay.end()) this.#settle({ kind: 'passed', verdict: 'fine' });
    else this.#violated();
  }

  /** Ends the passage without an outcome. */
  stop(): void {
    this.#settled = true;
    this.#check?.stop();
  }

  /** Begins the response with its first piece, so that a failure until now still gets an envelope and not a cut response. */
  #begin(head: UpstreamHead, first: Uint8Array): Relay | null {
    if (!canBeginResponse(first, codingOf(head))) {
      this.#abandon('a body that is no JSON object');
      return null;
    }
    const { out, plan } = this.#request;
    const { checks } = this.#parts;
    this.#check = checks.begin(plan.operationId, head);
    if (checks.enforced && this.#check !== null)
      return new EnforcingRelay(out, this.#check, head.length, () => this.#writeHead(head));
    this.#writeHead(head);
    return new ReportingRelay(out, this.#check);
  }

  #writeHead(head: UpstreamHead): void {
    this.begun = true;
    this.#request.record.status = head.status;
    this.#request.out.begin(head.status, this.#headersFor(head), head.length);
  }

  #headersFor(head: UpstreamHead): readonly string[] {
    const { responseHeaders, lifetime } = this.#request;
    const headers =
      responseHeaders.length === 0
        ? head.headers
        : [...withoutHeaders(head.headers, responseHeaders), ...responseHeaders];
    if (!this.#parts.serverTiming) return headers;
    // https://www.w3.org/TR/server-timing/#the-server-timing-header-field
    return [...headers, 'server-timing', `service;dur=${(this.#headMs - lifetime.startedMs).toFixed(1)}`];
  }

  #hold(held: BufferedBody, chunk: Uint8Array): boolean {
    if (held.length + chunk.length > maxErrorBodyBytes) {
      this.#abandon('an error response that is too long');
      return false;
    }
    held.add(chunk);
    return true;
  }

  #judgeError(head: UpstreamHead, body: Uint8Array<ArrayBuffer>): void {
    const judge = (code: string | null) => {
      if (this.#settled) return;
      if (code === null) this.#reject(head, 'an error response without the envelope');
      else if (this.#rejectsToken(head, code)) this.#settle({ kind: 'token-rejected' });
      else this.#passError(head, body);
    };
    const code = errorCodeOf(body, codingOf(head));
    if (code instanceof Promise) code.then(judge).catch((error: unknown) => this.#listener.crashed(error));
    else judge(code);
  }

  #passError(head: UpstreamHead, body: Uint8Array): void {
    const { plan, out, record } = this.#request;
    this.#parts.checks.examine(plan.operationId, head, body);
    record.bytes = body.length;
    record.status = head.status;
    record.code = 'upstream-error';
    this.begun = true;
    respond(out, head.status, this.#headersFor(head), body);
    this.#settle({ kind: 'passed', verdict: head.status >= 500 ? 'failed' : 'fine' });
  }

  #rejectsToken(head: UpstreamHead, code: string): boolean {
    return this.#request.plan.usesOwnToken && isTokenRejection(head.status, code);
  }

  #reject(head: UpstreamHead, reason: string): void {
    // A 4xx is no failure of the upstream, whatever its body: one client could otherwise shut it for all.
    const clientsFault = head.status >= 400 && head.status < 500;
    if (this.#rejectsToken(head, '')) this.#settle({ kind: 'token-rejected' });
    else this.#abandon(reason, clientsFault ? 'fine' : 'failed', retryAfterOf(head));
  }

  #violated(): void {
    this.#abandon('a response that violates the contract');
  }

  #abandon(reason: string, verdict: UpstreamVerdict = 'failed', headers: readonly string[] = []): void {
    const error = proxyError('upstream-invalid-response', [], headers, reason);
    this.#settle({ kind: 'unusable', verdict, error });
  }

  #settle(outcome: PassageOutcome): void {
    this.stop();
    this.#listener.settled(outcome);
  }
}

function codingOf({ headers }: UpstreamHead): string | undefined {
  return headerValue(headers, 'content-encoding')?.toLowerCase();
}

/** The `Retry-After` of a response, so that a client that was asked to wait does. */
function retryAfterOf({ headers }: UpstreamHead): readonly string[] {
  const value = headerValue(headers, 'retry-after');
  return value === undefined ? [] : ['retry-after', value];
}
