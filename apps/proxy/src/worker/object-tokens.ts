import type { TokenSource } from '../upstream-identity/token-source.js';
import { askToken, type StateNamespace, type TokenReply } from './state-messages.js';

/** Time for which an isolate uses a token before it asks for a newer one, in milliseconds: one minute. */
const keepMs = 60_000;

interface Kept {
  readonly token: string | null;
  readonly untilMs: number;
  readonly retryAfterSeconds: number;
}

const none: Kept = { token: null, untilMs: 0, retryAfterSeconds: 1 };

/**
 * Tokens that a Durable Object fetches and refreshes for all isolates. An isolate never waits for what another request of it has
 * begun: on Workers that would end with that request.
 */
export class ObjectTokens implements TokenSource {
  readonly #namespace: StateNamespace;
  readonly #kept = new Map<string, Kept>();

  constructor(namespace: StateNamespace) {
    this.#namespace = namespace;
  }

  current(brand: string): string | null {
    const { token, untilMs } = this.#kept.get(brand) ?? none;
    return Date.now() < untilMs ? token : null;
  }

  async obtain(brand: string): Promise<string | null> {
    return this.#keep(brand, await askToken(this.#namespace, brand, null));
  }

  async replace(brand: string, rejected: string): Promise<string | null> {
    return this.#keep(brand, await askToken(this.#namespace, brand, rejected));
  }

  retryAfterSeconds(brand: string): number {
    return (this.#kept.get(brand) ?? none).retryAfterSeconds;
  }

  #keep(brand: string, { token, usableMs, retryAfterSeconds }: TokenReply): string | null {
    this.#kept.set(brand, { token, untilMs: Date.now() + Math.min(usableMs, keepMs), retryAfterSeconds });
    return token;
  }
}
