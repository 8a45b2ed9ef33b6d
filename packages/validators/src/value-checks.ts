// What compiled checks are made of. Each function gets the value and where it stands below the current place. To all but
// `isThere`, a value that is not there has nothing wrong.
import { add, type Check, type Findings, isFull } from './findings.js';

/** One rule of a string beyond its type. */
export type TextRule = readonly [rule: string, words: string, test: { readonly test: (text: string) => boolean }];

const noRules: readonly TextRule[] = [];

/** Whether a required member is there. */
export function isThere(findings: Findings, value: unknown, suffix: string): boolean {
  if (value === undefined) add(findings, suffix, 'shape', 'required', 'is required');
  return value !== undefined;
}

export function notType(findings: Findings, value: unknown, suffix: string, words: string): boolean {
  return value !== undefined && add(findings, suffix, 'shape', 'type', `must be ${words}`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isGroup(
  findings: Findings,
  value: unknown,
  suffix: string,
): value is Readonly<Record<string, unknown>> {
  const matches = isObject(value);
  if (!matches) notType(findings, value, suffix, 'an object');
  return matches;
}

export function isList(findings: Findings, value: unknown, suffix: string): value is readonly unknown[] {
  const matches = Array.isArray(value);
  if (!matches) notType(findings, value, suffix, 'a list');
  return matches;
}

export function truth(findings: Findings, value: unknown, suffix: string): void {
  if (typeof value !== 'boolean') notType(findings, value, suffix, 'true or false');
}

export function text(
  findings: Findings,
  value: unknown,
  suffix: string,
  rules: readonly TextRule[] = noRules,
): boolean {
  if (typeof value !== 'string') return notType(findings, value, suffix, 'text');
  for (const rule of rules) {
    if (!rule[2].test(value)) return add(findings, suffix, 'shape', rule[0], `must be ${rule[1]}`);
  }
  return false;
}

export function number(
  findings: Findings,
  value: unknown,
  suffix: string,
  integer: boolean,
  minimum = -Infinity,
  maximum = Infinity,
): boolean {
  if (typeof value !== 'number' || !(integer ? Number.isInteger(value) : Number.isFinite(value))) {
    return notType(findings, value, suffix, integer ? 'a whole number' : 'a number');
  }
  if (value < minimum) return add(findings, suffix, 'range', 'minimum', `must be at least ${minimum}`);
  return value > maximum && add(findings, suffix, 'range', 'maximum', `must be at most ${maximum}`);
}

export function choice(
  findings: Findings,
  value: unknown,
  suffix: string,
  choices: readonly (string | number | boolean)[],
): boolean {
  if (value === undefined || (choices as readonly unknown[]).includes(value)) return false;
  const words = `must be one of ${choices.map((item) => JSON.stringify(item)).join(', ')}`;
  return choices.some((item) => typeof item === typeof value)
    ? add(findings, suffix, 'enumeration', 'enum', words)
    : add(findings, suffix, 'shape', 'type', words);
}

/** Checks a value of a component schema one step below the current place. */
export function within(findings: Findings, value: unknown, suffix: string, check: Check): void {
  const { at } = findings;
  findings.at = at + suffix;
  check(findings, value);
  findings.at = at;
}

/** Checks every item of a list, until no more issues may follow. */
export function each(findings: Findings, value: unknown, suffix: string, check: Check): void {
  if (!isList(findings, value, suffix)) return;
  for (let index = 0, { length } = value; index < length && !isFull(findings); index++) {
    const place = `${suffix}/${index}`;
    if (isThere(findings, value[index], place)) within(findings, value[index], place, check);
  }
}

/** The index of the first item, looking from one index on, that is not surely valid; the length of the list where all are. */
export type ItemScan = (items: readonly unknown[], from: number) => number;

/**
 * Checks the items of a list with a scan of its own; those at which it stops are looked at with the rules.
 */
export function items<Rule>(
  findings: Findings,
  value: unknown,
  suffix: string,
  scan: ItemScan,
  check: (findings: Findings, value: unknown, suffix: string, rule: Rule, least?: number, most?: number) => boolean,
  rule: Rule,
  least?: number,
  most?: number,
): void {
  if (!isList(findings, value, suffix)) return;
  for (let index = scan(value, 0); index < value.length; index = scan(value, index + 1)) {
    const place = `${suffix}/${index}`;
    isThere(findings, value[index], place);
    if (check(findings, value[index], place, rule, least, most) || isFull(findings)) return;
  }
}
