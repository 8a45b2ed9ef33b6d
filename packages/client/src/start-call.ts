import { type ApiCall, type ApiResponse, apiCallOf } from './api-call.js';
import type { Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkParameters } from './check-parameters.js';
import { argumentError } from './client-error.js';
import type { Operation } from './operation.js';
import { perform } from './perform.js';
import { membersOf } from './rules.js';
import { withUserStack } from './user-stack.js';

/** Starts a call of one method: checks the arguments, sends the request, reads the response. */
export function startCall<Data, Full extends ApiResponse<Data> = ApiResponse<Data>>(
  settings: Settings,
  operation: Operation,
  given: unknown,
  options?: CallOptions | null,
  ...unexpected: readonly unknown[]
): ApiCall<Data, Full> {
  const { isConfirmed, measuredAt } = operation;
  const target = { ...settings, operation };
  const call = async () => {
    if (unexpected.length) throw argumentError(target, 'too many arguments: options are the first and only one');
    if (isConfirmed) {
      const { brand, ...others } = membersOf(given) ?? {};
      if (!brand || brand !== (options?.brand ?? settings.brand) || Object.keys(others).length) {
        const reason = 'pass { brand } with the brand in effect, and nothing else, as confirmation';
        throw argumentError(target, reason, 'brand');
      }
    }
    const params = checkParameters(target, isConfirmed ? {} : given);
    const { body, response, ...whole } = await perform(target, params, options);
    const { data, meta } = whole;
    // The service's own clock where it gives its time: the two clocks may differ.
    const nowMs = Date.parse(`${meta.timestamp}`) || settings.clock.now();
    const ageMs = nowMs - Date.parse(`${data[`${measuredAt}`]}`);
    const aged = measuredAt && { dataAgeMs: Number.isNaN(ageMs) ? null : Math.max(0, ageMs) };
    // As the contract types it: the envelope and the members that it promises have been checked.
    return Object.assign(whole, aged) as object as Full;
  };
  return apiCallOf<Data, Full>(withUserStack(call));
}
