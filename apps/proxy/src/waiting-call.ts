import type { Resumable } from './admission.js';

/** A call that waits for something before it goes on, and then is what it became. */
export class WaitingCall implements Resumable {
  #call: Resumable | null = null;
  #left = false;

  /** Goes on, unless the caller has left in the meantime. */
  become(start: () => Resumable | null): void {
    if (!this.#left) this.#call = start();
  }

  resume(): void {
    this.#call?.resume();
  }

  cancel(): void {
    this.#left = true;
    this.#call?.cancel();
  }
}
