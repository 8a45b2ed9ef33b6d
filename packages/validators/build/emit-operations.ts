import type { OperationSpec } from '@vehicle-data/openapi';
import { resolve, type Schema } from './schema-model.ts';

/** The option name that replaces the values of an enumeration component, `brands` for `Brand`. */
function overrideName(component: string): string {
  return `${component.charAt(0).toLowerCase()}${component.slice(1)}s`;
}

/** The rules about whole requests, and the files of `src/` that hold them. */
const ruleModules = { dateRange: 'date-range', wideEffect: 'wide-effect' } as const;

interface RuleCall {
  readonly name: keyof typeof ruleModules;
  readonly values: readonly (string | number)[];
}

function requestRules({ dateRange, wideEffect }: OperationSpec): readonly RuleCall[] {
  return [
    ...(dateRange ? [{ name: 'dateRange', values: [dateRange.start, dateRange.end, dateRange.maxDays] } as const] : []),
    ...(wideEffect ? [{ name: 'wideEffect', values: [wideEffect.parameter] } as const] : []),
  ];
}

/** Writes one request validator and one validator of the successful answer per operation, and the tables over all of them. */
export function emitOperations(operations: readonly OperationSpec[], schemas: ReadonlyMap<string, Schema>): string {
  const isOverridden = (component: string) => resolve({ kind: 'ref', name: component }, schemas).kind === 'enum';
  const checks = new Set<string>();
  const answers = new Set<string>();
  const used = new Set<RuleCall['name']>();
  const models = new Map<string, string[]>();
  for (const operation of operations) {
    const places = (['header', 'path', 'query'] as const).map((place) => {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      const entries = parameters.map((parameter) => {
        checks.add(parameter.schema);
        const fields = [
          `name: ${JSON.stringify(parameter.name)}, check: check${parameter.schema}`,
          ...(parameter.required ? ['required: true'] : []),
          ...(parameter.rule.default === undefined ? [] : [`default: ${JSON.stringify(parameter.rule.default)}`]),
          ...(isOverridden(parameter.schema) ? [`override: '${overrideName(parameter.schema)}'`] : []),
          ...(parameter.name === operation.wideEffect?.parameter ? ['narrows: true'] : []),
        ];
        return `      { ${fields.join(', ')} },\n`;
      });
      return `    ${place}: [${entries.length > 0 ? `\n${entries.join('')}    ` : ''}],\n`;
    });
    const rules = requestRules(operation);
    for (const { name } of rules) used.add(name);
    const calls = rules.map(
      ({ name, values }) => `${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`,
    );
    const model = `${places.join('')}    rules: [${calls.join(', ')}],\n`;
    models.set(model, [...(models.get(model) ?? []), operation.operationId]);
  }
  const functions = [...models].map(
    ([model, ids], index) =>
      `/** What the contract says about the requests of ${ids.map((id) => `\`${id}\``).join(', ')}. */\nfunction model${index}(): RequestModel {\n  return {\n${model}  };\n}`,
  );
  const validators = operations.map((operation) => {
    const id = operation.operationId;
    const answer = successOf(operation);
    answers.add(answer);
    const index = [...models.values()].findIndex((ids) => ids.includes(id));
    return [
      `/** Checks the request of \`${operation.method} ${operation.path}\`. */`,
      `export const ${id}Request: RequestValidator<RequestOf<'${id}'>, RequestOptions> = /*#__PURE__*/ createRequestValidator(model${index});`,
      `/** Checks the body of the successful answer of \`${operation.method} ${operation.path}\`. */`,
      `export const ${id}Response: Validator<ResponseOf<'${id}', 200>> = ${answer};`,
    ].join('\n');
  });
  return [
    `import { ${[...checks].map((name) => `check${name}`).join(', ')} } from './checks.js';`,
    `import { ${[...answers].join(', ')} } from './schemas.js';`,
    `import type { RequestOf, RequestOptions, ResponseOf } from './operation-types.js';`,
    `import { createRequestValidator, type RequestModel, type RequestValidator } from '../request-validator.js';`,
    `import type { Validator } from '../validator.js';`,
    ...[...used].map((name) => `import { ${name} } from '../${ruleModules[name]}.js';`),
    '',
    ...functions,
    ...validators,
  ].join('\n');
}

/** An object without inherited members can be asked for any name. */
const noPrototype = '__proto__: null as never';

/** Writes the tables that find a validator by operationId and status. */
export function emitOperationTables(operations: readonly OperationSpec[]): string {
  const models = [...new Set(operations.flatMap(({ responses }) => Object.values(responses)))];
  const requests = operations.map(({ operationId }) => `  ${operationId}: ${operationId}Request,`);
  const responses = operations.map(
    ({ operationId, responses }) =>
      `    ${operationId}: { ${noPrototype}, ${Object.entries(responses)
        .map(([status, model]) => `${status}: check${model}`)
        .join(', ')} },`,
  );
  return [
    `import { ${models.map((name) => `check${name}`).join(', ')} } from './checks.js';`,
    `import { ${operations.map(({ operationId }) => `${operationId}Request`).join(', ')} } from './operations.js';`,
    `import type { Check } from '../findings.js';`,
    '',
    'export const requestValidators = {',
    ...requests,
    '};',
    '',
    'export function makeResponseChecks(): Readonly<Record<string, Readonly<Record<string, Check>>>> {',
    `  return {\n    ${noPrototype},`,
    ...responses,
    '  };\n}',
  ].join('\n');
}

/** Writes the types of requests and answers by operationId. */
export function emitOperationTypes(operations: readonly OperationSpec[], schemas: ReadonlyMap<string, Schema>): string {
  const used = new Set<string>();
  const overridden = new Set<string>();
  const requests = operations.map(({ operationId, parameters }) => {
    const members = (['path', 'query', 'header'] as const).map((where) => {
      const fields = parameters
        .filter((parameter) => parameter.in === where)
        .map((parameter) => {
          used.add(parameter.schema);
          if (resolve({ kind: 'ref', name: parameter.schema }, schemas).kind === 'enum')
            overridden.add(parameter.schema);
          const always = parameter.required || parameter.rule.default !== undefined;
          return `readonly ${JSON.stringify(parameter.name)}${always ? '' : '?'}: ${parameter.schema};`;
        });
      return `readonly ${where === 'header' ? 'headers' : where}: { ${fields.join(' ')} };`;
    });
    return `  readonly ${operationId}: { ${members.join(' ')} };`;
  });
  const answers = operations.map(({ operationId, responses }) => {
    const statuses = Object.entries(responses).map(([status, model]) => {
      used.add(model);
      return `readonly ${status}: ${model};`;
    });
    return `  readonly ${operationId}: { ${statuses.join(' ')} };`;
  });
  const options = [...overridden].flatMap((name) => [
    `  /** The values of \`${name}\` that are accepted in place of those of the contract. */`,
    `  readonly ${overrideName(name)}?: readonly string[] | undefined;`,
  ]);
  return [
    `import type { ValidationOptions } from '../validation-result.js';`,
    `import type { ${[...used].join(', ')} } from './schemas.js';`,
    '',
    '/** The parameters of every operation after validation, by operationId. */',
    `interface Requests {\n${requests.join('\n')}\n}`,
    '/** The bodies of every operation, by operationId and HTTP status. */',
    `interface Responses {\n${answers.join('\n')}\n}`,
    '/** The operations of the contract. */',
    'export type OperationId = keyof Requests;',
    '/** The checked parameters of an operation, defaults filled in. */',
    'export type RequestOf<Id extends OperationId> = Requests[Id];',
    '/** The body of an answer of an operation; unknown for a status that the contract does not list. */',
    'export type ResponseOf<Id extends OperationId, Status extends number> = Status extends keyof Responses[Id] ? Responses[Id][Status] : unknown;',
    '/** What a request validation collects, and which values of the deployment replace those of the contract. */',
    `export interface RequestOptions extends ValidationOptions {\n${options.join('\n')}\n}`,
  ].join('\n');
}

/** The component schema of the successful answer. */
function successOf(operation: OperationSpec): string {
  const model = operation.responses['200'];
  if (model === undefined) throw new Error(`the operation ${operation.operationId} has no answer of status 200`);
  return model;
}

/** The exported names that an operation brings. */
export function operationExports({ operationId }: OperationSpec): readonly string[] {
  return [`${operationId}Request`, `${operationId}Response`];
}
