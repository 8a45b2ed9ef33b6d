import { tokensFrom } from '../config/proxy-config.js';
import type { Rate } from '../config/setting.js';
import { type Count, countOf } from '../limits/rate-limits.js';
import { MemoryStore } from '../store/memory-store.js';
import { ManagedTokens } from '../upstream-token/managed-tokens.js';
import type { StateQuestion, TokenQuestion, TokenReply } from './state-client.js';
import { printLine, type WorkerEnvironment, workerSettings } from './worker-environment.js';

/** The storage of a Durable Object, as far as it is used here. */
interface ObjectStorage {
  get(key: string): Promise<unknown>;
  /** @param options `allowUnconfirmed`: whether responses may leave the object before the value is on the disk */
  put(key: string, value: unknown, options?: { readonly allowUnconfirmed?: boolean }): Promise<void>;
  /** Has the object called at this time, in milliseconds since 1970, in place of any time that was set before. */
  setAlarm(timeMs: number): Promise<void>;
  deleteAll(): Promise<void>;
}

/**
 * What all isolates of a Worker share, as a Durable Object: one for the tokens of each brand, one for the counts of each client and
 * vehicle. There is one of each in the world, so a token is refreshed by one, and a limit holds everywhere. Bind the class as
 * `VDS_STATE`.
 */
export class ProxyState {
  readonly #tokens: ManagedTokens;
  readonly #count: ReturnType<typeof storedCount>;
  readonly #silent: boolean;
  #logged = '';

  constructor({ storage }: { readonly storage: ObjectStorage }, environment: WorkerEnvironment) {
    const reading = workerSettings(environment);
    const byBrand = reading.ok ? tokensFrom(reading.settings) : new Map<string, never>();
    // No other object can write there, so its locks are its own affair.
    const texts = {
      get: (key: string) => storage.get(key),
      set: (key: string, text: string) => storage.put(key, text),
    };
    this.#tokens = new ManagedTokens(byBrand, new MemoryStore(texts));
    this.#silent = reading.ok && reading.settings.values.VDS_LOG_LEVEL === 'silent';
    this.#count = storedCount(storage);
  }

  async fetch(request: Request): Promise<Response> {
    const question = (await request.json()) as StateQuestion;
    const reply = question.kind === 'count' ? this.#count.take(question.rate) : this.#token(question);
    return Response.json(await reply);
  }

  /** Called by the platform when a window of counting is over. */
  async alarm(): Promise<void> {
    await this.#count.forget();
  }

  async #token({ brand, rejected }: TokenQuestion): Promise<TokenReply> {
    const token = rejected === null ? await this.#tokens.obtain(brand) : await this.#tokens.replace(brand, rejected);
    this.#log(brand);
    const retryAfterSeconds = this.#tokens.retryAfterSeconds(brand);
    return { token, usableMs: this.#tokens.usableMs(brand), retryAfterSeconds };
  }

  /** Logs the state of a brand's token whenever it has changed: there is no other place on Workers where it can be seen. */
  #log(brand: string): void {
    const status = this.#tokens.statuses().find((each) => each.brand === brand);
    if (status === undefined || this.#silent) return;
    const { state, renewConsentBy, lastFailure } = status;
    const token = { brand, state, renewConsentBy, lastFailure };
    if (JSON.stringify(token) === this.#logged) return;
    this.#logged = JSON.stringify(token);
    printLine({ token });
  }
}

const countKey = 'count';

/**
 * Counts the requests of one client or vehicle in one Durable Object. The platform puts an object away ten seconds after its last
 * request, so the count is in its storage as well. What is there is deleted when the window is over.
 */
function storedCount(storage: ObjectStorage) {
  let window: Promise<{ endMs: number; calls: number }> | null = null;
  const load = async () => {
    const kept = await storage.get(countKey);
    const [endMs = 0, calls = 0] = Array.isArray(kept) && kept.every((each) => typeof each === 'number') ? kept : [];
    return { endMs, calls };
  };
  return {
    async take(rate: Rate): Promise<Count> {
      window ??= load().catch((error: unknown) => {
        window = null;
        throw error;
      });
      const current = await window;
      const nowMs = Date.now();
      if (nowMs >= current.endMs) {
        current.endMs = nowMs + rate.seconds * 1000;
        current.calls = 0;
        storage.setAlarm(current.endMs).catch(() => {});
      }
      current.calls++;
      // No request waits for the disk: what a crash can lose is the last few milliseconds.
      if (current.calls <= rate.calls)
        storage.put(countKey, [current.endMs, current.calls], { allowUnconfirmed: true }).catch(() => {});
      return countOf(rate, current.calls, current.endMs - nowMs);
    },
    async forget(): Promise<void> {
      if (Date.now() >= ((await window)?.endMs ?? 0)) await storage.deleteAll();
    },
  };
}
