import type { Store } from '../store/memory-store.js';
import { BrandToken, type TokenRequestListener, type TokenSharing, type TokenStatus } from './brand-token.js';
import type { TokenOptions } from './token-options.js';
import type { TokenSource } from './token-source.js';

/** Access tokens that the proxy fetches and refreshes itself, one for each brand. */
export class ManagedTokens implements TokenSource {
  readonly #tokens = new Map<string, BrandToken>();
  readonly #shared: TokenSharing;

  constructor(byBrand: ReadonlyMap<string, TokenOptions>, store: Store, onRequest: TokenRequestListener = () => {}) {
    this.#shared = { store, onRequest, underWay: new Set() };
    for (const [brand, options] of byBrand) this.#add(brand, options);
  }

  /** Continues with other options. Tokens that are not bound to what has changed stay in use. */
  async use(byBrand: ReadonlyMap<string, TokenOptions>): Promise<void> {
    for (const brand of [...this.#tokens.keys()]) if (!byBrand.has(brand)) this.#tokens.delete(brand);
    for (const [brand, options] of byBrand)
      if (!(await this.#tokens.get(brand)?.use(options))) this.#add(brand, options);
  }

  #add(brand: string, options: TokenOptions): void {
    this.#tokens.set(brand, new BrandToken(brand, options, this.#shared));
  }

  /** Compares the store with what this process knows, for every brand; to be called every `lookEveryMs` milliseconds. Never fails. */
  async look(): Promise<void> {
    await Promise.all([...this.#tokens.values()].map((token) => token.look()));
  }

  /** Waits until no renewal is under way: each holds a refresh token that only its response replaces. Each has its own deadline. */
  async close(): Promise<void> {
    await Promise.all(this.#shared.underWay);
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

  statuses(): readonly TokenStatus[] {
    return [...this.#tokens.values()].map((token) => token.status());
  }
}
