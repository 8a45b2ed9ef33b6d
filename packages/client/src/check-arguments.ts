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
  const names = parameters.map(({ name }) => name);
  const values = readNamed(call, 'parameters', names, given ?? {});
  const params: Record<'path' | 'query', Record<string, string>> = { path: {}, query: {} };
  for (const { name, in: place, rule, required } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!required && value === undefined) continue;
    if (!isAllowed(rule, value)) throw invalidValue(call, name, rule, value, place);
    params[place][name] = `${value}`;
  }
  if (range) {
    const [first = 0, last = 0] = [range.start, range.end].map((name) => dayNumber(`${params.query[name]}`));
    const days = last - first;
    if (days < 0 || days > range.maxDays) {
      const reason = `${range.end} must be 0 to ${range.maxDays} days after ${range.start}; got ${days} days`;
      throw argumentError(call, reason, range.end, 'query');
    }
  }
  return params;
}

/** Checks the brand of a call. */
export function checkBrand(call: FailedCall, value: unknown): Brand {
  if (isBrand(value)) return value;
  throw invalidValue(call, 'brand', brandRule, value, 'header');
}

export const isBrand = (value: unknown): value is Brand => isAllowed(brandRule, value);

function invalidValue(call: FailedCall, name: string, rule: Rule, value: unknown, place: string) {
  const { expected, example, isDay, pattern } = rule;
  const isNoDay = isDay && pattern?.test(`${value}`);
  const received = isNoDay ? 'a day that does not exist' : describeValue(value);
  return argumentError(call, `${name} must be ${expected}${example ?? ''}; got ${received}`, name, place);
}

/** Whether a value has the type of a rule and keeps it. */
export function isAllowed(
  { type, minimum, maximum, values, pattern, maxLength, isDay }: Rule,
  value: unknown,
): boolean {
  if (type === 'boolean') return typeof value === type;
  if (type) return Number.isSafeInteger(value) && !(Number(value) < Number(minimum) || Number(value) > Number(maximum));
  return (
    typeof value === 'string' &&
    value !== '' &&
    (!values || values.includes(value)) &&
    (!pattern || pattern.test(value)) &&
    (!maxLength || value.length <= maxLength) &&
    (!isDay || dayNumber(value) !== undefined)
  );
}

/**
 * The members of an object that has some names and no others.
 *
 * @throws ArgumentError that says which names there are.
 */
export function readNamed(call: FailedCall, what: string, names: readonly string[], given: unknown) {
  const members = readMembers(given);
  const unknown = Object.keys(members ?? {}).find((name) => !names.includes(name));
  if (members && unknown === undefined) return members;
  // A name can be a value by mistake, so only what looks like a name is repeated.
  const name = /^[A-Za-z]{1,16}$/.exec(unknown ?? '')?.[0];
  const received = members ? `the unknown name ${name ?? '(not a name)'}` : describeValue(given);
  throw argumentError(call, `${what} must be an object of ${names.join(', ') || 'nothing'}; got ${received}`, name);
}

/** The members of an object that is no list; `undefined` for anything else. */
export function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
