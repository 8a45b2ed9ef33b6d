import type { OperationSpec, ParameterRule } from '@vehicle-data/openapi';
import type { Payload } from './payloads.ts';
import { operationPointer, refuse } from './refuse.ts';

/** The one header parameter that the client sends by itself, on every call. */
export const brandHeader = 'Brand';

/** The compact table that the client works from at run time: no descriptions, each parameter rule once. */
export function operationTable(specs: readonly OperationSpec[], payloads: Readonly<Record<string, Payload>>): string {
  const rules = new Map<string, string>();
  const entries = specs.map((operation) => {
    const pointer = operationPointer(operation);
    const names = new Set<string>();
    const parameters: string[] = [];
    for (const parameter of operation.parameters) {
      rules.set(parameter.schema, ruleOf(parameter.rule, `/components/schemas/${parameter.schema}`));
      if (parameter.in === 'header') {
        if (parameter.name !== brandHeader) refuse(pointer, `the header parameter ${parameter.name} is not understood`);
        continue;
      }
      if (names.has(parameter.name)) refuse(pointer, `two parameters are named ${parameter.name}`);
      names.add(parameter.name);
      parameters.push(
        `${key(parameter.name, pointer)}: ['${parameter.in}', ${ruleName(parameter.schema)}${parameter.required ? '' : ', true'}]`,
      );
    }
    const needs = payloads[operation.operationId]?.needs ?? [];
    const { dateRange: range, series, wideEffect: wide, measuredAt } = operation;
    if (wide && wide.confirm !== brandHeader) refuse(pointer, `x-wide-effect can be confirmed by ${brandHeader} only`);
    if (wide && operation.parameters.find(({ name }) => name === wide.parameter)?.in !== 'query') {
      refuse(pointer, 'the parameter of x-wide-effect must be in the query');
    }
    if (series && !range) refuse(pointer, 'x-series needs x-date-range');
    const members = [
      `id: '${operation.operationId}'`,
      `method: '${operation.method}'`,
      `path: ${JSON.stringify(operation.path)}`,
      `parameters: { ${parameters.join(', ')} }`,
      operation.bearer === 'optional' && 'isOpen: true',
      needs.length > 0 && `needs: ${JSON.stringify(needs)}`,
      range && `range: [${JSON.stringify(range.start)}, ${JSON.stringify(range.end)}, ${range.maxDays}]`,
      series &&
        `series: [${[series.name, series.items, series.startTime].map((text) => JSON.stringify(text)).join(', ')}]`,
      wide && `wide: [${[wide.parameter, wide.narrow, wide.wide].map((text) => JSON.stringify(text)).join(', ')}]`,
      measuredAt && `measuredAt: ${JSON.stringify(measuredAt)}`,
    ].filter(Boolean);
    return `  { ${members.join(', ')} },`;
  });
  return `import type { Operation, Rule } from '../operation.js';

export type OperationId = ${specs.map(({ operationId }) => `'${operationId}'`).join(' | ')};

${[...rules].map(([name, rule]) => `const ${ruleName(name)}: Rule = ${rule};`).join('\n')}

export { ${ruleName(brandHeader)} as brandRule };

/** What names one vehicle, and so a person, anywhere in a text: the values that stand in paths. */
export const personal = ${personalPattern(specs)};

export const operations: readonly Operation[] = [
${entries.join('\n')}
];
`;
}

function ruleName(schema: string): string {
  const name = key(schema, `/components/schemas/${schema}`);
  return `${name[0]?.toLowerCase()}${name.slice(1)}Rule`;
}

function personalPattern(specs: readonly OperationSpec[]): RegExp {
  const patterns = specs.flatMap((operation) =>
    operation.parameters.flatMap((parameter) => {
      if (parameter.in !== 'path') return [];
      const { pattern } = parameter.rule;
      if (!pattern?.startsWith('^') || !pattern.endsWith('$')) {
        refuse(operationPointer(operation), `${parameter.name} needs a pattern from ^ to $, by which logs know it`);
      }
      return pattern.slice(1, -1);
    }),
  );
  return new RegExp(`\\b(?:${[...new Set(patterns)].join('|')})\\b`, 'g');
}

function ruleOf(rule: ParameterRule, pointer: string): string {
  const understood = ['type', 'enum', 'pattern', 'format', 'minLength', 'maxLength', 'default'];
  for (const keyword of Object.keys(rule)) {
    if (!understood.includes(keyword)) refuse(pointer, `"${keyword}" is not understood here`);
  }
  if (rule.format !== undefined && rule.format !== 'basic-date' && rule.format !== 'iana-time-zone') {
    refuse(`${pointer}/format`, `"${rule.format}" is not understood here`);
  }
  // The list of zones would be larger than this package; the service and its proxy hold it. This keeps the text harmless.
  const pattern = rule.pattern ?? (rule.format === 'iana-time-zone' ? '^[A-Za-z][\\w+/-]*$' : undefined);
  const members = [
    rule.enum && `values: ${JSON.stringify(rule.enum)}`,
    pattern !== undefined && `pattern: ${new RegExp(pattern)}`,
    // A pattern with the same lengths says it all; lengths are kept where there is none.
    rule.pattern === undefined && rule.maxLength !== undefined && `maxLength: ${rule.maxLength}`,
    rule.format !== undefined && `format: '${rule.format}'`,
  ].filter(Boolean);
  return `{ ${members.join(', ')} }`;
}

function key(name: string, pointer: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : refuse(pointer, `the name "${name}" is not an identifier`);
}
