import { type AgedResponse, type ApiCall, type ApiResponse, apiCallOf } from './api-call.js';
import type { ReadResponse } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkArguments, readMembers } from './check-arguments.js';
import { argumentError } from './client-error.js';
import type { Core } from './core.js';
import type { Operation } from './operation.js';
import { withUserStack } from './user-stack.js';

type Args = readonly [options?: CallOptions | null, ...unexpected: readonly unknown[]];

/** Starts a call of one method: checks the arguments, sends the request, reads the response. */
export function startCall<Data>(core: Core, operation: Operation, given: unknown, ...args: Args): ApiCall<Data> {
  return apiCallOf(withUserStack(async () => fullResponse<Data>(await read(core, operation, given, args))));
}

/** Starts a call whose payload says when the vehicle sent it. */
export function startAgedCall<Data>(
  core: Core,
  operation: Operation,
  given: unknown,
  ...args: Args
): ApiCall<Data, AgedResponse<Data>> {
  return apiCallOf(
    withUserStack(async () => {
      const response = await read(core, operation, given, args);
      // The service's own clock where it gives its time: the two clocks may differ.
      const nowMs = Date.parse(`${response.meta.timestamp}`) || core.settings.clock.now();
      const ageMs = nowMs - Date.parse(`${response.data[`${operation.measuredAt}`]}`);
      return { ...fullResponse<Data>(response), dataAgeMs: Number.isNaN(ageMs) ? null : Math.max(0, ageMs) };
    }),
  );
}

async function read(core: Core, operation: Operation, given: unknown, [options, ...unexpected]: Args) {
  const { settings } = core;
  const call = { operation, settings };
  if (unexpected.length) throw argumentError(call, 'too many arguments: options are the first and only one');
  if (!operation.isConfirmed) return core.perform(operation, checkArguments(call, given), options ?? {});
  const brand = options?.brand ?? settings.brand;
  const { brand: confirmed, ...others } = readMembers(given) ?? {};
  if (brand === undefined || confirmed !== brand || Object.keys(others).length) {
    throw argumentError(call, 'pass { brand } with the brand in effect, and nothing else, as confirmation', 'brand');
  }
  return core.perform(operation, checkArguments(call, {}), options ?? {});
}

/** The response as the contract types it: its envelope and the members that it promises have been checked. */
function fullResponse<Data>({ data, meta, response, requestId }: ReadResponse): ApiResponse<Data> {
  return { data: data as Data, meta, status: response.status, headers: response.headers, requestId };
}
