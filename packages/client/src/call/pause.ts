import type { Call } from './call.js';

/** A pause that never ends when the call ends before. */
export function pause(call: Call, delayMs: number): Promise<void> {
  // An observer can end the call.
  call.signal.throwIfAborted();
  return new Promise((resolve) => {
    call.signal.addEventListener('abort', call.clock.after(delayMs, resolve));
  });
}
