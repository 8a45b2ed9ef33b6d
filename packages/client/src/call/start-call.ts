// Starts a call of one method: checks the arguments, sends the request, reads the response.
import { argumentError, callError, type FailedCall, typedError } from '../call-error.js';
import { checkParameters, type Operation } from '../checks/parameters.js';
import { isObject, isText, membersOf, textOf } from '../checks/rules.js';
import { ConnectionError, MalformedResponseError } from '../errors.js';
import type { CallOptions } from '../options.js';
import type { AgedResponse, ApiCall, ApiResponse } from '../responses.js';
import type { ReadResponse, Settings, Target } from './call.js';
import { perform } from './perform-call.js';
import { withOptions } from './settings.js';

export function startCall<Data, Full extends ApiResponse<Data> = ApiResponse<Data>>(
  settings: Settings,
  operation: Operation,
  given: unknown,
  options?: CallOptions<string> | null,
  ...unexpected: readonly unknown[]
): ApiCall<Data, Full> {
  let isUnread = false;
  const reading = withUserStack(async () => {
    const target = withOptions({ ...settings, operation, isUnread: () => isUnread }, options);
    if (unexpected.length) throw argumentError(target, 'options are the only argument');
    const read = await perform(target, checkParameters(target, confirmed(target, given)));
    if (!isUnread) checkItems(target, read);
    return read;
  });
  return apiCallOf(
    // As the contract types it: the envelope and the members that it promises have been checked.
    (read) => wholeOf(settings, operation, read) as ApiResponse<unknown> as Full,
    reading,
    () => {
      isUnread = true;
    },
  );
}

/** The parameters of a call, without the confirmation of one that reaches every vehicle of a brand. */
function confirmed(target: Target, given: unknown): unknown {
  if (!target.operation.isConfirmed) return given;
  // Each argument is read once, so that a getter cannot change it after the check.
  const { brand, ...others } = membersOf(given) ?? {};
  if (brand === undefined || brand !== target.brand) {
    throw argumentError(target, 'confirm with { brand }, the brand in effect', 'brand');
  }
  return others;
}

/** The parts of a response that user code sees, with its age where the payload says when the vehicle sent it. */
function wholeOf({ clock }: Settings, { measuredAt }: Operation, read: ReadResponse): ApiResponse<unknown> {
  const { data, meta, status, headers, requestId } = read;
  const whole = { data, meta, status, headers, requestId };
  if (!measuredAt) return whole;
  // The service's own clock where it gives its time: the two clocks may differ.
  const nowMs = Date.parse(textOf(meta.timestamp)) || clock.now();
  const time = data[measuredAt];
  const ageMs = nowMs - (isText(time) ? Date.parse(time) : Number.NaN);
  const aged: AgedResponse<unknown> = { ...whole, dataAgeMs: Number.isNaN(ageMs) ? null : Math.max(0, ageMs) };
  return aged;
}

/** The items of a list that the contract promises are objects, or the list is not what its type says. */
function checkItems(target: Target, { data, status, requestId, response }: ReadResponse): void {
  for (const name of Object.keys(target.operation.needs ?? {})) {
    const items = data[name];
    if (!Array.isArray(items)) continue;
    const index = items.findIndex((item) => !isObject(item));
    if (index < 0) continue;
    const reason = `item ${index} of ${name} is not an object`;
    const contentType = response.headers.get('content-type')?.split(';')[0];
    const facts = { status, requestId, response: { status, contentType } };
    throw callError(target, MalformedResponseError, 'malformed-response', 'report', reason, facts);
  }
}

/**
 * A call as a promise of its payload.
 *
 * @param read Gives the whole response of what has been received.
 * @param leaveUnread Called where user code reads the body itself.
 */
export function apiCallOf<Data, Full extends ApiResponse<Data>, Received extends { readonly response: Response }>(
  read: (received: Received) => Full,
  receiving: Promise<Received>,
  leaveUnread: () => void,
): ApiCall<Data, Full> {
  // One chain of promises: V8 follows it from an error to the code that awaits the call.
  let received: Received;
  let whole: Full;
  const data = receiving.then((one) => {
    received = one;
    whole = read(one);
    return whole.data;
  });
  return Object.assign(data, {
    withResponse: () => data.then(() => whole),
    asResponse() {
      leaveUnread();
      return data.then(() => received.response);
    },
  });
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
    const reason = 'a part of this package cannot be loaded; a page that is older than its server must be loaded again';
    throw callError(call, ConnectionError, 'part-not-loaded', 'none', reason, { cause });
  });
}
