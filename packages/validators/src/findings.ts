import type {
  IssueKind,
  IssuePlace,
  ValidationIssue,
  ValidationOptions,
  ValidationResult,
} from './validation-result.js';

/** What the checks of one validation have found so far, and where they stand. */
export interface Findings {
  readonly issues: ValidationIssue[];
  readonly max: number;
  in: IssuePlace;
  name: string;
}

/**
 * A compiled check. It adds what it finds and returns true when no more may be added, so that its callers stop too.
 * The place of the value is `at` followed by `key`; the two are joined only when there is something to report.
 */
export type Check = (value: unknown, findings: Findings, at: string, key: number | '') => boolean;

const mostIssues = 1000;

export function startFindings(place: IssuePlace, options: ValidationOptions | undefined): Findings {
  const wanted = options?.maxIssues ?? 1;
  return { issues: [], max: wanted >= 1 ? Math.min(wanted, mostIssues) : 1, in: place, name: '' };
}

/** Adds one issue; true when no more may follow. */
export function add(findings: Findings, pointer: string, kind: IssueKind, rule: string, words: string): boolean {
  const { name } = findings;
  const subject = name || pointer || (findings.in === 'body' ? 'the value' : `the ${findings.in}`);
  return (
    findings.issues.push({ kind, in: findings.in, name, pointer, rule, message: `${subject} ${words}` }) >= findings.max
  );
}

export function missing(findings: Findings, pointer: string): boolean {
  return add(findings, pointer, 'shape', 'required', 'is required');
}

export function notType(findings: Findings, pointer: string, words: string): boolean {
  return add(findings, pointer, 'shape', 'type', `must be ${words}`);
}

/** Says why a value is not the number that was asked for. */
export function badNumber(
  findings: Findings,
  pointer: string,
  value: unknown,
  words: string,
  minimum = -Infinity,
  maximum = Infinity,
): boolean {
  if (typeof value === 'number' && (words === 'a number' ? Number.isFinite(value) : Number.isInteger(value))) {
    if (value < minimum) return add(findings, pointer, 'range', 'minimum', `must be at least ${minimum}`);
    if (value > maximum) return add(findings, pointer, 'range', 'maximum', `must be at most ${maximum}`);
  }
  return notType(findings, pointer, words);
}

/** Says why a value is not one of a list. */
export function badChoice(
  findings: Findings,
  pointer: string,
  value: unknown,
  choices: readonly (string | number | boolean)[],
): boolean {
  const typed = choices.some((choice) => typeof choice === typeof value);
  const words = `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  return add(findings, pointer, typed ? 'enumeration' : 'shape', typed ? 'enum' : 'type', words);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Runs a check. A value that throws when it is read (a getter, a proxy) is one more deviation, not an exception. */
export function run(findings: Findings, check: () => void): void {
  try {
    check();
  } catch {
    add(findings, '', 'shape', 'readable', 'cannot be read');
  }
}

export function toResult<T>(findings: Findings, value: T): ValidationResult<T> {
  const [first, ...more] = findings.issues;
  return first === undefined ? { ok: true, value } : { ok: false, issues: [first, ...more] };
}
