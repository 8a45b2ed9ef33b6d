import { add, type Check, type Findings, isFull, run } from './findings.js';
import { dayNumber } from './formats.js';
import { broken, isSentQuery, readParameters } from './sent-parameters.js';
import type { ValidationIssue, ValidationOptions, ValidationResult } from './validation-result.js';
import { type StandardSchema, standard } from './validator.js';
import { addType, enumeration, isObject, type ValueRule } from './value-rules.js';

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
}

/** One parameter of an operation, made from the contract. */
export interface ParameterCheck {
  readonly name: string;
  readonly rule: ValueRule;
  readonly required?: boolean;
  readonly default?: string | number | boolean;
  /** How the text of the parameter is read; as text where nothing is said. */
  readonly type?: 'integer' | 'boolean';
  /** The option that replaces the values of the parameter. */
  readonly override?: string;
  /** Whether leaving the parameter out widens the effect: one that is named without a value is then a mistake. */
  readonly narrows?: boolean;
}

/** What the contract says about the requests of an operation: its parameters by the place where each stands, and its rules. */
export interface RequestModel extends Readonly<Record<Place, readonly ParameterCheck[]>> {
  readonly rules: readonly RequestRule[];
}

type Place = 'header' | 'path' | 'query';

/** A rule about a request as a whole, made from the contract; it is asked after the parameters. */
export type RequestRule = (findings: Findings, query: Readonly<Values>, parts: RequestParts) => void;

/** Checked values, by name. */
type Values = Record<string, string | number | boolean>;

/** The options of a call, by name. */
type Overrides = Readonly<Record<string, unknown>>;

/** Makes the public validator of the requests of one operation. */
export function createRequestValidator<T, Options extends ValidationOptions>(
  model: RequestModel,
): RequestValidator<T, Options> {
  const validate = (parts: RequestParts, options?: Options): ValidationResult<T> => {
    const values = { path: {}, query: {}, headers: {} };
    const check: Check = (findings) => {
      if (!isObject(parts)) return addType(findings, 'an object with path, query and headers');
      const overrides: Overrides = { ...options };
      for (const place of ['header', 'path', 'query'] as const) {
        const part = partOf(place);
        findings.in = place;
        checkPlace(findings, model[place], parts[part], overrides, values[part]);
      }
      for (const rule of model.rules) rule(findings, values.query, parts);
    };
    return run('request', options, check, parts, values as T);
  };
  return {
    validate,
    get '~standard'() {
      return standard((parts) => validate(parts as RequestParts), parameterPath);
    },
  };
}

function parameterPath({ in: place, name, rule }: ValidationIssue): readonly PropertyKey[] {
  if (place === 'request') return [];
  // A query that is none has its own name.
  return [partOf(place), ...(name && !(name === place && rule === 'type') ? [name] : [])];
}

/** Adds an issue about the parameter under check. */
function reject(findings: Findings, rule: string, words: string): void {
  add(findings, rule, words, 'request');
}

/** The part of a request that holds the parameters of a place. */
function partOf<Name extends string>(place: Name | 'header'): Name | 'headers' {
  return place === 'header' ? 'headers' : place;
}

