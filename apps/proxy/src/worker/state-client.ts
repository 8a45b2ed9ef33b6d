import type { Count, Counter } from '../limits/rate-limits.js';
import type { Rate } from '../rate.js';
import type { TokenSource } from '../upstream-token/token-source.js';
import type { BlockQuestion } from './block-question.js';

/** For the token of a brand, or another one in place of a rejected one; for the count of a request; or for what is blocked. */
export type StateQuestion =
  | BlockQuestion
  | { readonly kind: 'token'; readonly brand: string; readonly rejected: string | null }
  | { readonly kind: 'count'; readonly rate: Rate };

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

/** The reply of an object, or `null` when it does not respond in time. */
export async function ask<Reply>(
  namespace: StateNamespace,
  name: string,
  question: StateQuestion,
  timeoutMs: number,
): Promise<Reply | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = new Request('http://state/', { method: 'POST', body: JSON.stringify(question), signal });
    const response = await namespace.get(namespace.idFromName(name)).fetch(request);
    return (await response.json()) as Reply;
  } catch {
    return null;
  }
}

/** Counts at a Durable Object for each key. While it does not respond, requests pass uncounted. */
export function objectCounter(namespace: StateNamespace, rate: Rate): Counter {
  return {
    async take(key) {
      const name = `limit ${rate.calls}/${rate.seconds} ${key}`;
      const count = await ask<Count>(namespace, name, { kind: 'count', rate }, countTimeoutMs);
      return count ?? { allowed: true, left: rate.calls, resetSeconds: rate.seconds };
    },
  };
}

interface Kept extends TokenReply {
  /** Until then no newer token is requested. */
  freshUntilMs: number;
  /** Until then the token can be used at all. */
  readonly usableUntilMs: number;
}

/**
 * Tokens that a Durable Object fetches and refreshes for all isolates. An isolate never waits for what another request of it has
 * begun: on Workers that would end with that request. While the object does not respond, the known token serves until its end.
 *
 * @param timeoutMs time for the object to respond, in milliseconds; longer than one token request may take
 */
export function objectTokens(namespace: StateNamespace, timeoutMs: number): TokenSource {
  const tokens = new Map<string, Kept>();
  const request = async (brand: string, rejected: string | null): Promise<TokenReply | null> => {
    const reply = await ask<TokenReply>(namespace, `token ${brand}`, { kind: 'token', brand, rejected }, timeoutMs);
    if (reply === null) return null;
    const nowMs = Date.now();
    const freshUntilMs = nowMs + Math.min(reply.usableMs, keepMs);
    tokens.set(brand, { ...reply, freshUntilMs, usableUntilMs: nowMs + reply.usableMs });
    return reply;
  };
  const current = (brand: string) => {
    const kept = tokens.get(brand);
    return kept !== undefined && Date.now() < kept.freshUntilMs ? kept.token : null;
  };
  return {
    current,
    async obtain(brand) {
      const reply = await request(brand, null);
      const kept = tokens.get(brand);
      if (reply === null && kept) kept.freshUntilMs = Math.min(Date.now() + pauseMs, kept.usableUntilMs);
      return current(brand);
    },
    replace: async (brand, rejected) => (await request(brand, rejected))?.token ?? null,
    retryAfterSeconds: (brand) => tokens.get(brand)?.retryAfterSeconds ?? 1,
  };
}
