import type { AnswerOut } from './answer-out.js';
import { anyone, type Caller, type CallerCheck } from './callers/caller.js';
import type { Decision, IncomingCall } from './decide.js';
import type { Forwarder, ForwardPlan, ReplacedCall } from './forwarder.js';
import type { CallLimits, LimitVerdict } from './limits/call-limits.js';
import { type Refusal, refusal } from './refusal.js';
import type { TokenSource } from './upstream-identity/token-source.js';
import { WaitingCall } from './waiting-call.js';

/** A call under way: it can be told to go on, or that its caller has left. */
export interface Resumable {
  resume(): void;
  cancel(): void;
}

/** What an admission is made of. What is `null` is not asked. */
export interface AdmissionParts {
  readonly decide: (incoming: IncomingCall, caller: Caller) => Decision;
  readonly forwarder: Forwarder;
  readonly callers: CallerCheck | null;
  readonly limits: CallLimits | null;
  readonly tokens: TokenSource | null;
  readonly maxWaiting: number;
  /** Notes that a caller left while its call waited. */
  readonly noteLeft: (incoming: IncomingCall) => void;
  /** Answers with a refusal and notes it. */
  readonly refuse: (incoming: IncomingCall, out: AnswerOut, template: string, refused: Refusal) => void;
}

const noHeaders: readonly string[] = [];

/**
 * Lets calls in: who calls, what is asked and whether it is allowed, whether the limits have room, and with which token it
 * goes on. Each step answers at once where it can, so that a call of a known caller with a valid token waits for nothing.
 */
export class Admission {
  readonly #parts: AdmissionParts;
  #waiting = 0;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Answers a call. Returns what is under way, or `null` when it was answered at once. */
  answer(incoming: IncomingCall, out: AnswerOut): Resumable | null {
    const { callers } = this.#parts;
    if (callers === null) return this.#decide(anyone, incoming, out);
    const caller = callers.recognise(incoming);
    if (!(caller instanceof Promise)) return this.#decide(caller, incoming, out);
    return this.#wait(caller, incoming, out, (known) => this.#decide(known, incoming, out));
  }

  #decide(caller: Caller | null, incoming: IncomingCall, out: AnswerOut): Resumable | null {
    const { callers, limits, decide } = this.#parts;
    if (caller === null) {
      const headers = callers === null ? [] : ['www-authenticate', callers.challenge];
      return this.#refuse(incoming, out, '-', refusal('invalid-caller-credentials', [], headers));
    }
    const decision = decide(incoming, caller);
    if (decision.kind === 'refuse') return this.#refuse(incoming, out, decision.template, decision.refusal);
    const { plan } = decision;
    if (limits === null) return this.#identify(plan, noHeaders, incoming, out);
    const verdict = limits.take(caller, plan.vehicle);
    if (!(verdict instanceof Promise)) return this.#limited(verdict, plan, incoming, out);
    return this.#wait(verdict, incoming, out, (known) => this.#limited(known, plan, incoming, out));
  }

  #limited(verdict: LimitVerdict, plan: ForwardPlan, incoming: IncomingCall, out: AnswerOut): Resumable | null {
    if (verdict.kind === 'refuse') return this.#refuse(incoming, out, plan.template, verdict.refusal);
    return this.#identify(plan, verdict.headers, incoming, out);
  }

  #identify(
    plan: ForwardPlan,
    answerHeaders: readonly string[],
    incoming: IncomingCall,
    out: AnswerOut,
  ): Resumable | null {
    const { tokens, forwarder } = this.#parts;
    if (!plan.needsToken || tokens === null) return forwarder.start(plan, out, answerHeaders);
    const token = tokens.current(plan.brand);
    if (token !== null) return forwarder.start(this.#withToken(plan, token, tokens), out, answerHeaders);
    return this.#wait(tokens.obtain(plan.brand), incoming, out, (obtained) => {
      if (obtained !== null) return forwarder.start(this.#withToken(plan, obtained, tokens), out, answerHeaders);
      const headers = ['retry-after', String(tokens.retryAfterSeconds(plan.brand))];
      return this.#refuse(incoming, out, plan.template, refusal('upstream-credentials-unavailable', [], headers));
    });
  }

  /** The plan with the token in its call, and a way to replace the token when the service rejects it. */
  #withToken(plan: ForwardPlan, token: string, tokens: TokenSource): ForwardPlan {
    const { call, brand } = plan;
    const callWith = (value: string) => ({ ...call, headers: [...call.headers, 'authorization', `Bearer ${value}`] });
    const replaceToken = async (): Promise<ReplacedCall> => {
      const other = await tokens.replace(brand, token);
      if (other === null) return { kind: 'unavailable', retryAfterSeconds: tokens.retryAfterSeconds(brand) };
      return other === token ? { kind: 'same' } : { kind: 'call', call: callWith(other) };
    };
    return { ...plan, call: callWith(token), replaceToken };
  }

  #wait<T>(
    awaited: Promise<T>,
    incoming: IncomingCall,
    out: AnswerOut,
    goOn: (value: T) => Resumable | null,
  ): Resumable | null {
    if (this.#waiting >= this.#parts.maxWaiting)
      return this.#refuse(incoming, out, '-', refusal('overloaded', [], ['retry-after', '1']));
    this.#waiting++;
    const waiting = new WaitingCall(() => this.#parts.noteLeft(incoming));
    awaited
      .finally(() => this.#waiting--)
      .then((value) => waiting.become(() => goOn(value)))
      // The error itself is not shown: it could quote what was sent.
      .catch(() => waiting.become(() => this.#refuse(incoming, out, '-', refusal('internal-error'))));
    return waiting;
  }

  #refuse(incoming: IncomingCall, out: AnswerOut, template: string, refused: Refusal): null {
    this.#parts.refuse(incoming, out, template, refused);
    return null;
  }
}
