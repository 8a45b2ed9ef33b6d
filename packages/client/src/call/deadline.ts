// What ends a call before its response: its deadline, or a signal of user code. `AbortSignal.timeout()` and `AbortSignal.any()`
// would do it in two words, but the first knows no clock but the system's, and of more than ten calls on one signal Node 20
// warns as of a leak; before Node 22, `any()` kept a finished call in memory for as long as the signal of user code lives.
import { callError } from '../call-error.js';
import { AbortedError, TimeoutError, type VehicleDataError } from '../errors.js';
import type { Call, Target } from './call.js';

/**
 * Ends a call with a typed error at its deadline or by one of its signals.
 *
 * @returns Stops watching, when the call has ended.
 */
export function watchEnd(call: Call, end: (error: VehicleDataError) => void): () => void {
  const { clock, timeoutMs, signals } = call;
  const onAbort = () => {
    const error = abortedError(call);
    if (error) end(error);
  };
  const cancelDeadline = clock.after(timeoutMs, () =>
    end(callError(call, TimeoutError, 'timeout', 'retry', `no response within ${timeoutMs} ms`)),
  );
  for (const signal of signals) {
    const { calls, endAll } = endingOf(signal);
    calls.add(onAbort);
    // Once, however often it is added.
    signal.addEventListener('abort', endAll);
  }
  onAbort();
  return () => {
    cancelDeadline();
    for (const signal of signals) {
      const { calls, endAll } = endingOf(signal);
      if (calls.delete(onAbort) && calls.size === 0) signal.removeEventListener('abort', endAll);
    }
  };
}

/** The error of a call or an iteration that one of its signals has ended. */
export function abortedError(call: Target): VehicleDataError | undefined {
  const signal = call.signals.find(({ aborted }) => aborted);
  if (!signal) return undefined;
  const cause: unknown = signal.reason;
  // The signal of AbortSignal.timeout(): https://dom.spec.whatwg.org/#dom-abortsignal-timeout
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return callError(call, TimeoutError, 'timeout', 'retry', 'the time of your signal is over', { cause });
  }
  return callError(call, AbortedError, 'aborted', 'none', 'ended by your signal', { cause });
}

/** A pause that never ends when the call ends before. */
export function pause(call: Call, delayMs: number): Promise<void> {
  // An observer can end the call.
  call.signal.throwIfAborted();
  return new Promise((resolve) => {
    call.signal.addEventListener('abort', call.clock.after(delayMs, resolve));
  });
}

/** The calls that one signal of user code ends. They share a listener. */
interface Ending {
  readonly calls: Set<() => void>;
  readonly endAll: () => void;
}
const endings = new WeakMap<AbortSignal, Ending>();

function endingOf(signal: AbortSignal): Ending {
  const known = endings.get(signal);
  if (known) return known;
  const calls = new Set<() => void>();
  const ending: Ending = {
    calls,
    endAll() {
      for (const end of calls) end();
    },
  };
  endings.set(signal, ending);
  return ending;
}
