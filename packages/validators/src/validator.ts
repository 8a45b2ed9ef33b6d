import { run } from './findings.js';
import type { ValidationIssue, ValidationOptions, ValidationResult } from './validation-result.js';
import type { ValueRule } from './value-rules.js';

/** The interface of Standard Schema, version 1: https://standardschema.dev */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'vehicle-data';
    readonly validate: (value: unknown) => StandardResult<Output>;
    readonly types?: { readonly input: Output; readonly output: Output } | undefined;
  };
}

/** What Standard Schema gives back: the value, or issues with a path of keys and indexes. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[] };

/** Checks a value against one schema of the contract. It is also a Standard Schema. */
export interface Validator<T> extends StandardSchema<T> {
  /** The value with its type, or the issues. Never throws. The value is given back as it is, unknown members included. */
  readonly validate: (value: unknown, options?: ValidationOptions) => ValidationResult<T>;
  /** Whether the value has the shape, ranges and enumerations of the contract. Never throws. */
  readonly is: (value: unknown) => value is T;
}

/** Whether a value passes a check. */
export function passes({ check }: ValueRule, value: unknown): boolean {
  return run('body', undefined, check, value, 0).ok;
}

/** Makes the public validator of one rule. */
export function createValidator<T>(rule: ValueRule): Validator<T> {
  const validate = (value: unknown, options?: ValidationOptions): ValidationResult<T> =>
    run('body', options, rule.check, value, value as T);
  return {
    validate,
    is: (value): value is T => passes(rule, value),
    // Made when it is asked for: a program that imports all validators pays for none of them.
    get '~standard'() {
      return standard(validate, pointerPath);
    },
  };
}

/** The Standard Schema side of a validation. */
export function standard<T>(
  validate: (value: unknown) => ValidationResult<T>,
  pathOf: (issue: ValidationIssue) => readonly PropertyKey[],
): StandardSchema<T>['~standard'] {
  return {
    version: 1,
    vendor: 'vehicle-data',
    validate: (value) => {
      const result = validate(value);
      return result.ok
        ? result
        : { issues: result.issues.map((issue) => ({ message: issue.message, path: pathOf(issue) })) };
    },
  };
}

// https://www.rfc-editor.org/rfc/rfc6901#section-4
function pointerPath({ pointer }: ValidationIssue): readonly PropertyKey[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) =>
      /^(?:0|[1-9]\d{0,14})$/.test(token) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
}
