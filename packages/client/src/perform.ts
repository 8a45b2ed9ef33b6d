import { createFinalURL, mergeHeaders } from 'openapi-fetch';
import type { Call, ReadAnswer, Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkSignal, checkValue, type Params } from './check-arguments.js';
import { argumentError, clientError, typedError } from './client-error.js';
import type { VehicleDataError } from './errors.js';
import { brandRule } from './generated/operations.js';
import { report } from './observe.js';
import type { Operation } from './operation.js';
import { send } from './send.js';

/** Carries out one call from its checked parameters to its answer, under one deadline. */
export type Perform = (operation: Operation, params: Params, options: CallOptions) => Promise<ReadAnswer>;

// Every parameter of the contract is a plain string, which the check has made sure of; openapi-fetch's own serializers,
// which also know lists and objects, would double its size here.
const querySerializer = (query: Record<string, unknown>) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`)
    .join('&');
const pathSerializer = (path: string, values: Record<string, unknown>) =>
  path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(`${values[name]}`));

/**
 * Addresses and headers are put together by openapi-fetch. Its own round trip is not used: it follows redirects, lets a
 * raw SyntaxError out, and knows no deadline and no size limit.
 */
export function createPerform(settings: Settings): Perform {
  const { clock, baseUrl, fetch } = settings;
  // A signal costs a Request several microseconds, so it goes beside it where the transport looks for it there.
  const isBeside = fetch.length > 1;
  return (operation, params, options) =>
    new Promise((resolve, reject) => {
      const { signal } = options;
      const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
      if (!(timeoutMs > 0)) throw argumentError(operation, 'timeoutMs must be above 0');
      checkSignal(operation, signal);
      const brand = checkValue(operation, 'brand', brandRule, options.brand ?? settings.brand);
      const controller = new AbortController();
      const startedAt = clock.now();
      const call: Call = {
        operation,
        settings,
        options,
        signal: controller.signal,
        init: isBeside ? { signal: controller.signal } : {},
        startedAt,
        deadlineAt: startedAt + timeoutMs,
        // No message may repeat a value that the caller gave.
        secrets: Object.values({ ...params.path, ...params.query }),
        attempt: 0,
        sent: false,
      };
      const finish = () => {
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: VehicleDataError) => {
        // The first outcome counts; what is still under way ends with it.
        if (controller.signal.aborted) return;
        finish();
        controller.abort();
        report(call, 'onError', error, error);
        reject(error);
      };
      const onAbort = () => fail(clientError(call, 'aborted', 'ended by the caller', { cause: signal?.reason }));
      const cancelTimer = clock.after(timeoutMs, () =>
        fail(clientError(call, 'timeout', `no answer within ${timeoutMs} ms`)),
      );
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort);

      send(call, (token) => {
        const own = { Brand: brand, ...(token && { Authorization: `Bearer ${token}` }) };
        return new Request(createFinalURL(operation.path, { baseUrl, params, querySerializer, pathSerializer }), {
          method: operation.method,
          headers: mergeHeaders(settings.headers, options.headers, own),
          redirect: 'manual',
          ...(!isBeside && { signal: controller.signal }),
        });
      }).then(
        (answer) => {
          finish();
          resolve(answer);
        },
        (error: unknown) => fail(typedError(error)),
      );
    });
}
