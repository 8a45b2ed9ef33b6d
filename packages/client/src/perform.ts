import type { Call, ReadResponse, Target } from './call.js';
import { callOptionRules } from './call-option-rules.js';
import type { Params } from './check-parameters.js';
import { callError, typedError } from './client-error.js';
import { AbortedError, TimeoutError, type VehicleDataError } from './errors.js';
import { brandRule, personal } from './generated/operations.js';
import { report } from './observe.js';
import { override } from './read-options.js';
import { sendWithRetries } from './retry.js';
import { checkValues, invalidValue } from './rules.js';

/** Carries out one call from its checked parameters to its response, under one deadline. */
export function perform(target: Target, params: Params, options: unknown): Promise<ReadResponse> {
  return new Promise((resolve, reject) => {
    const settings = override(target, checkValues(target, 'options', callOptionRules, options ?? {}));
    const { brand, clock, timeoutMs, signals, apiKey = '' } = settings;
    if (!brand) throw invalidValue(target, 'brand', brandRule, brand);
    const controller = new AbortController();
    const startedAt = clock.now();
    const values = Object.values({ ...params.path, ...params.query });
    const call: Call = {
      ...settings,
      params,
      brand,
      signal: controller.signal,
      startedAt,
      deadlineAt: startedAt + timeoutMs,
      secrets: [apiKey, ...(`${values}`.match(personal) ?? [])],
      attempt: 0,
      sent: false,
    };
    const end = () => {
      cancelDeadline();
      call.cancelPause?.();
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: VehicleDataError) => {
      // The first outcome counts; what is still under way ends with it.
      if (controller.signal.aborted) return;
      end();
      controller.abort(error);
      report(call, 'onError', error, error);
      reject(error);
    };
    const onAbort = () => {
      const ended = signals.find(({ aborted }) => aborted);
      if (ended) {
        fail(callError(call, AbortedError, 'aborted', 'none', 'ended by your signal', { cause: ended.reason }));
      }
    };
    const cancelDeadline = clock.after(timeoutMs, () =>
      fail(callError(call, TimeoutError, 'timeout', 'retry', `no response within ${timeoutMs} ms`)),
    );
    for (const signal of signals) signal.addEventListener('abort', onAbort);
    onAbort();
    if (controller.signal.aborted) return;

    sendWithRetries(call).then(
      (response) => {
        end();
        resolve(response);
      },
      (error: unknown) => fail(typedError(error)),
    );
  });
}
