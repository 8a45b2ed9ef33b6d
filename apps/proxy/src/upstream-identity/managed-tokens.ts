import type { Store } from '../store/store.js';
import { BrandToken, type TokenSettings, type TokenStatus } from './brand-token.js';
import type { TokenFailureKind } from './token-answer.js';
import type { TokenSource } from './token-source.js';

/** Hears of every request to a token endpoint. */
export type TokenRequestListener = (brand: string, outcome: 'ok' | TokenFailureKind) => void;

/** Access tokens that the proxy fetches and refreshes itself, one for each brand. */
export class ManagedTokens implements TokenSource {
  readonly #tokens = new Map<string, BrandToken>();

  constructor(byBrand: ReadonlyMap<string, TokenSettings>, store: Store, onRequest: TokenRequestListener = () => {}) {
    for (const [brand, settings] of byBrand)
      this.#tokens.set(brand, new BrandToken(brand, settings, store, (outcome) => onRequest(brand, outcome)));
  }

  current(brand: string): string | null {
    return this.#tokens.get(brand)?.current() ?? null;
  }

  async obtain(brand: string): Promise<string | null> {
    return (await this.#tokens.get(brand)?.obtain()) ?? null;
  }

  async replace(brand: string, rejected: string): Promise<string | null> {
    return (await this.#tokens.get(brand)?.replace(rejected)) ?? null;
  }

  retryAfterSeconds(brand: string): number {
    return this.#tokens.get(brand)?.retryAfterSeconds() ?? 1;
  }

  /** Time for which the token of a brand can be used, in milliseconds. */
  usableMs(brand: string): number {
    return this.#tokens.get(brand)?.usableMs() ?? 0;
  }

  /** What can be shown of all tokens. */
  statuses(): readonly TokenStatus[] {
    return [...this.#tokens.values()].map((token) => token.status());
  }
}
