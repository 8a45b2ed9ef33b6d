import type { OperationSpec, ParameterRule, ParameterSpec } from '@vehicle-data/openapi';
import {
  dataOf,
  envelopeOf,
  operationPointer,
  type Place,
  patternWords,
  readSchemas,
  resolve,
  stopBuild,
} from '@vehicle-data/openapi/model';

/** The one header parameter that the client sends by itself, on every call. */
export const brandHeader = 'Brand';

/** The methods of an operation: two where leaving out a parameter widens the effect. */
export const methodNamesOf = ({ operationId, wideEffect }: OperationSpec): readonly [string, string?] =>
  wideEffect ? [wideEffect.narrow, wideEffect.wide] : [operationId];

export const capitalized = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** The name of the interface of a method's parameters. */
export const parametersTypeOf = (method: string) => `${capitalized(method)}Parameters`;

/** The parameters that user code gives. */
export const ownParameters = ({ parameters }: OperationSpec) => parameters.filter((one) => one.in !== 'header');

/** The operations whose responses are lists of trips, with the facts of series and date range. */
export const seriesOf = (specs: readonly Operation[]) =>
  specs.flatMap((operation) => {
    const { series, dateRange } = operation;
    return series && dateRange ? [{ ...operation, ...series, ...dateRange }] : [];
  });
export type SeriesOperation = ReturnType<typeof seriesOf>[number];

/** An operation with the `data` member of its successful response. */
export interface Operation extends OperationSpec {
  /** Component schema of `data`. */
  readonly data: string;
  /** Component schema of the successful response, the envelope around `data`. */
  readonly envelope: string;
  /** Members of `data` that every response must have, with their checks, as source. */
  readonly needs: readonly string[];
}

/** Reads from the contract what the `data` of an operation's 200 response is. */
export function withData(contract: Place, spec: OperationSpec): Operation {
  const schemas = readSchemas(contract);
  const place = dataOf(contract, spec);
  const data = componentName(place) ?? stopBuild(operationPointer(spec), 'data is not a component schema');
  const envelope =
    componentName(envelopeOf(contract, spec)) ??
    stopBuild(operationPointer(spec), 'the schema of the successful response is not a component schema');
  const schema = schemas.get(data);
  if (schema?.kind !== 'object') return place.fail('data must be an object');
  const needs = schema.properties.flatMap(({ name, required, schema: member }) => {
    if (!required) return [];
    const { kind } = resolve(member, schemas);
    if (kind === 'array') return `${name}: Array.isArray`;
    if (kind === 'object') return `${name}: rules.isObject`;
    return place.child('properties').child(name).fail('a required member of data must be an object or a list');
  });
  return { ...spec, data, envelope, needs };
}

const componentName = ({ pointer }: Place) => /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1];

/** The operations that the client works from at run time, one for each method: no descriptions, each parameter once. */
export function operationTable(
  specs: readonly Operation[],
  examples: Readonly<Record<string, string | undefined>> = {},
): string {
  const all = specs.flatMap(({ parameters }) => parameters);
  const personal = new Set(all.filter((one) => one.in === 'path').map(({ schema }) => schema));
  // By their names: parameters of several operations are one object.
  const constants = new Map<string, string>();
  const entryOf = ({ name, schema, in: place, rule }: ParameterSpec, isRequired: boolean) => {
    const words = `${isRequired ? '' : 'optional'}${schema}In${place === 'path' ? 'Path' : 'Query'}`;
    const constant = `${words[0]?.toLowerCase()}${words.slice(1)}`;
    const members = [
      `...${ruleOf(rule, `/components/schemas/${schema}`, personal.has(schema) ? undefined : examples[schema])}`,
      `in: '${place}'`,
      isRequired && 'isRequired: true',
      rule.type !== 'string' && 'isNoText: true',
    ];
    constants.set(constant, `const ${constant}: Parameter = { ${members.filter(Boolean).join(', ')} };`);
    return `${name}: ${constant}`;
  };
  const entries = specs.flatMap((operation) => {
    checkOperation(operation);
    const { operationId, method, path, bearer, dateRange, wideEffect, measuredAt, needs } = operation;
    return methodNamesOf(operation).map((name, index) => {
      const isWide = index > 0;
      const given = ownParameters(operation).filter((one) => !isWide || one.name !== wideEffect?.parameter);
      const members = [
        `name: '${name}'`,
        `id: '${operationId}'`,
        `method: '${method}'`,
        `path: '${path}'`,
        `parameters: { ${given.map((one) => entryOf(one, one.required || one.name === wideEffect?.parameter)).join(', ')} }`,
        bearer === 'optional' && 'isTokenOptional: true',
        needs.length > 0 && `needs: { ${needs.join(', ')} }`,
        dateRange && `range: { start: '${dateRange.start}', end: '${dateRange.end}', maxDays: ${dateRange.maxDays} }`,
        measuredAt && `measuredAt: '${measuredAt}'`,
        isWide && 'isConfirmed: true',
      ];
      return `export const ${name}: Operation = {\n${members
        .filter(Boolean)
        .map((member) => `  ${member},`)
        .join('\n')}\n};`;
    });
  });
  const brand = all.find(({ name }) => name === brandHeader);
  return `import type { Operation, Parameter } from '../checks/parameters.js';
import * as rules from '../checks/rules.js';

/** The rule of the ${brandHeader} header, which every call has. */
export const brandRule: rules.Rule = ${brand ? ruleOf(brand.rule, `/components/schemas/${brand.schema}`) : 'rules.day("")'};

${[...constants.values()].join('\n')}

/** What names one vehicle, and so a person, anywhere in a text: the values of path parameters. */
export const personal = ${personalPattern(specs)};

${entries.join('\n\n')}

/** The operations of every method; of two with one path, the one with the narrow effect comes first. */
export const operations: readonly Operation[] = [${specs.flatMap(methodNamesOf).join(', ')}];
`;
}

