import { argumentError, type FailedCall } from '../call-error.js';
import type { OperationId } from '../generated/operation-ids.js';
import { dayNumber } from './calendar-days.js';
import { checkValues, type Rule } from './rules.js';

/** One parameter of an operation that user code gives. */
export interface Parameter extends Rule {
  readonly in: 'path' | 'query';
  /** Whether the value is a number or a boolean. */
  readonly isNoText?: true;
}

/** Two date parameters, and how many days the second may be after the first. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
  readonly maxDays: number;
}

/** One method of the client and the operation behind it. */
export interface Operation {
  /** Name of the method, for messages. */
  readonly name: string;
  readonly id: OperationId;
  readonly method: 'GET' | 'DELETE';
  /** Path template. Logs show it in place of the address. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Whether the call works without an access token. */
  readonly isTokenOptional?: true;
  /** Whether the brand in effect must be repeated, because the effect reaches everything of it. */
  readonly isConfirmed?: true;
  /** Members of `data` that every response must have, with their checks. */
  readonly needs?: Readonly<Record<string, (value: unknown) => boolean>>;
  readonly range?: DateRange;
  /** Member of `data` with the time at which the vehicle sent the data. */
  readonly measuredAt?: string;
}

/** Checked values of the parameters of a call, by place and name. */
export type Params = Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>>;

/**
 * Checks the parameters of a call against the contract, before anything is sent.
 *
 * @throws ArgumentError that names the parameter and the rule, never the value.
 */
export function checkParameters(call: FailedCall & { readonly operation: Operation }, given: unknown): Params {
  const { parameters, range } = call.operation;
  const values = checkValues<Record<string, unknown>>(call, 'parameters', parameters, given === undefined ? {} : given);
  const params: Record<'path' | 'query', Record<string, string>> = { path: {}, query: {} };
  for (const [name, rule] of Object.entries(parameters)) {
    if (name in values) params[rule.in][name] = `${values[name]}`;
  }
  if (range) {
    const { start, end, maxDays } = range;
    const days = Number(dayNumber(`${values[end]}`)) - Number(dayNumber(`${values[start]}`));
    if (days < 0 || days > maxDays) {
      const reason = `${end} must be 0 to ${maxDays} days after ${start}; got ${days} days`;
      throw argumentError(call, reason, end, 'query');
    }
  }
  return params;
}
