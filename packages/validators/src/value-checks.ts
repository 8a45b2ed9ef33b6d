// What compiled checks are made of. Each function gets the value, where it stands below the current place, and whether it must
// be there.
import { add, type Check, type Findings, isFull } from './findings.js';

/** One rule of a string beyond its type. */
export type TextRule = readonly [rule: string, words: string, test: (text: string) => boolean];

/** The values of an enumeration. */
export type Choices = readonly (string | number | boolean)[];

/** Says of a value that is not of its type that it is not, or that it is missing where it must be there. */
export function refuseType(
  findings: Findings,
  value: unknown,
  suffix: string,
  required: boolean | undefined,
  words: string,
): void {
  if (value !== undefined) add(findings, suffix, 'type', `must be ${words}`);
  else if (required) add(findings, suffix, 'required', 'is required');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isGroup(
  findings: Findings,
  value: unknown,
  suffix: string,
  required?: boolean,
): value is Readonly<Record<string, unknown>> {
  if (isObject(value)) return true;
  refuseType(findings, value, suffix, required, 'an object');
  return false;
}

export function isList(
  findings: Findings,
  value: unknown,
  suffix: string,
  required?: boolean,
): value is readonly unknown[] {
  if (Array.isArray(value)) return true;
  refuseType(findings, value, suffix, required, 'a list');
  return false;
}

/** Checks a value of which the contract says only that it must be there. */
export function isThere(findings: Findings, value: unknown, suffix: string): void {
  if (value === undefined) refuseType(findings, value, suffix, true, '');
}

export function truth(findings: Findings, value: unknown, suffix: string, required?: boolean): void {
  if (typeof value !== 'boolean') refuseType(findings, value, suffix, required, 'true or false');
}

export function text(
  findings: Findings,
  value: unknown,
  suffix: string,
  required?: boolean,
  rules?: readonly TextRule[],
): void {
  if (typeof value !== 'string') refuseType(findings, value, suffix, required, 'text');
  else {
    const broken = rules?.find((rule) => !rule[2](value));
    if (broken) add(findings, suffix, broken[0], `must be ${broken[1]}`);
  }
}

export function number(
  findings: Findings,
  value: unknown,
  suffix: string,
  required: boolean,
  integer: boolean,
  least: number,
  most: number,
): void {
  if (typeof value !== 'number' || !(integer ? Number.isInteger(value) : Number.isFinite(value))) {
    refuseType(findings, value, suffix, required, integer ? 'a whole number' : 'a number');
  } else if (value < least) add(findings, suffix, 'minimum', `must be at least ${least}`, 'range');
  else if (value > most) add(findings, suffix, 'maximum', `must be at most ${most}`, 'range');
}

export function choice(findings: Findings, value: unknown, suffix: string, required: boolean, choices: Choices): void {
  if ((choices as readonly unknown[]).includes(value)) return;
  const words = `one of ${choices.map((item) => JSON.stringify(item)).join(', ')}`;
  if (choices.some((item) => typeof item === typeof value)) {
    add(findings, suffix, 'enum', `must be ${words}`, 'enumeration');
  } else refuseType(findings, value, suffix, required, words);
}

/** Checks a value of a component schema one step below the current place. */
export function within(findings: Findings, value: unknown, suffix: string, required: boolean, check: Check): void {
  const { at } = findings;
  if (value === undefined) refuseType(findings, value, suffix, required, '');
  else {
    findings.at = at + suffix;
    check(findings, value);
    findings.at = at;
  }
}

/**
 * Whether a value is a list of which a loop finds every item valid. The loops are called from this one place, because V8 compiles a
 * loop better by itself than as a part of the check around it. A list of numbers with a null in it is kept from its loop: for as
 * long as the process lives, V8 would expect others like it there, and check good lists several times slower. Where all are numbers,
 * it knows without looking that there is none. The method is not that of the value, which may be anything.
 */
export function isListOf(
  value: unknown,
  areValid: (items: readonly unknown[], choices?: Choices) => boolean,
  choices?: Choices,
): boolean {
  if (!Array.isArray(value) || (choices === undefined && Array.prototype.includes.call(value, null))) return false;
  return areValid(value, choices);
}

/** Whether every item of a list is one of the choices. They come in long runs, so most are only compared with the one before. */
export function areChoices(items: readonly unknown[], choices: readonly unknown[] = []): boolean {
  for (let index = 0; index < items.length; ) {
    const item = items[index];
    if (!choices.includes(item)) return false;
    // Four at a time take a tenth less than one at a time.
    while (
      index + 4 < items.length &&
      items[index + 1] === item &&
      items[index + 2] === item &&
      items[index + 3] === item &&
      items[index + 4] === item
    ) {
      index += 4;
    }
    while (++index < items.length && items[index] === item);
  }
  return true;
}

type ItemCheck<Rule> = (
  findings: Findings,
  value: unknown,
  suffix: string,
  required: boolean,
  rule: Rule,
  least: number,
  most: number,
) => void;

/** Checks the items of a list one after the other, until no more issues may follow. Only the rules of numbers have bounds. */
export function items<Rule>(
  findings: Findings,
  value: unknown,
  suffix: string,
  required: boolean,
  check: ItemCheck<Rule>,
  rule: Rule,
  least = 0,
  most = 0,
): void {
  if (!isList(findings, value, suffix, required)) return;
  for (let index = 0; index < value.length && !isFull(findings); index++) {
    check(findings, value[index], `${suffix}/${index}`, true, rule, least, most);
  }
}
