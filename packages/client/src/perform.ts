import type { Client } from 'openapi-fetch';
import type { Call, ReadAnswer, Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkValue, type Params } from './check-arguments.js';
import { argumentError, clientError } from './client-error.js';
import { isVehicleDataError, type VehicleDataError } from './errors.js';
import { brandRule } from './generated/operations.js';
import type { paths } from './generated/types.js';
import type { Operation } from './operation.js';
import { report, send } from './send.js';

type LooseRequest = (
  method: string,
  path: string,
  init: {
    readonly params: Params;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
    readonly parseAs: 'stream';
    readonly fetch: (request: Request) => Promise<Response>;
  },
) => Promise<unknown>;

/** Carries out one call from its checked parts to its answer, under one deadline. */
export type Perform = (operation: Operation, params: Params, options: CallOptions) => Promise<ReadAnswer>;

export function createPerform(client: Client<paths>, settings: Settings): Perform {
  // The table of operations takes the place of the types here: it has been made of the same contract.
  const request = client.request as unknown as LooseRequest;

  return (operation, params, options) =>
    new Promise((resolve, reject) => {
      const { clock } = settings;
      const { signal } = options;
      const controller = new AbortController();
      const startedAt = clock.now();
      const timeoutMs = positive(operation, 'timeoutMs', options.timeoutMs ?? settings.timeoutMs);
      const brand = brandOf(operation, options, settings);
      const call: Call = {
        operation,
        settings,
        options,
        controller,
        startedAt,
        deadlineAt: startedAt + timeoutMs,
        // No message may repeat a value that the caller gave.
        secrets: [...Object.values(params.path), ...Object.values(params.query)],
        attempt: 0,
        sent: false,
        over: false,
      };

      const finish = () => {
        call.over = true;
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: VehicleDataError) => {
        if (call.over) return;
        finish();
        controller.abort(error);
        report(call, 'onError', error);
        reject(error);
      };
      const onAbort = () => fail(clientError(call, 'aborted', 'the caller ended the call', { cause: signal?.reason }));
      const cancelTimer = clock.after(timeoutMs, () =>
        fail(clientError(call, 'timeout', `no complete answer within ${timeoutMs} ms`)),
      );
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort);

      let answer: ReadAnswer | undefined;
      request(operation.method, operation.path, {
        params,
        headers: { ...settings.headers, ...options.headers, Brand: brand },
        signal: controller.signal,
        redirect: 'manual',
        // The body is read below openapi-fetch, which would let a raw SyntaxError out and knows no limit.
        parseAs: 'stream',
        fetch: async (made) => {
          answer = await send(call, made);
          return answer.response;
        },
      }).then(
        () => {
          if (call.over || !answer) return;
          finish();
          resolve(answer);
        },
        // Whatever is no error of ours comes from making the request, and may quote a header.
        (error: unknown) =>
          fail(isVehicleDataError(error) ? error : clientError(call, 'invalid-argument', 'a header cannot be sent')),
      );
    });
}

function brandOf(operation: Operation, options: CallOptions, settings: Settings): string {
  return checkValue(operation, 'brand', brandRule, options.brand ?? settings.brand);
}

function positive(operation: Operation, name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw argumentError(operation, `${name} must be a number above zero`);
}