/** Checks the parameters of the place under check, and takes over the good ones and the defaults. */
function checkPlace(
  findings: Findings,
  parameters: readonly ParameterCheck[],
  source: unknown,
  overrides: Overrides,
  values: Values,
): void {
  const isQuery = findings.in === 'query';
  const sent: ParameterCheck[] = [];
  const isLeftOut = (source === undefined || source === null) && !parameters.some(({ narrows }) => narrows);
  if (isQuery && !isLeftOut && !isSentQuery(source)) {
    // What is no query must not pass for an empty one: where a parameter narrows the effect, that would be the wide form.
    findings.name = 'query';
    reject(findings, 'type', 'must be text, URLSearchParams or a plain record of values');
    return;
  }
  for (const [name, value] of readParameters(source, isQuery)) {
    if (isFull(findings)) return;
    const parameter = parameters.find(
      (candidate) =>
        candidate.name === name ||
        // Header names are compared without regard to case: https://www.rfc-editor.org/rfc/rfc9110#section-5.1
        (findings.in === 'header' && candidate.name.toLowerCase() === name.toLowerCase()),
    );
    // A record may name what it leaves out, except for what would widen the effect.
    if (parameter ? value === undefined && !parameter.narrows : !isQuery) continue;
    // The name of an unknown parameter is in the message unless it could be a value (a VIN, a token) in the wrong place.
    findings.name = parameter?.name ?? (/^[A-Za-z_][\w-]{0,15}$/.test(name) ? name : '');
    if (name === broken || value === broken) {
      reject(findings, 'percentEncoding', 'must be percent-encoded UTF-8');
    } else if (!parameter) {
      const takes = parameters.map((known) => known.name).join(', ') || 'none';
      const words = findings.name ? 'is not' : 'holds what is not';
      reject(findings, 'unknownParameter', `${words} a parameter of this operation; it takes ${takes}`);
    } else if (sent.includes(parameter)) {
      reject(findings, 'repeatedParameter', 'must not be repeated');
    } else {
      sent.push(parameter);
      checkValue(findings, parameter, value ?? '', overrides, values);
    }
  }
  for (const parameter of parameters) {
    if (sent.includes(parameter)) continue;
    findings.name = parameter.name;
    if (parameter.default !== undefined) values[parameter.name] = parameter.default;
    else if (parameter.required) add(findings, 'required', 'is required');
  }
  findings.name = '';
}

/** Checks one value that was sent, and takes it over. */
function checkValue(
  findings: Findings,
  { name, rule, type, override = '' }: ParameterCheck,
  value: unknown,
  overrides: Overrides,
  values: Values,
): void {
  const before = findings.issues.length;
  const read = type && typeof value === 'string' ? readAs(value) : value;
  const choices = overrides[override];
  if (value === '') reject(findings, 'emptyParameter', 'must not be empty');
  else if (Array.isArray(choices) && choices.length > 0) {
    // The check of a list is made only for what is not on it: its words are for the issue alone.
    if (!choices.includes(value)) enumeration(choices).check(findings, value);
  } else if (choices !== undefined)
    reject(findings, 'options', `cannot be checked: the option ${override} must be a list of at least one value`);
  else rule.check(findings, read);
  if (findings.issues.length === before) values[name] = read as string | number | boolean;
}

/** Reads the text of a parameter of another type. What is none stays text, which its rule then rejects. */
function readAs(text: string): unknown {
  const value: unknown = /^(?:true|false|0|-?[1-9]\d{0,15})$/.test(text) ? JSON.parse(text) : text;
  // Of a number that is too large to be held exactly, another would be read.
  return String(value) === text ? value : text;
}

/** `x-date-range` of the contract: the end is not before the start, nor more than so many days after it. */
export function dateRange(start: string, end: string, maxDays: number): RequestRule {
  return (findings, query) => {
    // Not a number where one of the days is missing or invalid.
    const days = dayNumber(Number(query[end])) - dayNumber(Number(query[start]));
    if (!(days < 0 || days > maxDays)) return;
    const distance = Math.abs(days);
    const words =
      days < 0 ? `before ${start}; it must not be before it` : `after ${start}; at most ${maxDays} are allowed`;
    findings.name = end;
    reject(findings, 'dateRange', `is ${distance} day${distance === 1 ? '' : 's'} ${words}`);
  };
}

/** `x-wide-effect` of the contract: a bare `?` is no way to say that the narrowing parameter was left out on purpose. */
export function wideEffect(parameter: string): RequestRule {
  return (findings, _, { query }) => {
    if (query === '?') reject(findings, 'emptyQuery', `must be left out altogether, or hold ${parameter}`);
  };
}
