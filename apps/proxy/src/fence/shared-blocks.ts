import type { Warnings } from '../observability/warnings.js';
import { atMost, lastTries } from '../store/last-tries.js';
import { BlockSet } from './block-set.js';
import type { Journal } from './journal.js';

/** Time between two looks at the store, in milliseconds. What one replica blocks, the others block within a second. */
export const lookEveryMs = 300;
/** Where there are no timers, a request looks itself when what is known is older than this, in milliseconds: one second. */
const oldMs = 1000;
/** Time for which what blocks waits to be kept in the store, in milliseconds. It blocks in this process at once. */
const keepWaitMs = 1000;
/** Time for which a process that starts waits for the store, in milliseconds. */
const firstReadMs = 2000;
/** Texts that are written at once. */
const maxBatch = 1000;
/** Texts that no longer mean anything are removed no more often than this, in milliseconds: ten minutes. */
const clearEveryMs = 600_000;
const fewDead = 64;

const awayWarning =
  'the store of VDS_STORE cannot be reached: withdrawals and stops hold in the processes that know them, and others do not know new ones';

/**
 * What is blocked, in this process and in a store that replicas have in common. A block holds here at once. While the store is away it is
 * kept in memory and written later; whatever the store loses is written again by every process that knows it.
 */
export class SharedBlocks {
  readonly set = new BlockSet();
  readonly #journal: Journal | null;
  readonly #warnings: Pick<Warnings, 'raise' | 'clear'> | null;
  readonly #waiting = new Set<string>();
  readonly #listeners: (() => void)[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #looking: Promise<boolean> | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** When the last look that has ended began; never, until one has succeeded. Then a store that is away keeps nobody waiting. */
  #knownMs = Number.NEGATIVE_INFINITY;
  #clearedMs = Number.NEGATIVE_INFINITY;
  /** Texts that the store need not keep. */
  #dead: string[] = [];

  /** @param journal `null` for a process that is alone */
  constructor(journal: Journal | null = null, warnings: Pick<Warnings, 'raise' | 'clear'> | null = null) {
    this.#journal = journal;
    this.#warnings = warnings;
  }

  /** How often the store has failed. */
  failures = 0;

  /** Texts that are not in the store yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Registers what is called when something is blocked that was not. */
  onBlock(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Looks at the store again and again. Resolves when it was read once, or after two seconds while it is away. */
  async start(): Promise<void> {
    if (this.#journal === null) return;
    await this.readOnce();
    this.#timer = setInterval(() => void this.look(), lookEveryMs);
    this.#timer.unref?.();
  }

  /** Looks until a look succeeds, for at most two seconds: one reply that is lost must not make a process forget all withdrawals. */
  async readOnce(): Promise<void> {
    let isOver = false;
    const read = async () => {
      while (!(await this.look()) && !isOver)
        await new Promise<void>((resolve) => setTimeout(resolve, lookEveryMs / 2));
    };
    await atMost(read(), firstReadMs);
    isOver = true;
  }

  /** Takes texts into this process; they hold when it returns. Resolves when the store has them, or after a second. */
  async add(texts: readonly string[]): Promise<void> {
    this.#apply(texts);
    if (this.#journal === null) return;
    for (const text of texts) this.#waiting.add(text);
    await atMost(this.#write(), keepWaitMs);
  }

  /** Whether the store has a text that was added: then every process has it within a second. */
  isKept(text: string): boolean {
    return this.#journal !== null && !this.#waiting.has(text);
  }

  /** Whether the last look of `freshen` began long enough ago for another one. */
  isDue(nowMs: number): boolean {
    return nowMs - this.#lookedMs >= lookEveryMs;
  }

  /**
   * A look for a platform without timers: `null` while another one is young and what is known is, too. Nobody waits for the look of another
   * request, which would end with it on Workers.
   */
  freshen(nowMs: number): Promise<boolean> | null {
    if (this.#journal === null || (!this.isDue(nowMs) && nowMs - this.#knownMs < oldMs)) return null;
    this.#lookedMs = nowMs;
    return this.#look(this.#journal);
  }

  /** Writes what waits, and takes what others have added. Returns whether the store could be read and written. Never fails. */
  look(): Promise<boolean> {
    const journal = this.#journal;
    if (journal === null) return Promise.resolve(true);
    this.#looking ??= this.#look(journal).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(journal: Journal): Promise<boolean> {
    const beganMs = performance.now();
    try {
      await this.#write();
      const { texts, isWhole } = await journal.read();
      this.#apply(texts);
      this.#knownMs = beganMs;
      if (isWhole) this.#writeBack(new Set(texts));
      await this.#write();
      await this.#clear(journal);
      if (this.#waiting.size > 0) return false;
      this.#warnings?.clear('fence');
      return true;
    } catch {
      if (this.#knownMs !== Number.NEGATIVE_INFINITY) this.#knownMs = beganMs;
      this.#fail();
      return false;
    }
  }

  /** What the store has lost while this process knows it. */
  #writeBack(there: ReadonlySet<string>): void {
    for (const text of this.set.texts()) if (!there.has(text)) this.#waiting.add(text);
  }

  #apply(texts: readonly string[]): void {
    let blocks = false;
    for (const text of texts) blocks = this.set.apply(text) || blocks;
    if (blocks) for (const listener of this.#listeners) listener();
  }

  /** Writes what waits, one batch after the other. Never fails: what could not be written waits on. A text that is written twice is there once. */
  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, maxBatch);
      try {
        await this.#journal?.append(batch);
      } catch {
        return this.#fail();
      }
      for (const text of batch) this.#waiting.delete(text);
    }
  }

  async #clear(journal: Journal): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#clearedMs < clearEveryMs) return;
    this.#clearedMs = nowMs;
    this.#dead.push(...this.set.takeDead(Date.now()));
    if (this.#dead.length < fewDead) return;
    await journal.remove(this.#dead);
    this.#dead = [];
  }

  #fail(): void {
    this.failures++;
    this.#warnings?.raise('fence', awayWarning);
  }

  /** Writes what waits, for at most three seconds. Returns how many texts are not in the store: they end with this process. */
  async close(): Promise<number> {
    clearInterval(this.#timer);
    await lastTries(
      () => this.#write(),
      () => this.#waiting.size,
    );
    return this.#waiting.size;
  }
}
