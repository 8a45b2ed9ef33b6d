import type { AnswerCheck } from './answer-check.js';
import { headerValue } from './answer-headers.js';
import type { AnswerOut } from './answer-out.js';
import { CallClock } from './call-clock.js';
import { canBeginAnswer, classifyAnswer } from './classify-answer.js';
import { errorCodeOf, maxErrorBodyBytes } from './error-envelope.js';
import type { Forwarder, ForwardPlan, ServiceVerdict } from './forwarder.js';
import { HeldBody } from './held-body.js';
import { ProvenAnswer } from './proven-answer.js';
import { type Refusal, refusal } from './refusal.js';
import { isTokenRejection } from './token-rejection.js';
import type { UpstreamCall, UpstreamExchange, UpstreamFault, UpstreamHead, UpstreamSink } from './transport.js';

type State = 'waiting' | 'headed' | 'proving' | 'streaming' | 'holding' | 'checking' | 'renewing' | 'done';

const notStarted: UpstreamExchange = { resume() {}, cancel() {} };

/**
 * One call on its way: sends it, judges the answer's head, streams or holds the body, keeps the deadlines, and tells the
 * caller's side exactly one ending.
 */
export class Exchange implements UpstreamSink {
  readonly #forwarder: Forwarder;
  readonly #plan: ForwardPlan;
  readonly #out: AnswerOut;
  readonly #answerHeaders: readonly string[];
  readonly #clock: CallClock;
  #headMs = 0;
  #call: UpstreamCall;
  #replayed = false;
  #upstream: UpstreamExchange = notStarted;
  #state: State = 'waiting';
  #attempts = 0;
  #head: UpstreamHead | null = null;
  readonly #held = new HeldBody();
  #bytes = 0;
  #paused = false;
  #check: AnswerCheck | null = null;
  #proof: ProvenAnswer | null = null;
  #service: ServiceVerdict = 'unknown';
  readonly #unwatch: () => void;

  /** @param answerHeaders further headers for the caller's answer, as name, value, name, value */
  constructor(
    forwarder: Forwarder,
    plan: ForwardPlan,
    out: AnswerOut,
    answerHeaders: readonly string[],
    nowMs: number,
  ) {
    this.#forwarder = forwarder;
    this.#plan = plan;
    this.#call = plan.call;
    this.#out = out;
    this.#answerHeaders = answerHeaders;
    this.#clock = new CallClock(forwarder.times, nowMs);
    this.#unwatch = forwarder.watch((tickMs) => this.#tick(tickMs));
    this.#send();
  }

