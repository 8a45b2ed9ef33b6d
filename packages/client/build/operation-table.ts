import type { OperationSpec, ParameterRule, ParameterSpec } from '@vehicle-data/openapi';
import { operationPointer, stopBuild } from '@vehicle-data/openapi/model';
import { describePattern } from './describe-pattern.ts';
import type { Payload } from './payloads.ts';

/** The one header parameter that the client sends by itself, on every call. */
export const brandHeader = 'Brand';

/** The methods of an operation: two where leaving out a parameter widens the effect. */
export const methodNamesOf = ({ operationId, wideEffect }: OperationSpec): readonly [string, string?] =>
  wideEffect ? [wideEffect.narrow, wideEffect.wide] : [operationId];

/** The name of the interface of a method's parameters. */
export const parametersTypeOf = (method: string) => `${method[0]?.toUpperCase()}${method.slice(1)}Parameters`;

/** The operations that the client works from at run time, one for each method: no descriptions, each parameter once. */
export function operationTable(
  specs: readonly OperationSpec[],
  payloads: Readonly<Record<string, Payload>>,
  examples: Readonly<Record<string, string>> = {},
): string {
  const all = specs.flatMap(({ parameters }) => parameters);
  const personal = new Set(all.filter((one) => one.in === 'path').map(({ schema }) => schema));
  // By their source: parameters of several operations are one object.
  const parameters = new Map<string, string>();
  const entries = specs.flatMap((operation) => {
    const pointer = operationPointer(operation);
    checkOperation(operation, pointer);
    const { dateRange, wideEffect, measuredAt } = operation;
    const needs = payloads[operation.operationId]?.needs ?? [];
    const [narrow, wide] = methodNamesOf(operation);
    const own = operation.parameters.filter((one) => one.in !== 'header');
    const more = [
      operation.bearer === 'optional' && 'isTokenOptional: true',
      needs.length > 0 &&
        `needs: { ${needs.map(({ name, kind }) => `${name}: ${kind === 'list' ? 'Array.isArray' : 'isObject'}`).join(', ')} }`,
      dateRange && `range: { start: '${dateRange.start}', end: '${dateRange.end}', maxDays: ${dateRange.maxDays} }`,
      measuredAt && `measuredAt: '${measuredAt}'`,
    ].filter(Boolean);
    const one = (name: string, given: readonly ParameterSpec[], extra: readonly string[] = []) =>
      `export const ${name}: Operation = {\n${[
        `name: '${name}'`,
        `id: '${operation.operationId}'`,
        `method: '${operation.method}'`,
        `path: '${operation.path}'`,
        `parameters: { ${given.map((parameter) => `${parameter.name}: ${nameOf(parameter)}`).join(', ')} }`,
        ...more,
        ...extra,
      ]
        .map((member) => `  ${member},`)
        .join('\n')}\n};`;
    const nameOf = (parameter: ParameterSpec) => {
      const { schema, rule, name, required } = parameter;
      const isRequired = required || name === wideEffect?.parameter;
      const constant = constantOf(parameter, isRequired);
      const members = [
        `...${ruleOf(rule, `/components/schemas/${schema}`, personal.has(schema) ? undefined : examples[schema])}`,
        `in: '${parameter.in}'`,
        isRequired && 'isRequired: true',
        rule.type !== 'string' && 'isNoText: true',
      ].filter(Boolean);
      parameters.set(constant, `const ${constant}: Parameter = { ${members.join(', ')} };`);
      return constant;
    };
    if (!wideEffect || wide === undefined) return [one(narrow, own)];
    const others = own.filter(({ name }) => name !== wideEffect.parameter);
    return [one(narrow, own), one(wide, others, ['isConfirmed: true'])];
  });
  const brand = all.find(({ name }) => name === brandHeader);
  const brandRule = brand ? ruleOf(brand.rule, `/components/schemas/${brand.schema}`) : 'day("")';
  const source = `/** The rule of the ${brandHeader} header, which every call has. */
export const brandRule: Rule = ${brandRule};

${[...parameters.values()].join('\n')}

/** What names one vehicle, and so a person, anywhere in a text: the values of path parameters. */
export const personal = ${personalPattern(specs)};

${entries.join('\n\n')}`;
  const used = ['day', 'isObject', 'oneOf', 'text', 'wholeNumber'].filter((name) =>
    new RegExp(`\\b${name}\\b[(, ]`).test(source),
  );
  return `import type { Operation, Parameter } from '../operation.js';
import { ${[...used.filter((name) => name < 'type'), 'type Rule', ...used.filter((name) => name > 'type')].join(', ')} } from '../rules.js';

export type OperationId = ${specs.map(({ operationId }) => `'${operationId}'`).join(' | ')};

${source}

/** The operations that \`client.raw\` reaches by method and path: of a method that widens an effect, only the narrow form. */
export const operations: readonly Operation[] = [${specs.map((operation) => methodNamesOf(operation)[0]).join(', ')}];
`;
}

function checkOperation(operation: OperationSpec, pointer: string): void {
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
  if (wideEffect && operation.parameters.find(({ name }) => name === wideEffect.parameter)?.in !== 'query') {
    stopBuild(pointer, 'the parameter of x-wide-effect must be in the query');
  }
  if (series && !dateRange) stopBuild(pointer, 'x-series needs x-date-range');
}

/** The name of the constant of a parameter: `vinInPath`, `optionalZoneIdInQuery`. */
function constantOf({ schema, in: place }: ParameterSpec, isRequired: boolean): string {
  const name = `${isRequired ? '' : 'optional'}${schema}In${place === 'path' ? 'Path' : 'Query'}`;
  return `${name[0]?.toLowerCase()}${name.slice(1)}`;
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
  if (type === 'boolean') return 'oneOf(true, false)';
  if (type === 'integer') return `wholeNumber(${minimum}, ${maximum})`;
  if (values) return `oneOf(${values.map((value) => JSON.stringify(value)).join(', ')})`;
  const words = (expected: string) =>
    JSON.stringify(example === undefined ? expected : `${expected}, for example ${example}`);
  if (format === 'basic-date')
    return `day(${words(`a real day, written yyyyMMdd as ${describePattern(`${pattern}`)}`)})`;
  const { minLength = 1, maxLength = 256 } = rule;
  // The list of zones would be larger than this package; the service and its proxy have it. This keeps the text harmless.
  if (format === 'iana-time-zone') {
    return `text(${words('an IANA time zone name')}, ${new RegExp(`^[A-Za-z][\\w+/-]{0,${maxLength - 1}}$`)})`;
  }
  // A pattern says the lengths too.
  if (pattern !== undefined) return `text(${words(describePattern(pattern))}, ${new RegExp(pattern)})`;
  return `text(${words('a text')}, ${new RegExp(`^[^]{${minLength},${maxLength}}$`)})`;
}

function key(name: string, pointer: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stopBuild(pointer, `the name "${name}" is not an identifier`);
}