/** Names of the operations. */
export const operationIds = (specs: readonly Operation[]): string =>
  `export type OperationId = ${specs.map(({ operationId }) => `'${operationId}'`).join(' | ')};\n`;

function checkOperation(operation: OperationSpec): void {
  const pointer = operationPointer(operation);
  const names = new Set<string>();
  for (const { in: place, name, schema } of operation.parameters) {
    if (place === 'header' && name !== brandHeader)
      stopBuild(pointer, `the header parameter ${name} is not understood`);
    if (names.has(name)) stopBuild(pointer, `two parameters are named ${name}`);
    names.add(key(name, pointer));
    key(schema, `/components/schemas/${schema}`);
  }
  const { dateRange, series, wideEffect } = operation;
  if (wideEffect && wideEffect.confirm !== brandHeader) {
    stopBuild(pointer, `x-wide-effect can be confirmed by ${brandHeader} only`);
  }
  if (series && !dateRange) stopBuild(pointer, 'x-series needs x-date-range');
}

function personalPattern(specs: readonly OperationSpec[]): RegExp {
  const patterns = specs.flatMap((operation) =>
    operation.parameters.flatMap((parameter) => {
      if (parameter.in !== 'path') return [];
      const { pattern } = parameter.rule;
      if (!pattern?.startsWith('^') || !pattern.endsWith('$')) {
        stopBuild(operationPointer(operation), `${parameter.name} needs a pattern from ^ to $, by which logs know it`);
      }
      return pattern.slice(1, -1);
    }),
  );
  return new RegExp(`\\b(?:${[...new Set(patterns)].join('|')})\\b`, 'g');
}

/** The source of the rule of a value: what it must be, in words for messages and as a check. */
function ruleOf(rule: ParameterRule, pointer: string, example?: string): string {
  const understood = ['type', 'enum', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'default'];
  for (const keyword of Object.keys(rule)) {
    if (!understood.includes(keyword)) stopBuild(pointer, `"${keyword}" is not understood here`);
  }
  const { type, minimum = '-Infinity', maximum = 'Infinity', format, enum: values, pattern } = rule;
  if (format !== undefined && format !== 'basic-date' && format !== 'iana-time-zone') {
    stopBuild(`${pointer}/format`, `"${format}" is not understood here`);
  }
  if (type === 'boolean') return 'rules.oneOf(true, false)';
  if (type === 'integer') return `rules.wholeNumber(${minimum}, ${maximum})`;
  if (values) return `rules.oneOf(${values.map((value) => JSON.stringify(value)).join(', ')})`;
  const words = (expected: string) =>
    JSON.stringify(example === undefined ? expected : `${expected}, for example ${example}`);
  const wordsOf = (source: string) => patternWords(source) ?? `a text that matches ${source}`;
  if (format === 'basic-date') return `rules.day(${words(`a real day, written yyyyMMdd as ${wordsOf(`${pattern}`)}`)})`;
  const { minLength = 1, maxLength = 256 } = rule;
  // The list of zones would be larger than this package; the service and its proxy have it. This keeps the text harmless.
  if (format === 'iana-time-zone') {
    return `rules.text(${words('an IANA time zone name')}, ${new RegExp(`^[A-Za-z][\\w+/-]{0,${maxLength - 1}}$`)})`;
  }
  // A pattern says the lengths too.
  if (pattern !== undefined) return `rules.text(${words(wordsOf(pattern))}, ${new RegExp(pattern)})`;
  return `rules.text(${words('a text')}, ${new RegExp(`^[^]{${minLength},${maxLength}}$`)})`;
}

function key(name: string, pointer: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stopBuild(pointer, `the name "${name}" is not an identifier`);
}