  /** The caller's side can take more. */
  resume(): void {
    if (!this.#paused || this.#state === 'done') return;
    this.#paused = false;
    this.#clock.move();
    this.#upstream.resume();
  }

  /** The caller has left. */
  cancel(): void {
    if (this.#state === 'done') return;
    this.#finish('caller-left', 0);
    this.#upstream.cancel();
  }

  head(head: UpstreamHead): void {
    this.#clock.move();
    this.#head = head;
    this.#headMs = performance.now();
    const verdict = classifyAnswer(head, this.#plan.coding);
    if (verdict.kind === 'invalid') this.#endInvalid(head, verdict.reason);
    else this.#state = verdict.kind === 'stream' ? 'headed' : 'holding';
  }

  data(chunk: Uint8Array): boolean {
    this.#clock.move();
    if (this.#state === 'holding') return this.#hold(chunk);
    if (this.#state === 'headed' && !this.#begin(chunk)) return false;
    if (this.#proof !== null) return this.#prove(this.#proof, chunk);
    if (this.#state !== 'streaming') return false;
    this.#bytes += chunk.length;
    const more = this.#out.data(chunk);
    // After the piece is on its way: the check only reads, and delays nothing.
    this.#check?.write(chunk);
    this.#paused = !more;
    return more;
  }

  end(): void {
    const head = this.#head;
    if (this.#state === 'holding' && head !== null) {
      this.#judgeHeld(head);
      return;
    }
    if (this.#state === 'headed') {
      this.#abandon(refusal('upstream-invalid-answer'), 'an empty body');
      return;
    }
    if (this.#state !== 'streaming' && this.#state !== 'proving') return;
    if (this.#proof !== null) {
      if (!this.#proof.end()) {
        this.#deviate();
        return;
      }
    } else {
      this.#out.end();
      this.#check?.end();
    }
    this.#service = 'fine';
    this.#finish('', 200);
  }

  fail(fault: UpstreamFault): void {
    if (this.#state === 'done') return;
    if (this.#mayRetry(fault)) {
      this.#send();
      return;
    }
    this.#service = 'failed';
    if (this.#state === 'streaming') {
      this.#out.cut();
      this.#finish(fault.code, 200, fault.reason);
      return;
    }
    this.#refuse(refusal(fault.code), fault.reason);
  }

  #mayRetry(fault: UpstreamFault): boolean {
    const { repeatable } = this.#plan.call;
    return (
      fault.nothingReceived &&
      repeatable &&
      this.#attempts === 1 &&
      fault.code !== 'upstream-timeout' &&
      this.#forwarder.mayRetry()
    );
  }

  #send(): void {
    this.#attempts++;
    this.#upstream = this.#forwarder.transport.send(this.#call, this);
    // An answer or a fault can come while `send` still runs.
    if (this.#stateNow() === 'done' || this.#stateNow() === 'renewing') this.#upstream.cancel();
  }

  #stateNow(): State {
    return this.#state;
  }

  /** Starts the answer with its first piece, so that a failure until now still gets an envelope and not a cut answer. */
  #begin(first: Uint8Array): boolean {
    const head = this.#head;
    if (head === null) return false;
    if (!canBeginAnswer(first, headerValue(head.headers, 'content-encoding')?.toLowerCase())) {
      this.#abandon(refusal('upstream-invalid-answer'), 'a body that is no JSON object');
      return false;
    }
    const begin = () => {
      this.#state = 'streaming';
      this.#out.begin(head.status, this.#headersFor(head), head.length);
    };
    const { checks } = this.#forwarder;
    this.#check = checks.begin(this.#plan.operationId, head);
    if (checks.enforced && this.#check !== null) {
      this.#state = 'proving';
      this.#proof = new ProvenAnswer(this.#out, this.#check, head.length, begin);
    } else begin();
    return true;
  }

  #prove(proof: ProvenAnswer, chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    const more = proof.data(chunk);
    if (more === 'wrong') this.#deviate();
    this.#paused = more === false;
    return more === true;
  }

  /** Ends an answer that breaks the contract, where that is enforced. */
  #deviate(): void {
    const reason = 'an answer that breaks the contract';
    if (this.#state !== 'streaming') {
      this.#abandon(refusal('upstream-invalid-answer'), reason);
      return;
    }
    this.#service = 'failed';
    this.#out.cut();
    this.#finish('upstream-invalid-answer', 200, reason);
    this.#upstream.cancel();
  }

  #headersFor(head: UpstreamHead): readonly string[] {
    const headers = this.#answerHeaders.length === 0 ? head.headers : head.headers.concat(this.#answerHeaders);
    if (!this.#forwarder.serverTiming) return headers;
    // https://www.w3.org/TR/server-timing/#the-server-timing-header-field
    const durationMs = this.#headMs - this.#clock.startedMs;
    return [...headers, 'server-timing', `service;dur=${durationMs.toFixed(1)}`];
  }

  #hold(chunk: Uint8Array): boolean {
    if (this.#held.length + chunk.length > maxErrorBodyBytes) {
      this.#abandon(refusal('upstream-invalid-answer'), 'an error answer that is too long');
      return false;
    }
    this.#held.add(chunk);
    return true;
  }

  #judgeHeld(head: UpstreamHead): void {
    const body = this.#held.take();
    this.#state = 'checking';
    const code = errorCodeOf(body, headerValue(head.headers, 'content-encoding')?.toLowerCase());
    if (code instanceof Promise) code.then((later) => this.#judgeCode(head, body, later));
    else this.#judgeCode(head, body, code);
  }

  #judgeCode(head: UpstreamHead, body: Uint8Array, code: string | null): void {
    if (this.#state !== 'checking') return;
    if (code === null) this.#endInvalid(head, 'an error answer without the envelope');
    else if (!isTokenRejection(head.status, code) || !this.#renew(() => this.#passHeld(head, body)))
      this.#passHeld(head, body);
  }

  #endInvalid(head: UpstreamHead, reason: string): void {
    const abandon = () => this.#abandon(refusal('upstream-invalid-answer'), reason);
    if (!isTokenRejection(head.status, '') || !this.#renew(abandon)) abandon();
  }

  /**
   * Replaces a rejected token of the proxy and sends the call once more, when it may be sent twice; otherwise only the next
   * call has the new token. Returns whether the call goes on here; `pass` hands on the rejection when there is no other token.
   */
  #renew(pass: () => void): boolean {
    const { replaceToken, call } = this.#plan;
    if (replaceToken === null || this.#replayed) return false;
    this.#replayed = true;
    if (!call.repeatable) {
      replaceToken().catch(() => {});
      return false;
    }
    this.#upstream.cancel();
    this.#state = 'renewing';
    this.#clock.move();
    const goOn = async () => {
      const replaced = await replaceToken();
      if (this.#stateNow() !== 'renewing') return;
      if (replaced.kind === 'same') pass();
      else if (replaced.kind === 'unavailable') {
        const headers = ['retry-after', String(replaced.retryAfterSeconds)];
        this.#refuse(refusal('upstream-credentials-unavailable', [], headers), 'the token was rejected');
      } else {
        this.#call = replaced.call;
        this.#state = 'waiting';
        this.#held.take();
        this.#send();
      }
    };
    goOn().catch(() => {
      if (this.#stateNow() === 'renewing') this.#refuse(refusal('internal-error'), 'the token could not be replaced');
    });
    return true;
  }

  #passHeld(head: UpstreamHead, body: Uint8Array): void {
    this.#service = head.status >= 500 ? 'failed' : 'fine';
    this.#forwarder.checks.examine(this.#plan.operationId, head, body);
    this.#bytes = body.length;
    this.#out.whole(head.status, this.#headersFor(head), body);
    this.#finish('upstream-error', head.status);
  }

  /** Refuses because of what the service did, and ends its connection. */
  #abandon(refused: Refusal, reason: string): void {
    this.#service = 'failed';
    this.#refuse(refused, reason);
    this.#upstream.cancel();
  }

  #refuse(refused: Refusal, reason: string): void {
    const answerHeaders = this.#answerHeaders;
    this.#out.refuse(
      answerHeaders.length === 0 ? refused : { ...refused, headers: [...refused.headers, ...answerHeaders] },
    );
    this.#finish(refused.code, refused.status, reason);
  }

  #tick(nowMs: number): void {
    const progress = { waiting: this.#state === 'waiting', paused: this.#paused };
    const passed = this.#clock.check(nowMs, progress);
    if (passed !== null) this.#timeOut(passed);
  }

  #timeOut(reason: string): void {
    const callersFault = this.#paused;
    if (!callersFault) this.#service = 'failed';
    if (this.#state === 'streaming') {
      this.#out.cut();
      this.#finish(callersFault ? 'caller-too-slow' : 'upstream-timeout', 200, reason);
    } else {
      this.#refuse(refusal('upstream-timeout'), reason);
    }
    this.#upstream.cancel();
  }

  #finish(code: string, status: number, reason = ''): void {
    this.#state = 'done';
    this.#unwatch();
    this.#check?.stop();
    const outcome = { code, status, reason, attempts: this.#attempts, bytes: this.#bytes };
    this.#forwarder.finished(this.#plan, outcome, this.#service, this.#clock.startedMs);
  }
}
