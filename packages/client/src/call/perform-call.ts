// One call from its checked parameters to its response, under one deadline.
import { typedError } from '../call-error.js';
import type { Params } from '../checks/parameters.js';
import { invalidValue } from '../checks/rules.js';
import { personal } from '../generated/operations.js';
import type { Call, ReadResponse, Target } from './call.js';
import { watchEnd } from './deadline.js';
import { report } from './report.js';
import { sendWithRetries } from './retry.js';

export async function perform(target: Target, params: Params): Promise<ReadResponse> {
  const { brand, brandRule, clock, timeoutMs, apiKey = '' } = target;
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
  const stopWatching = watchEnd(call, (error) => controller.abort(error));
  try {
    return await Promise.race([call.ended, sendWithRetries(call)]);
  } catch (error) {
    const failure = typedError(error, call);
    // What is still under way ends with the call.
    controller.abort(failure);
    report(call, 'onError', failure, failure);
    throw failure;
  } finally {
    stopWatching();
  }
}
