import { afterReading, onWorkers } from '../platform/runtime.js';
import type { ResponseListener } from '../response/response-writer.js';

/** Ends a request whose client has left or takes nothing of its response. There is nobody to respond to. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
  readonly code: 'client-closed-request' | 'client-too-slow';

  constructor(code: ClientLeft['code'], reason = '') {
    super(reason);
    this.code = code;
  }
}

/** Takes part in a request while it waits for something. */
export interface LifetimeListener extends ResponseListener {
  /** Called about ten times a second. */
  tick(nowMs: number): void;
  /** The request must end with this error, whatever it waits for. */
  stopped(error: Error): void;
}

const tickMs = 100;

// A list in which the last one takes the place of one that goes. A `Set` that requests come to and go from is copied again and again, and in
// V8 each copy is held by the one before it, with all requests that were under way: the garbage collector then carries finished ones around.
const underWay: RequestLifetime[] = [];
let sharedTimer: ReturnType<typeof setInterval> | undefined;

function tickAll(nowMs: number): void {
  if (underWay.length === 0) {
    clearInterval(sharedTimer);
    sharedTimer = undefined;
  }
  // From the end: one that ends during its tick is replaced by one that had its tick before.
  for (let place = underWay.length - 1; place >= 0; place--) underWay[place]?.tick(nowMs);
}

function tickAfterReading(): void {
  const nowMs = performance.now();
  // The earlier of two readings, should the clock have been replaced in between.
  afterReading(() => tickAll(Math.min(nowMs, performance.now())));
}

/**
 * The time of one request: one budget from its head until its response begins, whatever it waits for, and the end of every wait
 * when its client leaves.
 */
export class RequestLifetime implements ResponseListener {
  readonly startedMs = performance.now();
  #budgetMs: number;
  readonly #ownTimer: ReturnType<typeof setInterval> | undefined;
  #place = -1;
  #listener: LifetimeListener | null = null;
  #onTick: ((nowMs: number) => void) | undefined;
  #left = false;
  #stop: Error | null = null;

  /**
   * @param budgetMs time until the response begins, in milliseconds
   * @param onTick called about ten times a second
   */
  constructor(budgetMs: number, onTick?: (nowMs: number) => void) {
    this.#budgetMs = budgetMs;
    this.#onTick = onTick;
    // A Worker's timers end with the request that made them, so each request has its own there. Elsewhere one timer for all is cheaper.
    if (onWorkers) this.#ownTimer = setInterval(() => this.tick(performance.now()), tickMs);
    else {
      this.#place = underWay.push(this) - 1;
      sharedTimer ??= setInterval(tickAfterReading, tickMs);
    }
  }

  /** Continues with another budget, which counts from the same beginning, and another look at every tick. */
  continueWith(budgetMs: number, onTick?: (nowMs: number) => void): void {
    this.#budgetMs = budgetMs;
    this.#onTick = onTick;
  }

  /** Whether the client has left. */
  get hasLeft(): boolean {
    return this.#left;
  }

  /** Whether the time for the response to begin is over. */
  isOver(nowMs: number): boolean {
    return nowMs - this.startedMs >= this.#budgetMs;
  }

  /**
   * Waits for a step of the request, but no longer than the budget.
   *
   * @param late makes the error of a step that takes too long
   * @throws {ClientLeft} when the client leaves meanwhile
   */
  wait<T>(step: T | Promise<T>, late: () => Error): T | Promise<T> {
    if (!(step instanceof Promise)) return step;
    return new Promise<T>((resolve, reject) => {
      step.then(resolve, reject);
      this.attach({
        tick: (nowMs) => {
          if (this.isOver(nowMs)) reject(late());
        },
        closed: () => reject(new ClientLeft('client-closed-request')),
        drained() {},
        stopped: reject,
      });
    }).finally(() => {
      this.#listener = null;
    });
  }

  /** Passes ticks and the client's leaving to a listener from now on. */
  attach(listener: LifetimeListener): void {
    this.#listener = listener;
    if (this.#left) listener.closed();
    else if (this.#stop !== null) listener.stopped(this.#stop);
  }

  tick(nowMs: number): void {
    this.#onTick?.(nowMs);
    if (this.#stop !== null) this.#listener?.stopped(this.#stop);
    this.#listener?.tick(nowMs);
  }

  /** Ends the request with an error. On Workers with its next tick, since a request must not touch the response of another one there. */
  stop(error: Error): void {
    this.#stop = error;
    if (!onWorkers) this.#listener?.stopped(error);
  }

  drained(): void {
    this.#listener?.drained();
  }

  closed(): void {
    this.#left = true;
    this.#listener?.closed();
  }

  /** The request is over. Called once. */
  end(): void {
    this.#listener = null;
    clearInterval(this.#ownTimer);
    const last = underWay.at(-1);
    if (this.#place === -1 || last === undefined) return;
    underWay[this.#place] = last;
    last.#place = this.#place;
    underWay.pop();
  }
}
