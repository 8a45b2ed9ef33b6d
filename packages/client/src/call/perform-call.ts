import { callError, typedError } from '../call-error.js';
import type { Params } from '../checks/parameters.js';
import { invalidValue } from '../checks/rules.js';
import { AbortedError, TimeoutError, type VehicleDataError } from '../errors.js';
import { brandRule, personal } from '../generated/operations.js';
import type { Call, ReadResponse, Target } from './call.js';
import { report } from './report.js';
import { sendWithRetries } from './retry.js';

/** Carries out one call from its checked parameters to its response, under one deadline. */
export async function perform(target: Target, params: Params): Promise<ReadResponse> {
  const { brand, clock, timeoutMs, signals, apiKey = '' } = target;
  if (!brand) throw invalidValue(target, 'brand', brandRule, brand);
  const controller = new AbortController();
  const { signal } = controller;
  const startedAt = clock.now();
  const call: Call = {
    ...target,
    params,
    brand,
    signal,
    ended: new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
    startedAt,
    deadlineAt: startedAt + timeoutMs,
    secrets: [apiKey, ...(JSON.stringify(params).match(personal) ?? [])],
    attempt: 0,
    sent: false,
  };
  const onAbort = () => controller.abort(abortedError(call));
  const cancelDeadline = clock.after(timeoutMs, () =>
    controller.abort(callError(call, TimeoutError, 'timeout', 'retry', `no response within ${timeoutMs} ms`)),
  );
  for (const one of signals) {
    const { calls, endAll } = endingOf(one);
    calls.add(onAbort);
    // Once, however often it is added.
    one.addEventListener('abort', endAll);
  }
  try {
    if (abortedError(call)) onAbort();
    return await Promise.race([call.ended, sendWithRetries(call)]);
  } catch (error) {
    const failure = typedError(error, call);
    // What is still under way ends with the call.
    controller.abort(failure);
    report(call, 'onError', failure, failure);
    throw failure;
  } finally {
    cancelDeadline();
    for (const one of signals) {
      const { calls, endAll } = endingOf(one);
      if (calls.delete(onAbort) && !calls.size) one.removeEventListener('abort', endAll);
    }
  }
}

/** The error of a call or an iteration that one of its signals has ended. */
export function abortedError(call: Target): VehicleDataError | undefined {
  const ended = call.signals.find(({ aborted }) => aborted);
  return ended && callError(call, AbortedError, 'aborted', 'none', 'ended by your signal', { cause: ended.reason });
}

/** What a signal of user code ends. The calls share a listener: of more than ten on one signal, Node 20 warns as of a leak. */
interface Ending {
  readonly calls: Set<() => void>;
  readonly endAll: () => void;
}
const endings = new WeakMap<AbortSignal, Ending>();

function endingOf(signal: AbortSignal): Ending {
  const calls = new Set<() => void>();
  const ending = endings.get(signal) ?? { calls, endAll: () => calls.forEach((end) => void end()) };
  endings.set(signal, ending);
  return ending;
}
