// What the store has of a brand's token, beside what this process knows: a store can lose a state, reject it or be set back.
import type { Store, Unlock } from '../store/memory-store.js';
import { TokenFailure } from './token-endpoint.js';
import { parseTokenState, type TokenState } from './token-state.js';

/** Pause between two looks of every process at the store, in milliseconds: what it has lost is back within a second. */
export const lookEveryMs = 1000;

/** What a token asks of the store. */
export interface StoreTerms {
  /** Whether a refresh token comes with each token, which must not be lost. */
  readonly rotates: boolean;
  /** How long a lock lasts, in milliseconds. */
  readonly lockMs: number;
}

export class StoredToken {
  readonly #store: Store;
  /** Where the store keeps the token. */
  readonly #key: Promise<string>;
  readonly #terms: () => StoreTerms;
  /** The newest state that this process knows, usable or not. */
  #newest: TokenState | null = null;
  /** Generation from which a state in the store is that one or a later one. */
  #newerFrom = 0;
  /** Whether the last look found nothing in the store, or less than this process knows. */
  #isMissing = false;
  #missingSinceMs = Number.NEGATIVE_INFINITY;
  #restoredMs: number | undefined;

  constructor(store: Store, key: Promise<string>, terms: () => StoreTerms) {
    this.#store = store;
    this.#key = key;
    this.#terms = terms;
  }

  /** The newest state that this process knows, usable or not. */
  get newest(): TokenState | null {
    return this.#newest;
  }

  /** Whether the store has to be given back what this process knows. */
  get isLost(): boolean {
    return this.#isMissing && this.#newest !== null;
  }

  /**
   * Time until a refresh token may be sent after the store was found empty or set back, in milliseconds. By then every process that
   * knows a newer one has written it back, also one that was just using it.
   */
  get unsettledMs(): number {
    return Math.max(0, this.#missingSinceMs + this.settleMs - performance.now());
  }

  /** Time that a store takes at most to have back what it has lost, in milliseconds; 0 where nothing can be lost. */
  get settleMs(): number {
    const { rotates, lockMs } = this.#terms();
    return rotates && this.#store.canBeEmptied ? lockMs + lookEveryMs : 0;
  }

  async lock(): Promise<Unlock | null> {
    return this.#store.lock(await this.#key, this.#terms().lockMs);
  }

  /** Another process has the lock: it requests a token, which the store can lose before this process has seen it. */
  noteLocked(): void {
    if (this.#isMissing) this.#missingSinceMs = performance.now();
  }

  /**
   * The newest state that the store or this process knows; `null` when there is none, or when the store has lost it and this process may
   * not write.
   *
   * @param hasLock whether what the store has lost or never had is written back: after an emptied Redis, a failover, a full disk
   */
  async readNewest(hasLock: boolean): Promise<TokenState | null> {
    const stored = await this.#read();
    let newest = stored !== null && stored.generation >= this.#newerFrom ? stored : this.#newest;
    const isMissing = newest === null || newest !== stored;
    if (isMissing && !this.#isMissing) this.#missingSinceMs = performance.now();
    this.#isMissing = isMissing;
    this.#noteRestored(stored?.restoredMs);
    if (newest === null || (newest !== stored && !hasLock)) return null;
    if (newest !== stored) {
      newest = { ...newest, restoredMs: this.#store.nowMs() };
      await this.#save(newest);
    }
    this.#newest = newest;
    this.#newerFrom = newest.generation;
    return newest;
  }

  /** Continues with a state that was just requested. Resolves when it is saved, where it must not be lost. */
  async replace(state: TokenState): Promise<void> {
    const before = this.#newest;
    this.#newest = state;
    // Until it is saved, another process may continue with the state before; by a clock that was set back, its generation can be less.
    this.#newerFrom = (before?.generation ?? 0) + 1;
    await this.#save(state);
    this.#newerFrom = state.generation;
  }

  /** A store that another process has filled again counts as missing until now: the time that it says is one of a clock that can jump. */
  #noteRestored(restoredMs: number | undefined): void {
    if (restoredMs === undefined || restoredMs === this.#restoredMs) return;
    this.#restoredMs = restoredMs;
    this.#missingSinceMs = performance.now();
  }

  async #read(): Promise<TokenState | null> {
    try {
      return parseTokenState((await this.#store.read(await this.#key)) ?? '');
    } catch (error) {
      // It can come back without what it had.
      this.#isMissing = false;
      throw error;
    }
  }

  /** Client credentials lose nothing with their state, so for them a store that fails is no failure. */
  async #save(state: TokenState): Promise<void> {
    try {
      await this.#store.write(await this.#key, JSON.stringify(state));
    } catch {
      if (this.#terms().rotates) throw new TokenFailure('store');
    }
  }
}
