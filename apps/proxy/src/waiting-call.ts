import type { Resumable } from './admission.js';

/** A call that waits for something before it goes on, and then is what it became. */
export class WaitingCall implements Resumable {
  #call: Resumable | null = null;
  #begun = false;
  #left = false;
  readonly #onLeft: () => void;

  /** @param onLeft hears that the caller left before the call went on */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  /** Goes on, unless the caller has left in the meantime. */
  become(start: () => Resumable | null): void {
    if (this.#left) return;
    this.#begun = true;
    this.#call = start();
  }

  resume(): void {
    this.#call?.resume();
  }

  cancel(): void {
    if (!this.#begun && !this.#left) this.#onLeft();
    this.#left = true;
    this.#call?.cancel();
  }
}
