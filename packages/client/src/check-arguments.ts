import { dayNumber } from './calendar-days.js';
import { argumentError, type FailedCall } from './client-error.js';
import { describeValue } from './describe-value.js';
import { brandRule } from './generated/operations.js';
import type { Brand } from './generated/schemas.js';
import type { Operation, Rule } from './operation.js';

/** Checked values of the parameters of a call, by place and name. */
export type Params = Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>>;

/** A call whose arguments are checked, for messages. */
export type CheckedCall = FailedCall & { readonly operation: Operation };

/**
 * Checks the arguments of a call against the contract, before anything is sent and whatever their types claim.
 *
 * @throws ArgumentError that names the parameter and the rule, never the value.
 */
export function checkArguments(call: CheckedCall, given: unknown): Params {
  const { parameters, range } = call.operation;
  const values = readMembers(given ?? {});
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(values ?? {}).filter((name) => !names.includes(name));
  if (!values || unknown.length) {
    const expected = names.length ? `an object of ${names.join(', ')}` : 'no parameters';
    // A name can be a value by mistake, so only what looks like a name is repeated.
    const [name = ''] = unknown;
    const received = values
      ? `the unknown parameter ${/^[A-Za-z]{1,16}$/.test(name) ? name : '(not a name)'}`
      : describeValue(given);
    throw argumentError(call, `expected ${expected}; got ${received}`);
  }
  const params: Record<'path' | 'query', Record<string, string>> = { path: {}, query: {} };
  for (const { name, in: place, rule, required } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (required || value !== undefined) params[place][name] = checkValue(call, name, rule, value, place);
  }
  if (range) {
    const [first = 0, last = 0] = [range.start, range.end].map((name) => dayNumber(params.query[name] ?? ''));
    const days = last - first;
    if (days < 0 || days > range.maxDays) {
      const reason = `${range.end} must be 0 to ${range.maxDays} days after ${range.start}; got ${days} days`;
      throw argumentError(call, reason, range.end, 'query');
    }
  }
  return params;
}

/** Checks one value by its rule and gives it back as the text that it is. */
function checkValue(call: FailedCall, name: string, rule: Rule, value: unknown, place: string): string {
  if (typeof value === 'string' && isAllowed(rule, value)) return value;
  throw invalidValue(call, name, rule, value, place);
}

/** Checks the brand of a call. */
export function checkBrand(call: FailedCall, value: unknown): Brand {
  if (isBrand(value)) return value;
  throw invalidValue(call, 'brand', brandRule, value, 'header');
}

export const isBrand = (value: unknown): value is Brand => typeof value === 'string' && isAllowed(brandRule, value);

function invalidValue(call: FailedCall, name: string, rule: Rule, value: unknown, place: string) {
  const example = rule.example === undefined ? '' : `, for example ${rule.example}`;
  const reason = `${name} must be ${rule.expected}${example}; got ${received(rule, value)}`;
  return argumentError(call, reason, name, place);
}

/** Whether a text keeps a rule. */
function isAllowed({ values, pattern, maxLength, isDay }: Rule, value: string): boolean {
  return (
    value !== '' &&
    (!values || values.includes(value)) &&
    (!pattern || pattern.test(value)) &&
    (!maxLength || value.length <= maxLength) &&
    (!isDay || dayNumber(value) !== undefined)
  );
}

function received({ pattern, isDay }: Rule, value: unknown): string {
  return isDay && typeof value === 'string' && pattern?.test(value)
    ? 'a day that does not exist'
    : describeValue(value);
}

/** The members of an object that is no list; `undefined` for anything else. */
export function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
