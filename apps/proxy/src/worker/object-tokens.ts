import type { TokenSource } from '../upstream-token/token-source.js';
import { askToken, type StateNamespace, type TokenReply } from './state-messages.js';

/** Time for which an isolate uses a token before it asks for a newer one, in milliseconds: one minute. */
const keepMs = 60_000;
/** Pause before an object that did not answer is asked again while there still is a token, in milliseconds: five seconds. */
const pauseMs = 5000;

interface Kept {
  readonly token: string | null;
  /** Until then nobody has to be asked. */
  readonly freshUntilMs: number;
  /** Until then the token can be used at all. */
  readonly usableUntilMs: number;
  readonly retryAfterSeconds: number;
}

const none: Kept = { token: null, freshUntilMs: 0, usableUntilMs: 0, retryAfterSeconds: 1 };

/**
 * Tokens that a Durable Object fetches and refreshes for all isolates. An isolate never waits for what another request of it has
 * begun: on Workers that would end with that request. While the object does not answer, the token in hand serves until its end.
 */
export class ObjectTokens implements TokenSource {
  readonly #namespace: StateNamespace;
  readonly #timeoutMs: number;
  readonly #kept = new Map<string, Kept>();

  /** @param timeoutMs time for the object to answer, in milliseconds; longer than one token request may take */
  constructor(namespace: StateNamespace, timeoutMs: number) {
    this.#namespace = namespace;
    this.#timeoutMs = timeoutMs;
  }

  current(brand: string): string | null {
    const { token, freshUntilMs } = this.#kept.get(brand) ?? none;
    return Date.now() < freshUntilMs ? token : null;
  }

  async obtain(brand: string): Promise<string | null> {
    const reply = await this.#ask(brand, null);
    return reply === null ? this.#stretch(brand) : this.#keep(brand, reply);
  }

  async replace(brand: string, rejected: string): Promise<string | null> {
    const reply = await this.#ask(brand, rejected);
    return reply === null ? null : this.#keep(brand, reply);
  }

  retryAfterSeconds(brand: string): number {
    return (this.#kept.get(brand) ?? none).retryAfterSeconds;
  }

  #ask(brand: string, rejected: string | null): Promise<TokenReply | null> {
    return askToken(this.#namespace, brand, rejected, this.#timeoutMs).catch(() => null);
  }

  #keep(brand: string, { token, usableMs, retryAfterSeconds }: TokenReply): string | null {
    const nowMs = Date.now();
    const freshUntilMs = nowMs + Math.min(usableMs, keepMs);
    this.#kept.set(brand, { token, freshUntilMs, usableUntilMs: nowMs + usableMs, retryAfterSeconds });
    return token;
  }

  #stretch(brand: string): string | null {
    const kept = this.#kept.get(brand) ?? none;
    const nowMs = Date.now();
    if (nowMs >= kept.usableUntilMs) return null;
    this.#kept.set(brand, { ...kept, freshUntilMs: Math.min(nowMs + pauseMs, kept.usableUntilMs) });
    return kept.token;
  }
}
