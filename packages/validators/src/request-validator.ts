import { dateRangeProblem } from './date-range.js';
import { add, type Check, type Findings, isFull, run, startFindings } from './findings.js';
import { readQuery } from './query-string.js';
import type { StandardSchema } from './standard-schema.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';
import { standard } from './validator.js';
import { choice, isGroup, isObject, isThere } from './value-checks.js';

/** The pieces of a request that the contract has rules about. */
export interface RequestParts {
  /** The values of the path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /**
   * The query: as raw text with or without its `?` (with it, a bare `?` can be told from no query, which matters where
   * leaving out a parameter widens the effect), as URLSearchParams, or as a record of decoded values.
   */
  readonly query: string | URLSearchParams | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The headers; names are compared without regard to case. */
  readonly headers: Headers | Readonly<Record<string, string | undefined>>;
}

/** Checks the parts of a request of one operation. It is also a Standard Schema. */
export interface RequestValidator<T, Options extends ValidationOptions> extends StandardSchema<T> {
  /** The parameters with their types and defaults, or the issues. Never throws. */
  readonly validate: (parts: RequestParts, options?: Options) => ValidationResult<T>;
  /** Whether the parts are a request that the contract allows. Never throws. */
  readonly is: (parts: RequestParts, options?: Options) => boolean;
}

/** One parameter of an operation, made from the contract. */
export interface ParameterCheck {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly check: Check;
  readonly required: boolean;
  readonly default?: string;
  /** The option that replaces the values of the parameter's enumeration. */
  readonly override?: string;
}

/** The rules of one operation about its request, made from the contract. */
export interface RequestRules {
  readonly parameters: readonly ParameterCheck[];
  /** `x-date-range` of the contract. */
  readonly dateRange?: { readonly start: string; readonly end: string; readonly maxDays: number };
  /** The parameter of the contract's `x-wide-effect`. */
  readonly wideEffect?: string;
}

/** A request under check. */
interface Reading {
  readonly rules: RequestRules;
  readonly findings: Findings;
  readonly options: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<'path' | 'query' | 'headers', Record<string, string>>>;
}

/** Makes the public validator of the requests of one operation. */
export function createRequestValidator<T, Options extends ValidationOptions>(
  rules: RequestRules,
): RequestValidator<T, Options> {
  const validate = (parts: RequestParts, options?: Options): ValidationResult<T> => {
    const values = { path: {}, query: {}, headers: {} };
    const check: Check = (findings) => checkRequest({ rules, findings, options: { ...options }, values }, parts);
    return run(startFindings('request', options), check, parts, values as T);
  };
  return {
    validate,
    is: (parts, options) => validate(parts, options).ok,
    '~standard': standard(
      (parts) => validate(parts as RequestParts),
      (issue) => [issue.in === 'header' ? 'headers' : issue.in, ...(issue.name ? [issue.name] : [])],
    ),
  };
}

function checkRequest(reading: Reading, parts: RequestParts): void {
  const { rules, findings } = reading;
  if (!isGroup(findings, parts, '')) return;
  for (const parameter of rules.parameters) {
    if (parameter.in === 'query') continue;
    const values = parameter.in === 'path' ? readPath(parts, parameter.name) : readHeader(parts, parameter.name);
    stand(findings, parameter.in, parameter.name);
    if (values.length > 1) refuse(findings, 'repeatedParameter', 'must stand only once');
    else checkParameter(reading, parameter, values[0]);
  }
  checkQuery(reading, parts.query);
  checkDateRange(reading);
}

function stand(findings: Findings, place: ParameterCheck['in'], name: string): void {
  findings.in = place;
  findings.name = name;
}

function refuse(findings: Findings, rule: string, words: string): void {
  add(findings, '', 'request', rule, words);
}

function readPath({ path }: RequestParts, name: string): readonly unknown[] {
  return isObject(path) && Object.hasOwn(path, name) ? [path[name]] : [];
}

