import { argumentError, type FailedCall } from '../call-error.js';
import { dayNumber } from './calendar-days.js';

/** What a parameter or an option must be, in words and as a check. */
export interface Rule {
  /** The end of the sentence "… must be". */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** Words for a wrong value that say more than its kind; `undefined` where there are none. Never a value. */
  readonly describe?: (value: unknown) => string | undefined;
  readonly isRequired?: true;
  /** Whether the text must name a real calendar day. */
  readonly isDay?: true;
  /** Where the contract has it. Default: an argument. */
  readonly in?: string;
}

/** Values without those that are undefined. */
export type Defined<Values> = { readonly [Name in keyof Values]: Exclude<Values[Name], undefined> };

export type Rules<Values> = { readonly [Name in keyof Required<Values>]: Rule };

export const isText = (value: unknown): value is string => typeof value === 'string';
/** A value of the service as text, which cannot be made of every object. */
export const textOf = (value: unknown) => (typeof value === 'object' ? '' : `${value}`);
export const isFunction = (value: unknown) => typeof value === 'function';
export const isObject = (value: unknown) => membersOf(value) !== undefined;

export const must = (expected: string, isValid: Rule['isValid']): Rule => ({ expected, isValid });
export const aFunction = must('a function', isFunction);
/** A text that matches a pattern. */
export const text = (expected: string, pattern: RegExp) =>
  must(expected, (value) => isText(value) && pattern.test(value));
export const oneOf = (...values: readonly unknown[]) => must(values.join(' or '), (value) => values.includes(value));
export const wholeNumber = (least: number, most = Infinity): Rule => ({
  ...must(
    most === Infinity ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  ),
  describe: describeNumber,
});
/** Where a number is expected, one is no secret. */
const describeNumber = (value: unknown) => (typeof value === 'number' ? `${value}` : undefined);
/** A calendar day, yyyyMMdd. */
export const day = (expected: string): Rule => ({
  ...must(expected, (value) => isText(value) && dayNumber(value) !== undefined),
  isDay: true,
});
/** A number above 0; Infinity is allowed. */
export const positive = (unit: string): Rule => ({
  ...must(`a number of ${unit} above 0`, (value) => typeof value === 'number' && value > 0),
  describe: describeNumber,
});
export const objectWith = (...functions: readonly string[]) =>
  must(`an object with the functions ${functions.join(', ')}`, (value) =>
    functions.every((name) => isFunction(membersOf(value)?.[name])),
  );
/** An object of further values. A mistake in it is an error of its own. */
export const objectOf = (what: string, rules: Rules<Record<string, unknown>>) =>
  must(what, (value) => checkValues({}, what, rules, value) !== undefined);

/**
 * Checks named values, whatever their types claim. An unknown one is rejected and not dropped, since it was meant to do
 * something. Each is read once, so that a getter cannot change it after the check.
 *
 * @returns Those that are defined.
 * @throws ArgumentError that names the parameter or option and what it must be, never the value.
 */
export function checkValues<Values>(
  call: FailedCall,
  what: string,
  rules: Rules<Values>,
  given: unknown,
): Defined<Values> {
  const members = membersOf(given);
  const unknown = Object.keys(members ?? {}).find((name) => !Object.hasOwn(rules, name));
  if (!members || unknown !== undefined) {
    // A name can be a value by mistake, so only what looks like a name is repeated.
    const name = /^[A-Za-z]{1,16}$/.exec(`${unknown}`)?.[0];
    const received = members ? `the unknown name ${name ?? '(not a name)'}` : describeValue(given);
    const names = Object.keys(rules);
    const similar = name && names.find((one) => isSimilar(one, name));
    const hint = similar ? ` (did you mean ${similar}?)` : '';
    const reason = `${what} must be an object of ${names.join(', ') || 'nothing'}; got ${received}${hint}`;
    throw argumentError(call, reason, members && name);
  }
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries<Rule>(rules)) {
    // An inherited parameter is a mistake; options can be an instance of a class.
    const value = rule.in && !Object.hasOwn(members, name) ? undefined : members[name];
    if (value === undefined && !rule.isRequired) continue;
    if (!rule.isValid(value)) throw invalidValue(call, name, rule, value);
    values[name] = value;
  }
  // Each has kept the rule of its name.
  return values as Defined<Values>;
}

export function invalidValue(call: FailedCall, name: string, rule: Rule, value: unknown) {
  const isNoDay = rule.isDay && isText(value) && /^\d{8}$/.test(value);
  const received = isNoDay ? 'a day that does not exist' : (rule.describe?.(value) ?? describeValue(value));
  return argumentError(call, `${name} must be ${rule.expected}; got ${received}`, name, rule.in);
}

/** Whether one name is the other with a word more or less, or other capitals: `retries` for `maxRetries`. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return b.length > 3 && (a.includes(b) || b.includes(a));
}

/** What kind of value something is, in words that do not repeat it. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return `${value}`;
  if (!isText(value)) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
  }
  const marks = [
    /[-\u2010-\u2015]/.test(value) && 'hyphens',
    /\s/.test(value) && 'white space',
    /[^ -~\s]/.test(value) && 'characters beyond ASCII',
  ].filter(Boolean);
  return `${value.length} character${value.length === 1 ? '' : 's'}${marks.length ? ` with ${marks.join(' and ')}` : ''}`;
}

/** The members of an object; `undefined` for anything else, and for lists, maps and `Headers`, whose content is elsewhere. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !(Symbol.iterator in value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/**
 * A copy of an argument for what is read later: by then, user code may use its own for the next call. Lists and object
 * literals are copied; everything else stays, above all signals and functions.
 */
export function copyOf<Value>(value: Value, depth = 3): Value {
  if (Array.isArray(value)) return [...value] as Value;
  const parent: unknown = Object.getPrototypeOf(value ?? 0);
  // A literal of another realm, or an object without a prototype as `querystring.parse` gives, counts as well.
  if (!depth || (parent !== null && Object.getPrototypeOf(parent) !== null)) return value;
  const copy = { ...value };
  for (const name in copy) copy[name] = copyOf(copy[name], depth - 1);
  return copy;
}
