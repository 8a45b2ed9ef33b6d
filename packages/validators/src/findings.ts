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
  /** Name of the parameter under check. */
  name: string;
  /** JSON Pointer of the object under check. */
  at: string;
}

/** A compiled check: it adds what it finds. It stops early where much may follow, and `add` lets no issue in beyond the limit. */
export type Check = (findings: Findings, value: unknown) => void;

const mostIssues = 1000;

export function startFindings(place: IssuePlace, options?: ValidationOptions): Findings {
  const wanted = options?.maxIssues ?? 1;
  return { issues: [], max: wanted >= 1 ? Math.min(wanted, mostIssues) : 1, in: place, name: '', at: '' };
}

export function isFull({ issues, max }: Findings): boolean {
  return issues.length >= max;
}

/** Adds one issue about the value under this suffix of the current place, unless there are enough. */
export function add(findings: Findings, suffix: string, rule: string, words: string, kind: IssueKind = 'shape'): void {
  if (isFull(findings)) return;
  const { issues, name, in: place } = findings;
  const pointer = findings.at + suffix;
  const subject = name || pointer || `the ${place === 'body' ? 'value' : place}`;
  issues.push({ kind, in: place, name, pointer, rule, message: `${subject} ${words}` });
}

/** Runs a check. A value that throws when it is read (a getter, a proxy) is one more deviation, not an exception. */
export function run<T>(
  place: IssuePlace,
  options: ValidationOptions | undefined,
  check: Check,
  value: unknown,
  result: T,
): ValidationResult<T> {
  const findings = startFindings(place, options);
  try {
    check(findings, value);
  } catch {
    findings.at = '';
    add(findings, '', 'readable', 'cannot be read');
  }
  const { issues } = findings;
  return hasIssue(issues) ? { ok: false, issues } : { ok: true, value: result };
}

function hasIssue(issues: readonly ValidationIssue[]): issues is readonly [ValidationIssue, ...ValidationIssue[]] {
  return issues.length > 0;
}
