import { callError, type FailedCall } from '../client-error.js';
import { AbortedError } from '../errors.js';

/** Ends what is under way when an iteration is left, by its consumer or by a signal. */
export interface Leaving {
  /** Of the requests of the iteration. */
  readonly signal: AbortSignal;
  /** @throws AbortedError where the user's signal ended the iteration. */
  readonly check: () => void;
  readonly end: () => void;
}

export function createLeaving(call: FailedCall, signal: AbortSignal | null | undefined): Leaving {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    check() {
      if (!signal?.aborted) return;
      throw callError(call, AbortedError, 'aborted', 'none', 'ended by your signal', { cause: signal.reason });
    },
    end() {
      signal?.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}

/** The steps of a generator, of which `return()` ends the request under way first. */
export function leavable<Item>(generator: AsyncGenerator<Item, undefined>, leaving: Leaving) {
  return {
    next: () => generator.next(),
    return() {
      leaving.end();
      return generator.return(undefined);
    },
  };
}
