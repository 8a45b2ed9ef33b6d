import { Admission, type Resumable } from './admission.js';
import { AnswerChecks } from './answer-check.js';
import type { AnswerOut } from './answer-out.js';
import type { CallerCheck } from './callers/caller.js';
import { type ProxyConfig, type ResolvedConfig, resolveConfig } from './config.js';
import { compileDecision, type IncomingCall } from './decide.js';
import { type DriftListener, DriftReport } from './drift-report.js';
import { Forwarder } from './forwarder.js';
import type { CallLimits } from './limits/call-limits.js';
import { type Observer, silentObserver } from './observer.js';
import { type Refusal, refusal } from './refusal.js';
import type { UpstreamTransport } from './transport.js';
import type { TokenSource } from './upstream-identity/token-source.js';
import { separateWatch, type Watch } from './watch.js';

/** The parts of a proxy that a runtime or a test can bring. */
export interface CoreParts {
  readonly transport: UpstreamTransport;
  /** Default: a ticker for each call. */
  readonly watch?: Watch;
  /** Default: nobody. */
  readonly observer?: Observer;
  /** Who may call. Default: anyone. */
  readonly callers?: CallerCheck;
  /** Default: no limits. */
  readonly limits?: CallLimits;
  /** Access tokens for the service, where the settings leave them to the proxy. Default: none. */
  readonly tokens?: TokenSource;
  /** Hears of deviations from the contract, each once. Default: nobody. */
  readonly onDrift?: DriftListener;
}

/** The proxy without a server: decides on calls and forwards them. Every front door uses this one. */
export class ProxyCore {
  readonly config: ResolvedConfig;
  readonly observer: Observer;
  readonly drift: DriftReport;
  readonly forwarder: Forwarder;
  readonly #admission: Admission;
  #draining = false;

  constructor(config: ProxyConfig, parts: CoreParts) {
    this.config = resolveConfig(config);
    this.observer = parts.observer ?? silentObserver;
    this.drift = new DriftReport(parts.onDrift);
    this.forwarder = new Forwarder({
      transport: parts.transport,
      watch: parts.watch ?? separateWatch,
      observer: this.observer,
      checks: new AnswerChecks(this.config.validateResponses, this.drift),
      deadlineMs: this.config.deadlineMs,
      maxInFlight: this.config.maxInFlight,
      serverTiming: this.config.serverTiming,
    });
    this.#admission = new Admission({
      decide: compileDecision(this.config, parts.transport.keepsCoding),
      forwarder: this.forwarder,
      callers: parts.callers ?? null,
      limits: parts.limits ?? null,
      tokens: parts.tokens ?? null,
      maxWaiting: this.config.maxInFlight,
      noteLeft: ({ requestId }) => this.noteRefusal(requestId, '-', '-', 'caller-left', 0),
      refuse: (incoming, out, template, refused) => this.#refuse(incoming, out, template, refused),
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
  answer(incoming: IncomingCall, out: AnswerOut): Resumable | null {
    if (!this.#draining) return this.#admission.answer(incoming, out);
    this.#refuse(incoming, out, '-', refusal('shutting-down', [], ['retry-after', '1']));
    return null;
  }

  #refuse(incoming: IncomingCall, out: AnswerOut, template: string, refused: Refusal): void {
    const method = template === '-' ? '-' : incoming.method;
    this.noteRefusal(incoming.requestId, method, template, refused.code, refused.status);
    // Last: once it is answered, the call is forgotten.
    out.refuse(refused);
  }

  /** Tells the observer of an answer of the proxy itself. A method that no route has could hold anything and is not told. */
  noteRefusal(requestId: string, method: string, template: string, code: string, status: number): void {
    const nothing = { reason: '', attempts: 0, bytes: 0, durationMs: 0, caller: '', traceParent: '' };
    this.observer.call({ requestId, method, template, status, code, ...nothing });
  }
}
