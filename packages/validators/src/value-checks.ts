// What compiled checks are made of. Each function gets the value, where it stands below the current place, and whether it must
// be there.
import { add, type Check, type Findings, isFull } from './findings.js';

/** One rule of a string beyond its type. */
export type TextRule = readonly [rule: string, words: string, test: { readonly test: (text: string) => boolean }];

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
  else if (rules) {
    for (const rule of rules) {
      if (rule[2].test(value)) continue;
      add(findings, suffix, rule[0], `must be ${rule[1]}`);
      break;
    }
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

export function choice(
  findings: Findings,
  value: unknown,
  suffix: string,
  required: boolean,
  choices: readonly (string | number | boolean)[],
): void {
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

/** The index of the first item, looking from one index on, that is not surely valid; the length of the list where all are. */
type ItemScan<Rule> = (items: readonly unknown[], from: number, rule: Rule, least: number, most: number) => number;

/** The scan of a list of which every item must be looked at. */
export function everyItem(_: readonly unknown[], from: number): number {
  return from;
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

/**
 * Checks the items of a list at which its scan stops, until no more issues may follow. Scan and check are told the same rules;
 * only those of numbers have bounds.
 */
export function items<Rule>(
  findings: Findings,
  value: unknown,
  suffix: string,
  required: boolean,
  scan: ItemScan<Rule>,
  check: ItemCheck<Rule>,
  rule: Rule,
  least = 0,
  most = 0,
): void {
  if (!isList(findings, value, suffix, required)) return;
  let index = scan(value, 0, rule, least, most);
  for (; index < value.length && !isFull(findings); index = scan(value, index + 1, rule, least, most)) {
    check(findings, value[index], `${suffix}/${index}`, true, rule, least, most);
  }
}
