import { dayNumber } from './calendar-days.js';
import { argumentError } from './client-error.js';
import type { Operation, Rule } from './operation.js';

/** Checked values of the parameters of a call, by place and name. */
export type Params = Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>>;

/**
 * Checks the arguments of a call against the contract, before anything is sent and whatever their types claim. `wide` says
 * that the parameter whose absence widens the effect is left out on purpose; otherwise it is required.
 *
 * @throws ArgumentError naming the parameter and the rule, never the value.
 */
export function checkArguments(operation: Operation, given: unknown, wide: boolean): Params {
  const values = readMembers(given ?? {});
  if (!values) throw argumentError(operation, 'the parameters must be given as one object');
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(operation.parameters, name)) {
      throw argumentError(operation, 'a parameter was given that this operation does not have');
    }
  }
  const params: Record<'path' | 'query', Record<string, string>> = { path: {}, query: {} };
  const [wideParameter] = operation.wide ?? [];
  for (const [name, [place, required, rule]] of Object.entries(operation.parameters)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const isWide = name === wideParameter;
    if (isWide && wide) {
      if (Object.hasOwn(values, name)) throw argumentError(operation, `${name} must be left out`);
      continue;
    }
    if (value === undefined && !required && !isWide) continue;
    params[place][name] = checkValue(operation, `${name} in the ${place}`, rule, value);
  }
  if (operation.range) checkRange(operation, operation.range, params.query);
  return params;
}

/** Checks one value by its rule and gives it back as the text that it is. */
export function checkValue(operation: Operation, name: string, rule: Rule, value: unknown): string {
  const refuse = (reason: string) => argumentError(operation, `${name} must ${reason}`);
  if (typeof value !== 'string' || value === '') throw refuse('be a string that is not empty');
  if (rule.values && !rule.values.includes(value)) throw refuse(`be one of ${rule.values.join(', ')}`);
  if (rule.pattern && !rule.pattern.test(value)) throw refuse(`match ${rule.pattern.source}`);
  if (rule.maxLength && value.length > rule.maxLength) throw refuse(`have at most ${rule.maxLength} characters`);
  if (rule.format === 'basic-date' && dayNumber(value) === undefined)
    throw refuse('be a day of the calendar, yyyyMMdd');
  // The list of zones would be larger than this package; the service and its proxy hold it. This keeps the text harmless.
  if (rule.format === 'iana-time-zone' && !/^[A-Za-z][\w+/-]*$/.test(value))
    throw refuse('be an IANA time zone identifier');
  return value;
}

function checkRange(
  operation: Operation,
  [start, end, maxDays]: readonly [string, string, number],
  values: Params['query'],
) {
  const days = (dayNumber(values[end] ?? '') ?? 0) - (dayNumber(values[start] ?? '') ?? 0);
  if (days < 0) throw argumentError(operation, `${end} must not be before ${start}`);
  if (days > maxDays)
    throw argumentError(operation, `${end} is ${days} days after ${start}; at most ${maxDays} are allowed`);
}

/** The members of an object that is no list; `undefined` for anything else. */
export function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
