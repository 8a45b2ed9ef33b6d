// What compiled checks are made of. Each function gets the value and where it stands below the current place.
import { add, type Check, type Findings, isFull } from './findings.js';

/** One rule of a string beyond its type. */
export type TextRule = readonly [rule: string, words: string, test: (text: string) => boolean];

const noRules: readonly TextRule[] = [];

/** Whether a required member is there. */
export function isThere(findings: Findings, value: unknown, suffix: string): boolean {
  if (value === undefined) add(findings, suffix, 'shape', 'required', 'is required');
  return value !== undefined;
}

export function notType(findings: Findings, suffix: string, words: string): boolean {
  return add(findings, suffix, 'shape', 'type', `must be ${words}`);
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
  if (!matches) notType(findings, suffix, 'an object');
  return matches;
}

export function isList(findings: Findings, value: unknown, suffix: string): value is readonly unknown[] {
  const matches = Array.isArray(value);
  if (!matches) notType(findings, suffix, 'a list');
  return matches;
}

export function truth(findings: Findings, value: unknown, suffix: string): void {
  if (typeof value !== 'boolean') notType(findings, suffix, 'true or false');
}

export function text(
  findings: Findings,
  value: unknown,
  suffix: string,
  rules: readonly TextRule[] = noRules,
): boolean {
  if (typeof value !== 'string') return notType(findings, suffix, 'text');
  for (const rule of rules) {
    if (!rule[2](value)) return add(findings, suffix, 'shape', rule[0], `must be ${rule[1]}`);
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
    return notType(findings, suffix, integer ? 'a whole number' : 'a number');
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
  if ((choices as readonly unknown[]).includes(value)) return false;
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
    within(findings, value[index], `${suffix}/${index}`, check);
  }
}
