import { SpanCounter } from '../../limits/span-counter.js';
import { MemoryStore } from '../../store/memory-store.js';
import type { Unlock } from '../../store/store.js';
import type { Answers, Question, Take } from './messages.js';

/** What all workers of one program share: texts, locks and counts. It lives in the process that started them. */
export class SharedState {
  readonly #store = new MemoryStore();
  readonly #counters = new Map<string, SpanCounter>();
  readonly #locks = new Map<number, { readonly worker: number; readonly unlock: Unlock }>();
  #lastLock = 0;

  /** Answers a question of a worker. */
  async answer(worker: number, question: Question): Promise<Answers[keyof Answers]> {
    switch (question.kind) {
      case 'read':
        return this.#store.read(question.key);
      case 'write':
        await this.#store.write(question.key, question.text);
        return null;
      case 'lock':
        return this.#lock(worker, question.key, question.ttlMs);
      case 'unlock':
        await this.#unlock(question.lock);
        return null;
      case 'count':
        return question.takes.map((take) => this.#counterOf(take).take(take.key));
    }
  }

  /** Gives back the locks of a worker that has ended. */
  async forget(worker: number): Promise<void> {
    for (const [number, held] of this.#locks) if (held.worker === worker) await this.#unlock(number);
  }

  async #lock(worker: number, key: string, ttlMs: number): Promise<number | null> {
    const unlock = await this.#store.lock(key, ttlMs);
    if (unlock === null) return null;
    const number = ++this.#lastLock;
    this.#locks.set(number, { worker, unlock });
    return number;
  }

  async #unlock(number: number): Promise<void> {
    await this.#locks.get(number)?.unlock();
    this.#locks.delete(number);
  }

  #counterOf({ rate }: Take): SpanCounter {
    const text = `${rate.calls}/${rate.seconds}`;
    let counter = this.#counters.get(text);
    if (counter === undefined) {
      counter = new SpanCounter(rate);
      this.#counters.set(text, counter);
    }
    return counter;
  }
}
