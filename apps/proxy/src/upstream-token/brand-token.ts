import type { Store, Unlock } from '../store/memory-store.js';
import { type HeldToken, heldToken } from './held-token.js';
import { storeKeyOf } from './store-key.js';
import { StoredToken } from './stored-token.js';
import { TokenBackoff } from './token-backoff.js';
import { requestToken, TokenFailure, type TokenFailureKind } from './token-endpoint.js';
import { type ResolvedTokenOptions, resolveTokenOptions, type TokenOptions } from './token-options.js';
import type { TokenState } from './token-state.js';

/** What can be shown of a brand's token: states and times, never values. */
export interface TokenStatus {
  readonly brand: string;
  /** Without a token `failing` while requests need one, and `none` when the last such request is ten minutes ago. */
  readonly state: 'none' | 'valid' | 'failing';
  /** Time until the token ends, in whole seconds. */
  readonly expiresInSeconds: number | null;
  /** Day by which the consent must be renewed, `yyyy-MM-dd`. */
  readonly renewConsentBy: string | null;
  readonly lastFailure: TokenFailureKind | null;
}

export type TokenRequestListener = (brand: string, outcome: 'ok' | TokenFailureKind) => void;

/** A token that is rejected within this time is not replaced, in milliseconds; a new one would be rejected as well. */
const youngMs = 10_000;
const lockPauseMs = 60;
/** Pause between two looks at a store that has to settle, in milliseconds. */
const settlePauseMs = 250;
/** Pause between two looks for another process's token while this one must not request any, in milliseconds: one second. */
const lookPauseMs = 1000;
/** Time for reading the store before a token request, and for writing it after one, in milliseconds. */
const storeMs = 1000;

const never = Number.NEGATIVE_INFINITY;

/** What the tokens of all brands share. */
export interface TokenSharing {
  readonly store: Store;
  readonly onRequest: TokenRequestListener;
  /** Every renewal that has not ended. */
  readonly underWay: Set<Promise<unknown>>;
}

/** The access token of one brand: kept, shared through the store, refreshed ahead of its end, by one at a time. */
export class BrandToken {
  readonly brand: string;
  #options: ResolvedTokenOptions;
  readonly #shared: TokenSharing;
  /** Where the store keeps the token; it has what the token is bound to, as long as this object lives. */
  readonly #key: Promise<string>;
  readonly #stored: StoredToken;
  #held: HeldToken | null = null;
  readonly #backoff = new TokenBackoff();
  #lookAtMs = never;
  #flight: Promise<string | null> | null = null;
  #looking: Promise<void> | null = null;
  /** What was sent for a refresh token that cannot be used: it is used up, and sent again it could end the consent. */
  #spent: string | null = null;

  constructor(brand: string, options: TokenOptions, shared: TokenSharing) {
    this.brand = brand;
    this.#options = resolveTokenOptions(options);
    this.#shared = shared;
    this.#key = storeKeyOf(brand, options);
    this.#stored = new StoredToken(shared.store, this.#key, () => ({ rotates: this.#rotates, lockMs: this.#lockMs }));
  }

