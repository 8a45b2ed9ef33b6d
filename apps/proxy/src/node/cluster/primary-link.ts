import type { Count } from '../../limits/counter.js';
import type { Rate } from '../../limits/rate.js';
import type { Store, Unlock } from '../../store/store.js';
import { type Answers, type FromWorker, isToWorker, type Question, type Take, type WorkerReport } from './messages.js';

/** Time that a worker waits for what it asked, in milliseconds: half a second. */
const answerMs = 500;

interface Waiting {
  readonly resolve: (answer: Answers[keyof Answers]) => void;
  readonly timer: NodeJS.Timeout;
}

/** A worker's way to the process that started it, and to what all workers share there. */
export class PrimaryLink {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #takes: Take[] = [];
  #counts: Promise<readonly Count[]> | null = null;
  #report: (() => Promise<WorkerReport>) | null = null;
  #onDrain: () => void = () => {};

  constructor() {
    process.on('message', (message: unknown) => {
      if (!isToWorker(message)) return;
      if (message.kind === 'drain') this.#onDrain();
      else if (message.kind === 'report') this.#sendReport(message.id);
      else this.#settle(message.id, message.answer);
    });
  }

  /** Sets what is told about this worker, and what is done when it is to end. */
  serve(report: () => Promise<WorkerReport>, onDrain: () => void): void {
    this.#report = report;
    this.#onDrain = onDrain;
  }

  /** Says why this worker cannot start; resolves once that is said. */
  cannotStart(reason: string): Promise<void> {
    return new Promise((resolve) => {
      const message: FromWorker = { kind: 'cannot-start', reason };
      if (process.send === undefined) resolve();
      else process.send(message, undefined, {}, () => resolve());
    });
  }

  /** Counts one call for all workers. What is asked in one turn goes in one message. */
  async count(rate: Rate, key: string): Promise<Count> {
    const place = this.#takes.push({ rate, key }) - 1;
    this.#counts ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const takes = this.#takes;
      this.#takes = [];
      this.#counts = null;
      return this.#ask<'count'>({ kind: 'count', takes });
    });
    const count = (await this.#counts)[place];
    if (count === undefined) throw new Error('a call was not counted');
    return count;
  }

  /** The store that all workers share. */
  store(): Store {
    const ask = <K extends Question['kind']>(question: Extract<Question, { kind: K }>) => this.#ask<K>(question);
    return {
      read: (key) => ask<'read'>({ kind: 'read', key }),
      async write(key, text) {
        await ask<'write'>({ kind: 'write', key, text });
      },
      async lock(key, ttlMs): Promise<Unlock | null> {
        const lock = await ask<'lock'>({ kind: 'lock', key, ttlMs });
        if (lock === null) return null;
        return async () => {
          await ask<'unlock'>({ kind: 'unlock', lock });
        };
      },
      nowMs: () => Date.now(),
      async close() {},
    };
  }

  #ask<K extends Question['kind']>(question: Extract<Question, { kind: K }>): Promise<Answers[K]> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error('no answer in time'));
      }, answerMs);
      // The answer is of the kind of its question: both ends are this program.
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as Answers[K]), timer });
      this.#send({ kind: 'question', id, question });
    });
  }

  #settle(id: number, answer: Answers[keyof Answers]): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
  }

  #sendReport(id: number): void {
    this.#report?.().then(
      (report) => this.#send({ kind: 'report', id, report }),
      () => {},
    );
  }

  #send(message: FromWorker): void {
    // Without the other end this worker is ended as well; what is waited for ends by its time.
    if (process.connected) process.send?.(message, undefined, {}, () => {});
  }
}
