import cluster, { type Worker } from 'node:cluster';
import { say } from '../say.js';
import { type FromWorker, isFromWorker, type ToWorker, type WorkerReport } from './messages.js';
import { SharedState } from './shared-state.js';

/** Time for a worker to tell about itself, in milliseconds: one second. */
const reportMs = 1000;
/** Pause before a worker that ended is replaced, in milliseconds; it doubles while new ones end soon as well. */
const firstPauseMs = 100;
const maxPauseMs = 10_000;
/** A worker that lived this long ended for a reason of its own, in milliseconds: ten seconds. */
const longLifeMs = 10_000;

/** Starts workers, replaces those that end, and answers what they ask. */
export class Fleet {
  readonly #count: number;
  readonly #state = new SharedState();
  readonly #reports = new Map<number, (report: WorkerReport) => void>();
  #lastReport = 0;
  #pauseMs = firstPauseMs;
  #ending = false;
  #started: { readonly resolve: (port: number) => void; readonly reject: (error: Error) => void } | null = null;
  readonly #listening = new Set<number>();
  #onEmpty: () => void = () => {};

  /** Hears the number of every worker that has ended. */
  onEnd: (worker: number) => void = () => {};

  constructor(count: number) {
    this.#count = count;
    cluster.on('message', (worker, message: unknown) => {
      if (isFromWorker(message)) this.#take(worker, message);
    });
    cluster.on('listening', (worker, address) => this.#noteListening(worker, address.port));
  }

  /** Starts every worker. Resolves with the port once all of them listen. @throws {Error} with a worker's reason why it cannot */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
      for (let number = 0; number < this.#count; number++) this.#fork();
    });
  }

  /** What each worker tells about itself; without those that do not answer in time. */
  async reports(): Promise<ReadonlyMap<number, WorkerReport>> {
    const found = new Map<number, WorkerReport>();
    await Promise.all(
      this.#workers().map(async (worker) => {
        const report = await this.#reportOf(worker);
        if (report !== null) found.set(worker.id, report);
      }),
    );
    return found;
  }

  /** Lets every worker finish its calls; resolves when all have ended, at the latest after `withinMs` milliseconds. */
  async drain(withinMs: number): Promise<void> {
    this.#ending = true;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      if (this.#workers().length === 0) resolve();
    });
    for (const worker of this.#workers()) send(worker, { kind: 'drain' });
    const timer = setTimeout(() => this.kill(), withinMs);
    await empty;
    clearTimeout(timer);
  }

  /** Ends every worker at once. */
  kill(): void {
    this.#ending = true;
    for (const worker of this.#workers()) worker.process.kill('SIGKILL');
  }

  #workers(): readonly Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  }

  #fork(): void {
    const worker = cluster.fork();
    const bornMs = performance.now();
    worker.on('exit', (code, signal) => this.#ended(worker, signal ?? `code ${code}`, performance.now() - bornMs));
    worker.on('error', () => {});
  }

  #ended(worker: Worker, how: string, livedMs: number): void {
    this.#listening.delete(worker.id);
    this.onEnd(worker.id);
    this.#state.forget(worker.id).catch(() => {});
    if (this.#workers().length === 0) this.#onEmpty();
    this.#started?.reject(new Error('the proxy cannot start: a worker ended before it listened'));
    if (this.#ending || this.#started !== null) return;
    this.#pauseMs = livedMs >= longLifeMs ? firstPauseMs : Math.min(maxPauseMs, this.#pauseMs * 2);
    say(`a worker ended (${how}); another one starts in ${this.#pauseMs / 1000} s`);
    setTimeout(() => {
      if (!this.#ending) this.#fork();
    }, this.#pauseMs);
  }

  #noteListening(worker: Worker, port: number): void {
    this.#listening.add(worker.id);
    if (this.#listening.size < this.#count) return;
    this.#started?.resolve(port);
    this.#started = null;
  }

  #take(worker: Worker, message: FromWorker): void {
    if (message.kind === 'question') {
      this.#state.answer(worker.id, message.question).then(
        (answer) => send(worker, { kind: 'answer', id: message.id, answer }),
        () => {},
      );
    } else if (message.kind === 'report') {
      this.#reports.get(message.id)?.(message.report);
    } else if (this.#started !== null) {
      this.#started.reject(new Error(message.reason));
    } else say(message.reason);
  }

  #reportOf(worker: Worker): Promise<WorkerReport | null> {
    return new Promise((resolve) => {
      const id = ++this.#lastReport;
      const settle = (report: WorkerReport | null) => {
        clearTimeout(timer);
        this.#reports.delete(id);
        resolve(report);
      };
      const timer = setTimeout(() => settle(null), reportMs);
      this.#reports.set(id, settle);
      send(worker, { kind: 'report', id });
    });
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