  /** Continues with other options, such as a new client secret; not, and `false`, when the token is bound to what differs. */
  async use(options: TokenOptions): Promise<boolean> {
    if ((await this.#key) !== (await storeKeyOf(this.brand, options))) return false;
    this.#options = resolveTokenOptions(options);
    this.#backoff.startAnew();
    return true;
  }

  /** The token that is valid now, or `null`. Starts a refresh when its time has come. */
  current(): string | null {
    const nowMs = performance.now();
    const held = this.#held;
    if (held === null || nowMs >= held.usableUntilMs) return null;
    if (nowMs >= held.refreshAtMs && this.#flight === null && this.#backoff.mayRequest(nowMs)) void this.#fly(null);
    return held.state.accessToken;
  }

  /** A token that is valid, fetched when there is none; `null` when there is none to be had now. */
  async obtain(): Promise<string | null> {
    return this.current() ?? (await this.#fly(null));
  }

  /**
   * Looks at the store: learns the token that another process got, and writes back the newest when the store has lost it, so that a new
   * process finds it there instead of using an old refresh token again. Never fails; a store that is away is looked at next time.
   */
  look(): Promise<void> {
    if (!this.#rotates || this.#flight !== null) return Promise.resolve();
    if (this.#looking !== null) return this.#looking;
    const looking = this.#lookAtStore()
      .catch(() => {})
      .finally(() => {
        this.#looking = null;
        this.#shared.underWay.delete(looking);
      });
    this.#looking = looking;
    this.#shared.underWay.add(looking);
    return looking;
  }

  /** Another token in place of a rejected one; the same one when it is too young to be at fault. */
  async replace(rejected: string): Promise<string | null> {
    const token = this.current();
    if (token !== null && token !== rejected) return token;
    if (token === rejected && this.#held !== null && performance.now() - this.#held.takenMs < youngMs) return rejected;
    return this.#fly(rejected);
  }

  /** Time until the next request may be made, in whole seconds, at least one. */
  retryAfterSeconds(): number {
    return this.#backoff.retryAfterSeconds;
  }

  /** Time for which the token that is here can be used, in milliseconds. */
  usableMs(): number {
    return Math.max(0, (this.#held?.usableUntilMs ?? never) - performance.now());
  }

  status(): TokenStatus {
    const nowMs = performance.now();
    const held = this.#held;
    const usable = held !== null && nowMs < held.usableUntilMs;
    const endsMs = usable ? held.takenMs + held.state.expiresMs - held.state.issuedMs : never;
    const renewByMs = held?.state.renewByMs ?? null;
    return {
      brand: this.brand,
      state: usable ? 'valid' : this.#backoff.isFailing(nowMs) ? 'failing' : 'none',
      expiresInSeconds: usable ? Math.max(0, Math.floor((endsMs - nowMs) / 1000)) : null,
      renewConsentBy: renewByMs === null ? null : new Date(renewByMs).toISOString().slice(0, 10),
      lastFailure: this.#backoff.lastFailure,
    };
  }

  /** Whether a refresh token comes with each token, which must not be lost. */
  get #rotates(): boolean {
    return this.#options.grant !== 'client-credentials';
  }

  #fly(rejected: string | null): Promise<string | null> {
    this.#backoff.noteNeed();
    if (this.#flight !== null) return this.#flight;
    const flight = this.#renew(rejected).finally(() => {
      this.#flight = null;
      this.#shared.underWay.delete(flight);
    });
    this.#flight = flight;
    this.#shared.underWay.add(flight);
    return flight;
  }

  /** How long a lock lasts, in milliseconds. That of a process that was killed ends while the others still wait for it. */
  get #lockMs(): number {
    return this.#options.timeoutMs + 2 * storeMs;
  }

  async #lookAtStore(): Promise<void> {
    await this.#adoptNewest(null, false);
    if (!this.#stored.isLost) return;
    const unlock = await this.#stored.lock();
    if (unlock === null) return;
    try {
      await this.#adoptNewest(null, true);
    } finally {
      await unlock().catch(() => {});
    }
  }

  async #renew(rejected: string | null): Promise<string | null> {
    const before = this.#held;
    await this.#looking;
    const nowMs = performance.now();
    const found = this.#held;
    // The look has found what this was to get; a renewal now would be one too many.
    if (found !== null && found !== before && nowMs < found.usableUntilMs && found.state.accessToken !== rejected)
      return found.state.accessToken;
    if (this.#backoff.mayRequest(nowMs)) {
      try {
        await this.#renewShared(rejected);
        this.#backoff.succeeded();
      } catch (error) {
        this.#backoff.failed(error instanceof TokenFailure ? error : new TokenFailure('store'));
      }
    } else if (nowMs >= this.#lookAtMs) {
      this.#lookAtMs = nowMs + lookPauseMs;
      // The pause is this process's own: another one may have a token.
      await this.#adoptNewest(rejected, false).catch(() => {});
    }
    const token = this.usableMs() > 0 ? (this.#held?.state.accessToken ?? null) : null;
    return token === rejected ? null : token;
  }

  /** Gets a token that is not the rejected one: from the store, or, as the one process that has the lock, from the endpoint. */
  async #renewShared(rejected: string | null): Promise<void> {
    const stored = this.#stored;
    const giveUpMs = performance.now() + stored.settleMs + this.#lockMs + storeMs;
    for (;;) {
      const startedMs = performance.now();
      let unlock: Unlock | null;
      try {
        if (await this.#adoptNewest(rejected, false)) return;
        // What others are about to write back needs the lock.
        const waits = stored.newest === null && stored.unsettledMs > 0;
        unlock = waits ? null : await stored.lock();
        if (!waits && unlock === null) stored.noteLocked();
      } catch {
        // Without the store nobody knows the newest refresh token, and using an old one can end the consent. Client
        // credentials lose nothing but a request.
        if (this.#rotates) throw new TokenFailure('store');
        return this.#request();
      }
      if (unlock !== null) {
        try {
          // The process that had the lock before may have been faster.
          if (await this.#adoptNewest(rejected, true)) return;
          if (stored.unsettledMs === 0) {
            // A request that starts late could outlive the lock, and another process would use the same refresh token.
            if (performance.now() > startedMs + storeMs) throw new TokenFailure('store');
            return await this.#request();
          }
        } finally {
          await unlock().catch(() => {});
        }
      }
      const { unsettledMs } = stored;
      // After a wait for the store to settle another process can have the lock; one that is emptied again and again is given up.
      if (performance.now() >= giveUpMs) throw new TokenFailure('store');
      const pauseMs = unsettledMs === 0 ? lockPauseMs : Math.min(unsettledMs, settlePauseMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
    }
  }

  async #request(): Promise<void> {
    const { grant, refreshToken: configured = null } = this.#options;
    const before = this.#stored.newest;
    const used = this.#rotates ? (before?.refreshToken ?? (grant === 'refresh-token' ? configured : null)) : null;
    const { store, onRequest } = this.#shared;
    if (this.#spent === (used ?? '')) throw new TokenFailure('invalid-refresh-token');
    const response = await requestToken(this.#options, this.brand, used).catch((failure: TokenFailure) => {
      if (failure.kind === 'invalid-refresh-token') this.#spent = used ?? '';
      onRequest(this.brand, failure.kind);
      throw failure;
    });
    onRequest(this.brand, 'ok');
    const nowMs = store.nowMs();
    const refreshToken = this.#rotates ? (response.refreshToken ?? used) : null;
    const isNew = refreshToken !== null && refreshToken !== before?.refreshToken;
    const state: TokenState = {
      generation: Math.max((before?.generation ?? 0) + 1, nowMs),
      accessToken: response.accessToken,
      issuedMs: nowMs,
      expiresMs: nowMs + response.lifeMs,
      refreshToken,
      renewByMs: isNew ? nowMs + response.refreshLifeMs : (before?.renewByMs ?? null),
    };
    // Saved first: once the new token is used, the endpoint may forget the old refresh token.
    await this.#stored.replace(state);
    this.#adopt(state, null);
  }

  /** Uses the newest state that the store or this process knows, when there is another one than that in use. @param hasLock as for `readNewest` */
  async #adoptNewest(rejected: string | null, hasLock: boolean): Promise<boolean> {
    const newest = await this.#stored.readNewest(hasLock);
    return newest !== null && newest.generation !== this.#held?.state.generation && this.#adopt(newest, rejected);
  }

  /** Uses a state from now on, unless its token is the rejected one or too old. */
  #adopt(state: TokenState, rejected: string | null): boolean {
    if (state.accessToken === rejected) return false;
    const held = heldToken(state, this.#shared.store.nowMs());
    if (held === null) return false;
    this.#held = held;
    return true;
  }
}
