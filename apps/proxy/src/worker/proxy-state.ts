import type { Count } from '../limits/counter.js';
import type { Rate } from '../limits/rate.js';
import { tokensFrom } from '../settings/tokens-from-settings.js';
import { MemoryStore } from '../store/memory-store.js';
import { ManagedTokens } from '../upstream-identity/managed-tokens.js';
import type { StateQuestion, TokenReply } from './state-messages.js';
import { type WorkerEnvironment, workerSettings } from './worker-environment.js';

/** The storage of a Durable Object, as far as it is used here. */
interface ObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: string): Promise<void>;
}

/** A store in the storage of one Durable Object; no other can write there, so its locks are its own affair. */
class StorageStore extends MemoryStore {
  readonly #storage: ObjectStorage;

  constructor(storage: ObjectStorage) {
    super();
    this.#storage = storage;
  }

  override async read(key: string): Promise<string | null> {
    const found = await this.#storage.get(key);
    return typeof found === 'string' ? found : null;
  }

  override async write(key: string, text: string): Promise<void> {
    await this.#storage.put(key, text);
  }
}

/**
 * What all isolates of a Worker share, as a Durable Object: one for the tokens of each brand, one for the counts of each caller and
 * vehicle. There is one of each in the world, so a token is refreshed by one, and a limit holds everywhere. Bind the class as
 * `VDS_STATE`.
 */
export class ProxyState {
  readonly #tokens: ManagedTokens;
  #spanEndMs = 0;
  #calls = 0;

  constructor(state: { readonly storage: ObjectStorage }, environment: WorkerEnvironment) {
    const reading = workerSettings(environment);
    const byBrand = reading.ok ? tokensFrom(reading.settings) : new Map<string, never>();
    this.#tokens = new ManagedTokens(byBrand, new StorageStore(state.storage));
  }

  async fetch(request: Request): Promise<Response> {
    const question = (await request.json()) as StateQuestion;
    return Response.json(
      question.kind === 'count' ? this.#count(question.rate) : await this.#token(question.brand, question.rejected),
    );
  }

  // Counts are kept in memory alone: an object that nobody asks is put away, and its span has passed by then or begins anew.
  #count(rate: Rate): Count {
    const nowMs = Date.now();
    if (nowMs >= this.#spanEndMs) {
      this.#spanEndMs = nowMs + rate.seconds * 1000;
      this.#calls = 0;
    }
    this.#calls++;
    return {
      allowed: this.#calls <= rate.calls,
      left: Math.max(0, rate.calls - this.#calls),
      resetSeconds: Math.max(1, Math.ceil((this.#spanEndMs - nowMs) / 1000)),
    };
  }

  async #token(brand: string, rejected: string | null): Promise<TokenReply> {
    const token = rejected === null ? await this.#tokens.obtain(brand) : await this.#tokens.replace(brand, rejected);
    const retryAfterSeconds = this.#tokens.retryAfterSeconds(brand);
    return { token, usableMs: this.#tokens.usableMs(brand), retryAfterSeconds };
  }
}
