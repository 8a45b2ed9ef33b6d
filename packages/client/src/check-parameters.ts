import { dayNumber } from './calendar-days.js';
import { argumentError, type FailedCall } from './client-error.js';
import type { Operation } from './operation.js';
import { checkValues } from './rules.js';

/** Checked values of the parameters of a call, by place and name. */
export type Params = Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>>;

/**
 * Checks the parameters of a call against the contract, before anything is sent.
 *
 * @throws ArgumentError that names the parameter and the rule, never the value.
 */
export function checkParameters(call: FailedCall & { readonly operation: Operation }, given: unknown): Params {
  const { parameters, range } = call.operation;
  const values = checkValues<Record<string, unknown>>(call, 'parameters', parameters, given ?? {});
  const params: Record<'path' | 'query', Record<string, string>> = { path: {}, query: {} };
  for (const [name, rule] of Object.entries(parameters)) {
    if (name in values) params[rule.in][name] = `${values[name]}`;
  }
  if (range) {
    const { start, end, maxDays } = range;
    const days = Number(dayNumber(`${values[end]}`)) - Number(dayNumber(`${values[start]}`));
    if (days < 0 || days > maxDays) {
      throw argumentError(call, `${end} must be 0 to ${maxDays} days after ${start}; got ${days} days`, end, 'query');
    }
  }
  return params;
}
