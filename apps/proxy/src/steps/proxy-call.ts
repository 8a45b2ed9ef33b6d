import type { BegunWithdrawal } from '../audit/withdrawal-audit.js';
import { anonymous, type Client } from '../auth/client.js';
import type { FencedRequest } from '../fence/fenced-request.js';
import type { CheckedRequest } from '../forward/check-request.js';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestLifetime } from '../forward/request-lifetime.js';
import type { OpenRecord } from '../observability/observer.js';
import type { RequestSpan } from '../observability/spans.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import type { RouteMatch } from '../request/routes.js';
import type { TraceContext } from '../request/trace-context.js';
import type { ResponseWriter } from '../response/response-writer.js';

/** Whoever began a call, and ends it. */
export interface CallOwner {
  /** Its client is known. */
  recognized?(call: ProxyCall): void;
  /** It is checked. May reject it still. */
  checked?(call: ProxyCall): void | Promise<void>;
  /** Responds to what has ended a call, if anybody is there to get it. */
  failed(call: ProxyCall, error: unknown): void;
  /** The call is over. Called once. */
  ended(call: ProxyCall): void;
}

/** What is known of a call when it begins. */
export interface CallBegin {
  readonly request: IncomingRequest;
  readonly out: ResponseWriter;
  readonly record: OpenRecord;
  readonly lifetime: RequestLifetime;
  readonly trace: TraceContext;
  readonly span: RequestSpan | null;
}

/** One request on its way through the steps, with what each of them has found out. */
export class ProxyCall {
  readonly request: IncomingRequest;
  readonly out: ResponseWriter;
  readonly record: OpenRecord;
  readonly lifetime: RequestLifetime;
  readonly trace: TraceContext;
  readonly span: RequestSpan | null;
  owner: CallOwner;
  /** Who calls, once the client is recognized. */
  client: Client = anonymous;
  /** The route, once it was looked for; `null` when the contract has none. */
  match: RouteMatch | null | undefined;
  /** What is asked for, once it is checked. */
  checked: CheckedRequest | null = null;
  /** What is sent, once it is planned. */
  plan: ForwardPlan | null = null;
  fenced: FencedRequest | null = null;
  withdrawal: Promise<BegunWithdrawal | null> | null = null;
  /** Headers for the response, as name, value, name, value. */
  responseHeaders: readonly string[] = [];
  /** Identifier under which the client's requests in flight are counted, or empty. */
  counted = '';
  /** Whether its response comes from the upstream: the call is over only when its body is. */
  isForwarded = false;
  #isOver = false;

  constructor({ request, out, record, lifetime, trace, span }: CallBegin, owner: CallOwner) {
    this.request = request;
    this.out = out;
    this.record = record;
    this.lifetime = lifetime;
    this.trace = trace;
    this.span = span;
    this.owner = owner;
  }

  /** Ends the call with an error. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.owner.failed(this, error);
    this.end();
  }

  /** Ends the call. Without effect when it is over. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.owner.ended(this);
  }
}
