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
export function checkArguments(operation: Operation, given: unknown, wide?: boolean): Params {
  const values = readMembers(given ?? {});
  if (!values || Object.keys(values).some((name) => !Object.hasOwn(operation.parameters, name))) {
    throw argumentError(
      operation,
      `expected an object of ${Object.keys(operation.parameters).join(', ') || 'nothing'}`,
    );
  }
  const params: Record<'path' | 'query', Record<string, string>> = { path: {}, query: {} };
  for (const [name, [place, rule, isOptional]] of Object.entries(operation.parameters)) {
    const isWide = name === operation.wide?.[0];
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (isWide ? !wide : !isOptional || value !== undefined)
      params[place][name] = checkValue(operation, name, rule, value);
  }
  if (operation.range) {
    const [start, end, maxDays] = operation.range;
    const [first, last] = [start, end].map((name) => dayNumber(params.query[name] ?? ''));
    const days = (last ?? 0) - (first ?? 0);
    if (days < 0 || days > maxDays) {
      throw argumentError(operation, `${end} must be 0 to ${maxDays} days after ${start}; it is ${days}`);
    }
  }
  return params;
}

/** Checks one value by its rule and gives it back as the text that it is. */
export function checkValue(operation: Operation, name: string, rule: Rule, value: unknown): string {
  const { values, pattern, maxLength, format } = rule;
  if (
    typeof value === 'string' &&
    value !== '' &&
    (!values || values.includes(value)) &&
    (!pattern || pattern.test(value)) &&
    (!maxLength || value.length <= maxLength) &&
    (format !== 'basic-date' || dayNumber(value) !== undefined)
  ) {
    return value;
  }
  throw argumentError(operation, `${name} must be ${format ?? (values ?? [pattern?.source]).join(' or ')}`);
}

/** @throws ArgumentError when untyped code gave something else than a signal. */
export function checkSignal(operation: Operation, signal: AbortSignal | null | undefined): void {
  if (signal !== undefined && signal !== null && typeof signal.removeEventListener !== 'function') {
    throw argumentError(operation, 'signal must be an AbortSignal');
  }
}

/** The members of an object that is no list; `undefined` for anything else. */
export function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
