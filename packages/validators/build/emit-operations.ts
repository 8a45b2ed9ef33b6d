import type { OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { resolve, type Schema } from '@vehicle-data/openapi/model';
import { ruleName } from './emit-rules.ts';

type Operations = readonly OperationSpec[];

/** The option that replaces the values of an enumeration component, `brands` for `Brand`; undefined for other components. */
function overrideOf(schemas: ReadonlyMap<string, Schema>, component: string): string | undefined {
  if (resolve({ kind: 'ref', name: component }, schemas).kind !== 'enum') return undefined;
  return `${component.charAt(0).toLowerCase()}${component.slice(1)}s`;
}

/** The component schema of the successful response, which every operation has. */
const successOf = ({ responses }: OperationSpec) => responses['200'] ?? '';

/** Writes one request validator and one validator of the successful response for each operation. */
export function emitOperations(operations: Operations, schemas: ReadonlyMap<string, Schema>): string {
  const emitParameter = (operation: OperationSpec, parameter: ParameterSpec) => {
    const override = overrideOf(schemas, parameter.schema);
    const { type, default: fallback } = parameter.rule;
    const fields = [
      `name: ${JSON.stringify(parameter.name)}, rule: ${ruleName(parameter.schema)}`,
      parameter.required && 'required: true',
      type !== 'string' && `type: '${type}'`,
      fallback !== undefined && `default: ${JSON.stringify(fallback)}`,
      override !== undefined && `override: '${override}'`,
      parameter.name === operation.wideEffect?.parameter && 'narrows: true',
    ];
    return `{ ${fields.filter(Boolean).join(', ')} }`;
  };
  const validators = operations.map((operation) => {
    const { operationId: id, method, path, dateRange, wideEffect } = operation;
    const places = (['header', 'path', 'query'] as const).map((place) => {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      return `  ${place}: [${parameters.map((parameter) => emitParameter(operation, parameter)).join(', ')}],`;
    });
    const requestRules = [
      dateRange && `/*#__PURE__*/ requests.dateRange('${dateRange.start}', '${dateRange.end}', ${dateRange.maxDays})`,
      wideEffect && `/*#__PURE__*/ requests.wideEffect('${wideEffect.parameter}')`,
    ];
    return [
      `/** Checks the request of \`${method} ${path}\`. */`,
      `export const ${id}Request: requests.RequestValidator<RequestOf<'${id}'>, RequestOptions> = /*#__PURE__*/ requests.createRequestValidator({`,
      ...places,
      `  rules: [${requestRules.filter(Boolean).join(', ')}],`,
      '});',
      `/** Checks the body of the successful response of \`${method} ${path}\`. */`,
      `export const ${id}Response: Validator<ResponseOf<'${id}', 200>> = ${successOf(operation)};`,
    ].join('\n');
  });
  const used = new Set(operations.flatMap(({ parameters }) => parameters.map(({ schema }) => ruleName(schema))));
  return [
    `import { ${[...used].join(', ')} } from './rules.js';`,
    `import { ${[...new Set(operations.map(successOf))].join(', ')} } from './schemas.js';`,
    `import type { RequestOf, RequestOptions, ResponseOf } from './operation-types.js';`,
    `import * as requests from '../request-validator.js';`,
    `import type { Validator } from '../validator.js';`,
    ...validators,
  ].join('\n');
}

/** An object without inherited members can be asked for any name. */
const noPrototype = '__proto__: null as never';

/** Writes the table of request validators. */
export function emitRequestTable(operations: Operations): string {
  const entries = operations.map(({ operationId }) => `${operationId}: all.${operationId}Request`);
  return `import * as all from './operations.js';\nexport const requestValidators = { ${entries.join(', ')} };`;
}

/** Writes the table of the rules of response bodies, by operationId and status. */
export function emitResponseTable(operations: Operations): string {
  const models = new Set(operations.flatMap(({ responses }) => Object.values(responses)));
  const entries = operations.map(({ operationId, responses }) => {
    const rules = Object.entries(responses).map(([status, model]) => `${status}: ${ruleName(model)}`);
    return `  ${operationId}: { ${noPrototype}, ${rules.join(', ')} },`;
  });
  return [
    `import { ${[...models].map(ruleName).join(', ')} } from './rules.js';`,
    `import type { ValueRule } from '../value-rules.js';`,
    'export const responseRules: Readonly<Record<string, Readonly<Record<string, ValueRule>>>> = {',
    `  ${noPrototype},`,
    ...entries,
    '};',
  ].join('\n');
}

/** Writes the types of requests and responses by operationId. */
export function emitOperationTypes(operations: Operations, schemas: ReadonlyMap<string, Schema>): string {
  const parameterType = ({ name, required, rule, schema }: ParameterSpec) =>
    `readonly ${JSON.stringify(name)}${required || rule.default !== undefined ? '' : '?'}: ${schema};`;
  const requests = operations.map(({ operationId, parameters }) => {
    const members = (['path', 'query', 'header'] as const).map((where) => {
      const types = parameters.filter((parameter) => parameter.in === where).map(parameterType);
      return `readonly ${where === 'header' ? 'headers' : where}: { ${types.join(' ')} };`;
    });
    return `  readonly ${operationId}: { ${members.join(' ')} };`;
  });
  const responses = operations.map((operation) => {
    const statuses = Object.entries(operation.responses).map(([status, model]) => `readonly ${status}: ${model};`);
    return `  readonly ${operation.operationId}: { ${statuses.join(' ')} };`;
  });
  const ofParameters = operations.flatMap(({ parameters }) => parameters.map(({ schema }) => schema));
  const used = new Set([...ofParameters, ...operations.flatMap(({ responses }) => Object.values(responses))]);
  const options = [...used].flatMap((name) => {
    const override = overrideOf(schemas, name);
    if (override === undefined) return [];
    return [
      `  /** The values of \`${name}\` that are accepted in place of those of the contract. */`,
      `  readonly ${override}?: readonly string[] | undefined;`,
    ];
  });
  return [
    `import type { ValidationOptions } from '../validation-result.js';`,
    `import type { ${[...used].join(', ')} } from './schemas.js';`,
    '',
    '/** The parameters of every operation after validation, by operationId. */',
    `interface Requests {\n${requests.join('\n')}\n}`,
    '/** The bodies of every operation, by operationId and HTTP status. */',
    `interface Responses {\n${responses.join('\n')}\n}`,
    '/** The operations of the contract. */',
    'export type OperationId = keyof Requests;',
    '/** The checked parameters of an operation, defaults filled in. */',
    'export type RequestOf<Id extends OperationId> = Requests[Id];',
    '/** The body of a response of an operation; unknown for a status that the contract does not list. */',
    'export type ResponseOf<Id extends OperationId, Status extends number> = Status extends keyof Responses[Id] ? Responses[Id][Status] : unknown;',
    '/** What a request validation collects, and which values of the deployment replace those of the contract. */',
    `export interface RequestOptions extends ValidationOptions {\n${options.join('\n')}\n}`,
  ].join('\n');
}
