import type { ResponseListener } from '../response/response-writer.js';
import type { Ticker } from './ticker.js';

/** Ends the wait of a request whose client has left. There is nobody to respond to. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

/** Takes part in a request while it waits for something. */
export interface LifetimeListener {
  /** Called about ten times a second. */
  tick(nowMs: number): void;
  clientLeft(): void;
  /** The client has taken what was written. */
  drained(): void;
}

/**
 * The time of one request: one budget from its head until its response begins, whatever it waits for, and the end of every wait
 * when its client leaves.
 */
export class RequestLifetime implements ResponseListener {
  readonly startedMs = performance.now();
  readonly #budgetMs: number;
  readonly #stopTicks: () => void;
  #listener: LifetimeListener | null = null;
  #left = false;

  /** @param budgetMs time until the response begins, in milliseconds */
  constructor(ticker: Ticker, budgetMs: number) {
    this.#budgetMs = budgetMs;
    this.#stopTicks = ticker((nowMs) => this.#listener?.tick(nowMs));
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
  async wait<T>(step: T | Promise<T>, late: () => Error): Promise<T> {
    if (!(step instanceof Promise)) return step;
    try {
      return await new Promise<T>((resolve, reject) => {
        step.then(resolve, reject);
        this.attach({
          tick: (nowMs) => {
            if (this.isOver(nowMs)) reject(late());
          },
          clientLeft: () => reject(new ClientLeft()),
          drained() {},
        });
      });
    } finally {
      this.#listener = null;
    }
  }

  /** Passes ticks and the client's leaving to a listener from now on. */
  attach(listener: LifetimeListener): void {
    this.#listener = listener;
    if (this.#left) listener.clientLeft();
  }

  drained(): void {
    this.#listener?.drained();
  }

  closed(): void {
    this.#left = true;
    this.#listener?.clientLeft();
  }

  /** The request is over. */
  end(): void {
    this.#listener = null;
    this.#stopTicks();
  }
}
