import { argumentError, callError, type FailedCall, typedError } from '../call-error.js';
import { checkParameters, type Operation } from '../checks/parameters.js';
import { membersOf, textOf } from '../checks/rules.js';
import { ConnectionError } from '../errors.js';
import type { CallOptions } from '../options.js';
import type { ApiCall, ApiResponse } from '../responses.js';
import { withOptions } from '../settings.js';
import type { Settings } from './call.js';
import { perform } from './perform-call.js';

/** Starts a call of one method: checks the arguments, sends the request, reads the response. */
export function startCall<Data, Full extends ApiResponse<Data> = ApiResponse<Data>>(
  settings: Settings,
  operation: Operation,
  given: unknown,
  options?: CallOptions | null,
  ...unexpected: readonly unknown[]
): ApiCall<Data, Full> {
  const { isConfirmed, measuredAt } = operation;
  const call = async () => {
    const target = withOptions({ ...settings, operation }, options);
    if (unexpected.length) throw argumentError(target, 'options are the only argument');
    // Each argument is read once, so that a getter cannot change it after the check.
    const { brand, ...others } = (isConfirmed && membersOf(given)) || {};
    if (isConfirmed && brand !== target.brand) {
      throw argumentError(target, 'confirm with { brand }, the brand in effect', 'brand');
    }
    const params = checkParameters(target, isConfirmed ? others : given);
    const { body, response, ...whole } = await perform(target, params);
    const { data, meta } = whole;
    // The service's own clock where it gives its time: the two clocks may differ.
    const nowMs = Date.parse(textOf(meta.timestamp)) || settings.clock.now();
    const ageMs = nowMs - Date.parse(textOf(data[`${measuredAt}`]));
    const aged = measuredAt && { dataAgeMs: Number.isNaN(ageMs) ? null : Math.max(0, ageMs) };
    // As the contract types it: the envelope and the members that it promises have been checked.
    return Object.assign(whole, aged) as object as Full;
  };
  return apiCallOf<Data, Full>(withUserStack(call));
}

/** A call as a promise of its payload. */
export function apiCallOf<Data, Full extends ApiResponse<Data>>(full: Promise<Full>): ApiCall<Data, Full> {
  // One chain of promises: V8 follows it from an error to the code that awaits the call.
  let whole: Full;
  const data = full.then((response) => {
    whole = response;
    return response.data;
  });
  return Object.assign(data, { withResponse: () => data.then(() => whole) });
}

/**
 * Runs a call. Its errors are errors of this package, and their stack shows the user code that awaits the call: without
 * this it would end at a timer or a socket.
 */
export async function withUserStack<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const failure = typedError(error);
    captureStackTrace?.(failure);
    throw failure;
  }
}

// V8 and JavaScriptCore have it; the types of browsers do not know it.
const {
  captureStackTrace,
}: Pick<ErrorConstructor, 'prototype'> & {
  readonly captureStackTrace?: (error: Error) => void;
} = Error;

/** Waits for `import()` of a part of this package, of which bundlers make a file of its own; the runtime keeps what it has loaded. */
export function loaded<Part>(call: FailedCall, part: Promise<Part>): Promise<Part> {
  return part.catch((cause: unknown) => {
    const reason = 'a part of this package cannot be loaded';
    throw callError(call, ConnectionError, 'connection-failed', 'retry', reason, { cause });
  });
}
