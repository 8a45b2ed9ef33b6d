import { dateRangeProblem } from './date-range.js';
import {
  add,
  badChoice,
  type Check,
  type Findings,
  isObject,
  missing,
  notType,
  run,
  startFindings,
  toResult,
} from './findings.js';
import { readQuery } from './query-string.js';
import type { StandardSchema } from './standard-schema.js';
import type { IssuePlace, ValidationOptions, ValidationResult } from './validation-result.js';
import { standard } from './validator.js';

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

type Overrides = Readonly<Record<string, unknown>>;
type Values = Record<string, string>;
interface ReadRequest {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
}

/** Makes the public validator of the requests of one operation. */
export function createRequestValidator<T, Options extends ValidationOptions>(
  rules: RequestRules,
): RequestValidator<T, Options> {
  const validate = (parts: RequestParts, options?: Options): ValidationResult<T> => {
    const findings = startFindings('request', options);
    const values: ReadRequest = { path: {}, query: {}, headers: {} };
    run(findings, () => checkRequest(rules, parts, values, findings, (options ?? {}) as Overrides));
    return toResult(findings, values as T);
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

function checkRequest(
  rules: RequestRules,
  parts: RequestParts,
  values: ReadRequest,
  findings: Findings,
  options: Overrides,
): boolean {
  if (!isObject(parts)) return notType(findings, '', 'an object with path, query and headers');
  for (const parameter of rules.parameters) {
    if (parameter.in === 'query') continue;
    const [value, ...more] =
      parameter.in === 'path' ? [readPath(parts, parameter.name)] : readHeader(parts, parameter.name);
    place(findings, parameter.in, parameter.name);
    const stop =
      more.length > 0
        ? add(findings, '', 'request', 'repeatedParameter', 'must stand only once')
        : checkParameter(parameter, value, parameter.in === 'path' ? values.path : values.headers, findings, options);
    if (stop) return true;
  }
  return checkQuery(rules, parts.query, values.query, findings, options);
}

function place(findings: Findings, where: IssuePlace, name: string): void {
  findings.in = where;
  findings.name = name;
}

function readPath(parts: RequestParts, name: string): unknown {
  const { path } = parts;
  return isObject(path) && Object.hasOwn(path, name) ? path[name] : undefined;
}

/** Every value under this name, or one undefined. Header names are case-insensitive: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
function readHeader(parts: RequestParts, name: string): readonly unknown[] {
  const { headers } = parts;
  // Not instanceof: other implementations of fetch bring a Headers of their own.
  if (isHeaders(headers)) return [headers.get(name) ?? undefined];
  const record: Readonly<Record<string, unknown>> = isObject(headers) ? headers : {};
  const wanted = name.toLowerCase();
  const values = Object.keys(record)
    .filter((key) => key.length === name.length && key.toLowerCase() === wanted)
    .map((key) => record[key])
    .filter((value) => value !== undefined);
  return values.length > 0 ? values : [undefined];
}

function isHeaders(headers: RequestParts['headers']): headers is Headers {
  return isObject(headers) && typeof headers['get'] === 'function';
}

function checkParameter(
  parameter: ParameterCheck,
  value: unknown,
  values: Values,
  findings: Findings,
  options: Overrides,
): boolean {
  if (value === undefined) {
    if (parameter.default !== undefined) values[parameter.name] = parameter.default;
    return parameter.required && missing(findings, '');
  }
  if (value === '') return add(findings, '', 'request', 'emptyParameter', 'must not be empty');
  const before = findings.issues.length;
  const choices = parameter.override === undefined ? undefined : options[parameter.override];
  const stop =
    Array.isArray(choices) && choices.length > 0
      ? !choices.includes(value) && badChoice(findings, '', value, choices)
      : parameter.check(value, findings, '', '');
  if (findings.issues.length === before) values[parameter.name] = value as string;
  return stop;
}

function checkQuery(
  rules: RequestRules,
  query: RequestParts['query'],
  values: Values,
  findings: Findings,
  options: Overrides,
): boolean {
  const parameters = rules.parameters.filter((parameter) => parameter.in === 'query');
  const seen = new Set<string>();
  place(findings, 'query', '');
  if (query === '?' && rules.wideEffect !== undefined) {
    return add(findings, '', 'request', 'emptyQuery', `must be left out altogether, or hold ${rules.wideEffect}`);
  }
  for (const [name, value] of readQuery(query)) {
    const parameter = parameters.find((candidate) => candidate.name === name);
    place(findings, 'query', parameter?.name ?? shownName(name));
    let stop = false;
    if (parameter === undefined) stop = refuseUnknown(name, parameters, findings);
    else if (seen.has(parameter.name)) stop = add(findings, '', 'request', 'repeatedParameter', 'must stand only once');
    else if (value === undefined && typeof query === 'string') {
      stop = add(findings, '', 'request', 'percentEncoding', 'must be percent-encoded UTF-8');
    } else if (value !== undefined || rules.wideEffect === parameter.name) {
      // A record whose narrowing parameter is there without a value is a mistake of the caller, never the wide call.
      stop = checkParameter(parameter, value ?? '', values, findings, options);
    } else continue;
    seen.add(parameter?.name ?? '');
    if (stop) return true;
  }
  for (const parameter of parameters) {
    if (seen.has(parameter.name)) continue;
    place(findings, 'query', parameter.name);
    if (checkParameter(parameter, undefined, values, findings, options)) return true;
  }
  return checkDateRange(rules, values, findings);
}

function refuseUnknown(name: string | undefined, known: readonly ParameterCheck[], findings: Findings): boolean {
  if (name === undefined) return add(findings, '', 'request', 'percentEncoding', 'must be percent-encoded UTF-8');
  if (name === '') return add(findings, '', 'request', 'emptyParameter', 'must not hold a parameter without a name');
  const names = known.map((parameter) => parameter.name).join(', ');
  const takes = names ? `it takes ${names}` : 'it takes none';
  const words = findings.name
    ? 'is not a parameter of this operation'
    : 'holds a parameter that is not of this operation';
  return add(findings, '', 'request', 'unknownParameter', `${words}; ${takes}`);
}

/** The name of an unknown parameter, or nothing where it could be a value (a VIN, a token) in the wrong place. */
function shownName(name: string | undefined): string {
  return name !== undefined && /^[A-Za-z_][A-Za-z0-9_-]{0,15}$/.test(name) ? name : '';
}

function checkDateRange(rules: RequestRules, values: Values, findings: Findings): boolean {
  if (rules.dateRange === undefined) return false;
  const { start, end, maxDays } = rules.dateRange;
  const [first, last] = [values[start], values[end]];
  if (first === undefined || last === undefined) return false;
  const problem = dateRangeProblem(first, last, start, maxDays);
  place(findings, 'query', end);
  return problem !== undefined && add(findings, '', 'request', 'dateRange', problem);
}
