import { AnswerChecks } from './answer-check.js';
import type { AnswerOut } from './answer-out.js';
import { type ProxyConfig, type ResolvedConfig, resolveConfig } from './config.js';
import { compileDecision, type IncomingCall } from './decide.js';
import { DriftReport } from './drift-report.js';
import type { Exchange } from './exchange.js';
import { Forwarder } from './forwarder.js';
import { type Observer, silentObserver } from './observer.js';
import { refusal } from './refusal.js';
import type { UpstreamTransport } from './transport.js';
import { separateWatch, type Watch } from './watch.js';

/** The parts of a proxy that a runtime or a test can bring. */
export interface CoreParts {
  readonly transport: UpstreamTransport;
  /** Default: a ticker for each call. */
  readonly watch?: Watch;
  /** Default: nobody. */
  readonly observer?: Observer;
}

/** The proxy without a server: decides on calls and forwards them. Every front door uses this one. */
export class ProxyCore {
  readonly config: ResolvedConfig;
  readonly observer: Observer;
  readonly drift = new DriftReport();
  readonly forwarder: Forwarder;
  readonly #decide: ReturnType<typeof compileDecision>;
  #draining = false;

  constructor(config: ProxyConfig, parts: CoreParts) {
    this.config = resolveConfig(config);
    this.observer = parts.observer ?? silentObserver;
    this.#decide = compileDecision(this.config, parts.transport.keepsCoding);
    this.forwarder = new Forwarder({
      transport: parts.transport,
      watch: parts.watch ?? separateWatch,
      observer: this.observer,
      checks: new AnswerChecks(this.config.validateResponses, this.drift),
      deadlineMs: this.config.deadlineMs,
      maxInFlight: this.config.maxInFlight,
    });
  }

  /** Whether the proxy takes no new calls. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Takes no new calls from now on; those under way go on. */
  drain(): void {
    this.#draining = true;
  }

  /** Answers a call of the contract. Returns the call under way, or `null` when it was answered at once. */
  answer(incoming: IncomingCall, out: AnswerOut): Exchange | null {
    const decision = this.#draining
      ? ({ kind: 'refuse', template: '-', refusal: refusal('shutting-down', [], ['retry-after', '1']) } as const)
      : this.#decide(incoming);
    if (decision.kind === 'forward') return this.forwarder.start(decision.plan, out);
    const { template, refusal: refused } = decision;
    out.refuse(refused);
    this.noteRefusal(
      incoming.requestId,
      template === '-' ? '-' : incoming.method,
      template,
      refused.code,
      refused.status,
    );
    return null;
  }

  /** Tells the observer of an answer of the proxy itself. A method that no route has could hold anything and is not told. */
  noteRefusal(requestId: string, method: string, template: string, code: string, status: number): void {
    this.observer.call({ requestId, method, template, status, code, reason: '', attempts: 0, bytes: 0, durationMs: 0 });
  }
}
