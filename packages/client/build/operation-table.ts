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

/** The operations that the client works from at run time, one for each method: no descriptions, each parameter rule once. */
export function operationTable(
  specs: readonly OperationSpec[],
  payloads: Readonly<Record<string, Payload>>,
  examples: Readonly<Record<string, string>> = {},
): string {
  const personal = new Set(
    specs.flatMap(({ parameters }) => parameters.filter((one) => one.in === 'path').map(({ schema }) => schema)),
  );
  const rules = new Map<string, string>();
  const entries = specs.flatMap((operation) => {
    const pointer = operationPointer(operation);
    for (const { schema, rule } of operation.parameters) {
      rules.set(schema, ruleOf(rule, `/components/schemas/${schema}`, personal.has(schema), examples[schema]));
    }
    checkOperation(operation, pointer);
    const { dateRange, series, wideEffect, measuredAt } = operation;
    const needs = payloads[operation.operationId]?.needs ?? [];
    const [narrow, wide] = methodNamesOf(operation);
    const own = operation.parameters.filter((one) => one.in !== 'header');
    const common = [`id: '${operation.operationId}'`, `method: '${operation.method}'`, `path: '${operation.path}'`];
    const more = [
      operation.bearer === 'optional' && 'isTokenOptional: true',
      needs.length > 0 && `needs: { ${needs.map(({ name, kind }) => `${name}: '${kind}'`).join(', ')} }`,
      dateRange && `range: { start: '${dateRange.start}', end: '${dateRange.end}', maxDays: ${dateRange.maxDays} }`,
      series &&
        `series: { name: '${series.name}', items: '${series.items}', startTime: '${series.startTime}', duration: '${series.duration}' }`,
      measuredAt && `measuredAt: '${measuredAt}'`,
    ].filter(Boolean);
    const one = (name: string, parameters: readonly string[], extra: readonly string[] = []) =>
      `export const ${name}: Operation = {\n${[
        `name: '${name}'`,
        ...common,
        `parameters: [${parameters.join(', ')}]`,
        ...more,
        ...extra,
      ]
        .map((member) => `  ${member},`)
        .join('\n')}\n};`;
    const parameters = own.map((parameter) => parameterOf(parameter, wideEffect?.parameter));
    if (wideEffect && wide !== undefined) {
      return [
        one(narrow, parameters),
        one(
          wide,
          parameters.filter((_, index) => own[index]?.name !== wideEffect.parameter),
          ['isConfirmed: true'],
        ),
      ];
    }
    return [one(narrow, parameters)];
  });
  return `import type { Operation, Rule } from '../operation.js';

export type OperationId = ${specs.map(({ operationId }) => `'${operationId}'`).join(' | ')};

${[...rules].map(([name, rule]) => `const ${ruleName(name)}: Rule = ${rule};`).join('\n')}

export { ${ruleName(brandHeader)} as brandRule };

/** What names one vehicle, and so a person, anywhere in a text: the values of path parameters. */
export const personal = ${personalPattern(specs)};

${entries.join('\n\n')}

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

function parameterOf({ name, in: place, schema, required }: ParameterSpec, widening: string | undefined): string {
  return `{ name: '${name}', in: '${place}', rule: ${ruleName(schema)}, required: ${required || name === widening} }`;
}

function ruleName(schema: string): string {
  return `${schema[0]?.toLowerCase()}${schema.slice(1)}Rule`;
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

function ruleOf(rule: ParameterRule, pointer: string, isPersonal: boolean, example: string | undefined): string {
  const understood = ['type', 'enum', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'default'];
  for (const keyword of Object.keys(rule)) {
    if (!understood.includes(keyword)) stopBuild(pointer, `"${keyword}" is not understood here`);
  }
  if (rule.format !== undefined && rule.format !== 'basic-date' && rule.format !== 'iana-time-zone') {
    stopBuild(`${pointer}/format`, `"${rule.format}" is not understood here`);
  }
  // The list of zones would be larger than this package; the service and its proxy have it. This keeps the text harmless.
  const pattern = rule.pattern ?? (rule.format === 'iana-time-zone' ? '^[A-Za-z][\\w+/-]*$' : undefined);
  const members = [
    `expected: ${JSON.stringify(expectation(rule))}`,
    // Logs never show anything that looks like a VIN, be it an example.
    example !== undefined && !rule.enum && !isPersonal && `example: ', for example ${example}'`,
    rule.type !== 'string' && `type: '${rule.type}'`,
    rule.minimum !== undefined && `minimum: ${rule.minimum}`,
    rule.maximum !== undefined && `maximum: ${rule.maximum}`,
    rule.enum && `values: ${JSON.stringify(rule.enum)}`,
    pattern !== undefined && `pattern: ${new RegExp(pattern)}`,
    // A pattern with the same lengths says it all; lengths are kept where there is none.
    rule.pattern === undefined && rule.maxLength !== undefined && `maxLength: ${rule.maxLength}`,
    rule.format === 'basic-date' && 'isDay: true',
    isPersonal && 'isPersonal: true',
  ].filter(Boolean);
  return `{ ${members.join(', ')} }`;
}

/** What a value must be, in words, for messages. */
function expectation({ type, minimum, maximum, format, enum: values, pattern }: ParameterRule): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') {
    return ['a whole number', minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`]
      .filter(Boolean)
      .join(' ');
  }
  if (values) return values.join(' or ');
  if (format === 'iana-time-zone') return 'an IANA time zone name';
  const text = pattern === undefined ? 'a text' : describePattern(pattern);
  return format === 'basic-date' ? `a real day, written yyyyMMdd as ${text}` : text;
}

function key(name: string, pointer: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stopBuild(pointer, `the name "${name}" is not an identifier`);
}
