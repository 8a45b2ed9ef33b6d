import { tokensFrom } from '../config/tokens-from-settings.js';
import { ManagedTokens } from '../upstream-token/managed-tokens.js';
import type { ObjectStorage } from './object-storage.js';
import { print } from './print.js';
import type { StateQuestion, TokenReply } from './state-messages.js';
import { StorageStore } from './storage-store.js';
import { StoredCount } from './stored-count.js';
import { type WorkerEnvironment, workerSettings } from './worker-environment.js';

/**
 * What all isolates of a Worker share, as a Durable Object: one for the tokens of each brand, one for the counts of each client and
 * vehicle. There is one of each in the world, so a token is refreshed by one, and a
 * limit holds everywhere. Bind the class as `VDS_STATE`.
 */
export class ProxyState {
  readonly #tokens: ManagedTokens;
  readonly #count: StoredCount;
  readonly #silent: boolean;
  #told = '';

  constructor(state: { readonly storage: ObjectStorage }, environment: WorkerEnvironment) {
    const reading = workerSettings(environment);
    const byBrand = reading.ok ? tokensFrom(reading.settings) : new Map<string, never>();
    this.#tokens = new ManagedTokens(byBrand, new StorageStore(state.storage));
    this.#silent = reading.ok && reading.settings.values.get('VDS_LOG_LEVEL') === 'silent';
    this.#count = new StoredCount(state.storage);
  }

  async fetch(request: Request): Promise<Response> {
    return Response.json(await this.#reply((await request.json()) as StateQuestion));
  }

  /** Called by the platform when a span of counting is over. */
  async alarm(): Promise<void> {
    await this.#count.forget();
  }

  #reply(question: StateQuestion): unknown {
    if (question.kind === 'count') return this.#count.take(question.rate);
    return this.#token(question.brand, question.rejected);
  }

  async #token(brand: string, rejected: string | null): Promise<TokenReply> {
    const token = rejected === null ? await this.#tokens.obtain(brand) : await this.#tokens.replace(brand, rejected);
    this.#tell(brand);
    const retryAfterSeconds = this.#tokens.retryAfterSeconds(brand);
    return { token, usableMs: this.#tokens.usableMs(brand), retryAfterSeconds };
  }

  /** Logs how the token of a brand stands, whenever that has changed: there is no other place on Workers where it can be seen. */
  #tell(brand: string): void {
    const status = this.#tokens.statuses().find((each) => each.brand === brand);
    if (status === undefined || this.#silent) return;
    const { state, renewConsentBy, lastFailure } = status;
    const told = JSON.stringify({ brand, state, renewConsentBy, lastFailure });
    if (told !== this.#told) print(`{"time":"${new Date().toISOString()}","token":${told}}`);
    this.#told = told;
  }
}
