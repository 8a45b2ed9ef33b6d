import { tokensFrom } from '../config/domain-options.js';
import { serverOptionsFrom } from '../config/program-options.js';
import { type Count, countOf } from '../limits/rate-limits.js';
import type { Rate } from '../rate.js';
import { MemoryStore } from '../store/memory-store.js';
import { ManagedTokens } from '../upstream-token/managed-tokens.js';
import { BlockObject } from './block-object.js';
import type { StateQuestion, TokenReply } from './state-client.js';
import { printLine, type WorkerEnvironment, workerSettings } from './worker-environment.js';

const countKey = 'count';

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
 * vehicle, one for what is blocked. There is one of each in the world, so a token is refreshed by one, and a limit holds everywhere. Bind the class as
 * `VDS_STATE`.
 */
export class ProxyState {
  readonly #tokens: ManagedTokens;
  readonly #storage: ObjectStorage;
  readonly #blocks: BlockObject;
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
    this.#silent = reading.ok && serverOptionsFrom(reading.settings.values).logLevel === 'silent';
    this.#storage = storage;
    this.#blocks = new BlockObject(storage);
  }

  async fetch(request: Request): Promise<Response> {
    const question = (await request.json()) as StateQuestion;
    if (question.kind === 'blocks') return Response.json(await this.#blocks.reply(question));
    const reply =
      question.kind === 'count' ? this.#count(question.rate) : this.#token(question.brand, question.rejected);
    return Response.json(await reply);
  }

  /** Called by the platform when a window of counting is over: nothing is kept then. */
  async alarm(): Promise<void> {
    const { endMs } = await this.#window();
    if (Date.now() >= endMs) await this.#storage.deleteAll();
  }

  /**
   * Counts a request of the client or vehicle of this object. The platform keeps in memory what it has read or written, and lets no
   * other request in while the object waits for its storage:
   * https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/
   */
  async #count(rate: Rate): Promise<Count> {
    let { endMs, calls } = await this.#window();
    const nowMs = Date.now();
    if (nowMs >= endMs) {
      endMs = nowMs + rate.seconds * 1000;
      calls = 0;
      this.#storage.setAlarm(endMs).catch(() => {});
    }
    calls++;
    // No request waits for the disk: what a crash can lose is the last few milliseconds.
    if (calls <= rate.calls) this.#storage.put(countKey, [endMs, calls], { allowUnconfirmed: true }).catch(() => {});
    return countOf(rate, calls, endMs - nowMs);
  }

  async #window() {
    const kept = await this.#storage.get(countKey);
    const [endMs = 0, calls = 0] = Array.isArray(kept) && kept.every((each) => typeof each === 'number') ? kept : [];
    return { endMs, calls };
  }

  async #token(brand: string, rejected: string | null): Promise<TokenReply> {
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
