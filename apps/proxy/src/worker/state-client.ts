import type { Rate } from '../limits/rate.js';
import type { Count, Counter } from '../limits/rate-limits.js';
import type { TokenSource } from '../upstream-token/token-source.js';

/** What a Worker requests of its Durable Object. */
export type StateQuestion =
  | { readonly kind: 'count'; readonly rate: Rate }
  | { readonly kind: 'token'; readonly brand: string; readonly rejected: string | null };

/** A token and how long it can be used, or when to try again. */
export interface TokenReply {
  readonly token: string | null;
  readonly usableMs: number;
  readonly retryAfterSeconds: number;
}

/** The binding of a class of Durable Objects, as far as it is used here. */
export interface StateNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** Time for counting a request, in milliseconds: one second. */
const countTimeoutMs = 1000;
/** Time for which an isolate uses a token before it requests a newer one, in milliseconds: one minute. */
const keepMs = 60_000;
/** Pause before an object that did not respond is tried again while there still is a token, in milliseconds: five seconds. */
const pauseMs = 5000;

async function ask(
  namespace: StateNamespace,
  name: string,
  question: StateQuestion,
  timeoutMs: number,
): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request = new Request('http://state/', { method: 'POST', body: JSON.stringify(question), signal });
  const response = await namespace.get(namespace.idFromName(name)).fetch(request);
  return response.json();
}

/** Counts at a Durable Object for each key. While it does not respond, requests pass uncounted. */
export function objectCounter(namespace: StateNamespace, rate: Rate): Counter {
  return {
    async take(key) {
      const name = `limit ${rate.calls}/${rate.seconds} ${key}`;
      const uncounted = { allowed: true, left: rate.calls, resetSeconds: rate.seconds };
      return ask(namespace, name, { kind: 'count', rate }, countTimeoutMs)
        .then((reply) => reply as Count)
        .catch(() => uncounted);
    },
  };
}

interface Kept extends TokenReply {
  /** Until then no newer token is requested. */
  readonly freshUntilMs: number;
  /** Until then the token can be used at all. */
  readonly usableUntilMs: number;
}

const none: Kept = { token: null, usableMs: 0, freshUntilMs: 0, usableUntilMs: 0, retryAfterSeconds: 1 };

/**
 * Tokens that a Durable Object fetches and refreshes for all isolates. An isolate never waits for what another request of it has
 * begun: on Workers that would end with that request. While the object does not respond, the token in hand serves until its end.
 */
export class ObjectTokens implements TokenSource {
  readonly #namespace: StateNamespace;
  readonly #timeoutMs: number;
  readonly #kept = new Map<string, Kept>();

  /** @param timeoutMs time for the object to respond, in milliseconds; longer than one token request may take */
  constructor(namespace: StateNamespace, timeoutMs: number) {
    this.#namespace = namespace;
    this.#timeoutMs = timeoutMs;
  }

  current(brand: string): string | null {
    const { token, freshUntilMs } = this.#keptOf(brand);
    return Date.now() < freshUntilMs ? token : null;
  }

  async obtain(brand: string): Promise<string | null> {
    const reply = await this.#ask(brand, null);
    if (reply !== null) return this.#keep(brand, reply);
    const kept = this.#keptOf(brand);
    if (Date.now() >= kept.usableUntilMs) return null;
    this.#kept.set(brand, { ...kept, freshUntilMs: Math.min(Date.now() + pauseMs, kept.usableUntilMs) });
    return kept.token;
  }

  async replace(brand: string, rejected: string): Promise<string | null> {
    const reply = await this.#ask(brand, rejected);
    return reply === null ? null : this.#keep(brand, reply);
  }

  retryAfterSeconds(brand: string): number {
    return this.#keptOf(brand).retryAfterSeconds;
  }

  #keptOf(brand: string): Kept {
    return this.#kept.get(brand) ?? none;
  }

  #ask(brand: string, rejected: string | null): Promise<TokenReply | null> {
    return ask(this.#namespace, `token ${brand}`, { kind: 'token', brand, rejected }, this.#timeoutMs)
      .then((reply) => reply as TokenReply)
      .catch(() => null);
  }

  #keep(brand: string, reply: TokenReply): string | null {
    const nowMs = Date.now();
    const freshUntilMs = nowMs + Math.min(reply.usableMs, keepMs);
    this.#kept.set(brand, { ...reply, freshUntilMs, usableUntilMs: nowMs + reply.usableMs });
    return reply.token;
  }
}
