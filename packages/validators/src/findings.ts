import type {
  IssueKind,
  IssuePlace,
  ValidationIssue,
  ValidationOptions,
  ValidationResult,
} from './validation-result.js';

/** What the checks of one validation have found so far, and the place of the value under check. */
export interface Findings {
  readonly issues: ValidationIssue[];
  readonly max: number;
  in: IssuePlace;
  /** Name of the parameter under check. */
  name: string;
  /** Member names and list indexes that lead to the value under check. */
  path: (string | number)[];
}

/** Checks a value and adds what it finds. `add` accepts no issue beyond the limit. */
export type Check = (findings: Findings, value: unknown) => void;

const mostIssues = 1000;

export function startFindings(place: IssuePlace, options?: ValidationOptions): Findings {
  return { issues: [], max: readMaxIssues(options), in: place, name: '', path: [] };
}

/** Options of the wrong type count as not given: a validation never throws. */
function readMaxIssues(options: ValidationOptions | undefined): number {
  try {
    const wanted: unknown = options?.maxIssues;
    return typeof wanted === 'number' && wanted >= 1 ? Math.min(Math.floor(wanted), mostIssues) : 1;
  } catch {
    return 1;
  }
}

export function isFull({ issues, max }: Findings): boolean {
  return issues.length >= max;
}

/** Adds one issue about the value under check, unless there are enough. */
export function add(findings: Findings, rule: string, words: string, kind: IssueKind = 'shape'): void {
  if (isFull(findings)) return;
  const { issues, name, in: place, path } = findings;
  const pointer = pointerOf(path);
  const subject = name || pointer || `the ${place === 'body' ? 'value' : place}`;
  issues.push({ kind, in: place, name, pointer, rule, message: `${subject} ${words}` });
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Runs a check. A value that throws when it is read (a getter, a proxy) is an issue, not an exception. */
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
    findings.path = [];
    add(findings, 'readable', 'cannot be read');
  }
  const [first, ...others] = findings.issues;
  return first ? { ok: false, issues: [first, ...others] } : { ok: true, value: result };
}
