import type { Call, ReadResponse, Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkBrand, type Params } from './check-arguments.js';
import { callOptionRules, checkOptions } from './check-options.js';
import { clientError, typedError } from './client-error.js';
import type { VehicleDataError } from './errors.js';
import { report } from './observe.js';
import type { Operation } from './operation.js';
import { sendWithRetries } from './retry.js';

/** Carries out one call from its checked parameters to its response, under one deadline. */
export type Perform = (operation: Operation, params: Params, options: CallOptions) => Promise<ReadResponse>;

export function createPerform(settings: Settings): Perform {
  const { clock } = settings;
  return (operation, params, options) =>
    new Promise((resolve, reject) => {
      checkOptions({ operation, settings }, callOptionRules, options);
      const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
      const brand = checkBrand({ operation, settings }, options.brand ?? settings.brand);
      const signals = options.signal ? [...settings.signals, options.signal] : settings.signals;
      const controller = new AbortController();
      const startedAt = clock.now();
      const call: Call = {
        operation,
        settings,
        options,
        params,
        brand,
        signal: controller.signal,
        startedAt,
        deadlineAt: startedAt + timeoutMs,
        secrets: secretsOf(operation, params, settings),
        attempt: 0,
        sent: false,
      };
      const finish = () => {
        cancelTimer();
        for (const signal of signals) signal.removeEventListener('abort', onAbort);
      };
      const fail = (error: VehicleDataError) => {
        // The first outcome counts; what is still under way ends with it.
        if (controller.signal.aborted) return;
        finish();
        controller.abort(error);
        report(call, 'onError', error, error);
        reject(error);
      };
      const onAbort = () => {
        const cause: unknown = signals.find(({ aborted }) => aborted)?.reason;
        fail(clientError(call, 'aborted', 'ended by your signal', { cause }));
      };
      const cancelTimer = clock.after(timeoutMs, () =>
        fail(clientError(call, 'timeout', `no response within ${timeoutMs} ms`)),
      );
      if (signals.some(({ aborted }) => aborted)) return onAbort();
      for (const signal of signals) signal.addEventListener('abort', onAbort);

      sendWithRetries(call).then(
        (response) => {
          finish();
          resolve(response);
        },
        (error: unknown) => fail(typedError(error)),
      );
    });
}

function secretsOf({ parameters }: Operation, params: Params, { apiKey }: Settings): string[] {
  const personal = parameters.flatMap(({ name, in: place, rule }) =>
    rule.isPersonal ? (params[place][name] ?? []) : [],
  );
  return apiKey === undefined ? personal : [...personal, apiKey];
}