/** Every value under this name. Header names are case-insensitive: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
function readHeader({ headers }: RequestParts, name: string): readonly unknown[] {
  // Not instanceof: other implementations of fetch bring a Headers of their own.
  if (isHeaders(headers)) return [headers.get(name) ?? undefined];
  const wanted = name.toLowerCase();
  return Object.entries(headers ?? {}).flatMap(([key, value]: readonly [string, unknown]) =>
    key.length === name.length && key.toLowerCase() === wanted && value !== undefined ? [value] : [],
  );
}

function isHeaders(headers: RequestParts['headers']): headers is Headers {
  return isObject(headers) && typeof headers['get'] === 'function';
}

function checkParameter({ findings, options, values }: Reading, parameter: ParameterCheck, value: unknown): void {
  const { name, override = '' } = parameter;
  const into = values[parameter.in === 'header' ? 'headers' : parameter.in];
  if (value === undefined) {
    if (parameter.default !== undefined) into[name] = parameter.default;
    if (parameter.required) isThere(findings, value, '');
    return;
  }
  if (value === '') {
    refuse(findings, 'emptyParameter', 'must not be empty');
    return;
  }
  const before = findings.issues.length;
  const choices = options[override];
  if (Array.isArray(choices) && choices.length > 0) choice(findings, value, '', choices);
  else parameter.check(findings, value);
  if (findings.issues.length === before) into[name] = value as string;
}

function checkQuery(reading: Reading, query: RequestParts['query']): void {
  const { rules, findings } = reading;
  const parameters = rules.parameters.filter((parameter) => parameter.in === 'query');
  const missing = new Set(parameters);
  stand(findings, 'query', '');
  if (query === '?' && rules.wideEffect) {
    refuse(findings, 'emptyQuery', `must be left out altogether, or hold ${rules.wideEffect}`);
    return;
  }
  for (const [name, value] of readQuery(query)) {
    if (isFull(findings)) return;
    const parameter = parameters.find((candidate) => candidate.name === name);
    stand(findings, 'query', parameter?.name ?? shownName(name));
    if (name === undefined || (value === undefined && typeof query === 'string')) {
      refuse(findings, 'percentEncoding', 'must be percent-encoded UTF-8');
    } else if (parameter === undefined) {
      refuseUnknown(findings, name, parameters);
    } else if (!missing.has(parameter)) {
      refuse(findings, 'repeatedParameter', 'must stand only once');
    } else if (value !== undefined || rules.wideEffect === name) {
      // A record whose narrowing parameter is there without a value is a mistake of the caller, never the wide call.
      checkParameter(reading, parameter, value ?? '');
    } else continue;
    if (parameter) missing.delete(parameter);
  }
  for (const parameter of missing) {
    stand(findings, 'query', parameter.name);
    checkParameter(reading, parameter, undefined);
  }
}

function refuseUnknown(findings: Findings, name: string, known: readonly ParameterCheck[]): void {
  if (name === '') {
    refuse(findings, 'emptyParameter', 'must not hold a parameter without a name');
    return;
  }
  const takes = known.map((parameter) => parameter.name).join(', ') || 'none';
  const words = findings.name ? 'is not a parameter' : 'holds a parameter that is not one';
  refuse(findings, 'unknownParameter', `${words} of this operation; it takes ${takes}`);
}

/** The name of an unknown parameter, or nothing where it could be a value (a VIN, a token) in the wrong place. */
function shownName(name = ''): string {
  return /^[A-Za-z_][\w-]{0,15}$/.test(name) ? name : '';
}

function checkDateRange({ rules, values: { query }, findings }: Reading): void {
  if (!rules.dateRange) return;
  const { start, end, maxDays } = rules.dateRange;
  const [first, last] = [query[start], query[end]];
  if (first === undefined || last === undefined) return;
  const problem = dateRangeProblem(first, last, start, maxDays);
  stand(findings, 'query', end);
  if (problem) refuse(findings, 'dateRange', problem);
}
