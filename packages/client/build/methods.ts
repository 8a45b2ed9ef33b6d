import type { ErrorEntry, OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { operationPointer, stopBuild } from '@vehicle-data/openapi/model';
import { describe, docComment, throwsOf, withoutWideEffect } from './docstrings.ts';
import {
  brandHeader,
  capitalized,
  methodNamesOf,
  type Operation,
  ownParameters,
  parametersTypeOf,
  type SeriesOperation,
  seriesOf,
} from './operation-table.ts';

/** The methods of the client as types: those of the operations, and the trip iterators. What starts them is apart. */
export function methodTypes(specs: readonly Operation[], catalogue: readonly ErrorEntry[]): string {
  const types = specs.flatMap(({ parameters, data, envelope, series }) => [
    ...parameters.map(({ schema }) => schema),
    data,
    envelope,
    series?.itemSchema,
  ]);
  return `import type { CallOptions } from '../options.js';
import type { AgedResponse, ApiCall, ApiResponse } from '../responses.js';
import type { TripIterator, TripIteratorOptions, TripRange } from '../trips/trip-iterator.js';
import type { ${listOf([...types, 'Brand'])} } from './schemas.js';

${[...specs.flatMap(parametersOf), ...seriesOf(specs).map(rangeOf)].join('\n\n')}

/** The methods of a client, one for each operation of the contract. */
export interface OperationMethods<BrandName extends string = Brand> {
${specs.flatMap((operation) => methodsOf(operation, catalogue)).join('\n\n')}
}

/** The envelopes of success, by method and path template. */
export interface Envelopes {
${methodsByPath(specs).join('\n')}
}

/** The iterators of \`client.trips\` over any range of days, one for each series of the contract. */
export interface TripMethods<BrandName extends string = Brand> {
${seriesOf(specs).map(tripMethod).join('\n\n')}
}
`;
}

function methodsByPath(specs: readonly Operation[]): readonly string[] {
  const methods = [...new Set(specs.map(({ method }) => method))];
  return methods.map((method) => {
    const members = specs
      .filter((operation) => operation.method === method)
      .map(({ path, envelope }) => `    '${path}': ${envelope};`);
    return `  ${method}: {\n${members.join('\n')}\n  };`;
  });
}

/** What starts the methods, from the operations of the run time. */
export function methodStarts(specs: readonly Operation[]): string {
  const methods = specs.flatMap((operation) =>
    methodNamesOf(operation).map((name) => {
      const { data, measuredAt } = operation;
      const types = measuredAt ? `${data}, AgedResponse<${data}>` : data;
      const isBare = ownParameters(operation).length === 0;
      const [args, passed] = isBare ? ['...args', '{}, ...args'] : ['given, options', 'given, options'];
      return `  ${name}: (${args}) => startCall<${types}>(settings, ${name}, ${passed}),`;
    }),
  );
  const trips = seriesOf(specs).map(
    ({ name, itemSchema }) =>
      `  ${name}: (range, options) => startTrips<${itemSchema}>(settings, '${name}', range, options),`,
  );
  const data = specs.map((operation) => operation.data);
  const items = seriesOf(specs).map(({ itemSchema }) => itemSchema);
  const responses = specs.some(({ measuredAt }) => measuredAt)
    ? "import type { AgedResponse } from '../responses.js';\n"
    : '';
  return `import type { Settings } from '../call/call.js';
import { startCall } from '../call/start-call.js';
${responses}import { startTrips } from '../trips/start-trips.js';
import type { OperationMethods, TripMethods } from './methods.js';
import { ${listOf(specs.flatMap(methodNamesOf))} } from './operations.js';
import type { ${listOf([...data, ...items])} } from './schemas.js';

export const operationMethods = <BrandName extends string>(settings: Settings): OperationMethods<BrandName> => ({
${methods.join('\n')}
});

export const tripMethods = <BrandName extends string>(settings: Settings): TripMethods<BrandName> => ({
${trips.join('\n')}
});
`;
}

/** The names of an import list. */
export const listOf = (names: readonly (string | undefined)[]) =>
  [...new Set(names.filter((name) => name !== undefined))].toSorted().join(', ');

function parametersOf(operation: OperationSpec): readonly string[] {
  const own = ownParameters(operation);
  if (own.length === 0) return [];
  const widening = operation.wideEffect?.parameter;
  const members = own.map((parameter) => memberOf(parameter, operation, parameter.name === widening));
  const [name] = methodNamesOf(operation);
  return [`/** Parameters of \`${name}\`. */\nexport interface ${parametersTypeOf(name)} {\n${members.join('\n')}\n}`];
}

function methodsOf(operation: Operation, catalogue: readonly ErrorEntry[]): readonly string[] {
  const { operationId, summary, description, method, path, bearer, wideEffect, measuredAt, data } = operation;
  const full = `${measuredAt ? 'AgedResponse' : 'ApiResponse'}<${data}>`;
  const source = (name: string, docs: readonly string[], tags: readonly string[], given: string) => {
    const facts = [
      bearer === 'required' ? 'Needs an access token.' : 'The access token is optional on this call.',
      `\`${method} ${path}\`, operation \`${operationId}\`.`,
    ];
    const more = [...throwsOf(operation, catalogue), ...(operation.deprecated ? ['@deprecated'] : [])];
    return `${docComment(2, [...docs, ...facts, ...tags, ...more])}
  readonly ${name}: (${given}) => ApiCall<${data}, ${full}>;`;
  };
  const own = ownParameters(operation);
  const mark = !wideEffect && own.every(({ required }) => !required) ? '?' : '';
  const [narrow, wide] = methodNamesOf(operation);
  const methods = [
    source(
      narrow,
      wideEffect
        ? [`${summary} for one vehicle.`, withoutWideEffect(description, wideEffect.parameter)]
        : [`${summary}.`, description],
      own.map((parameter) => `@param parameters.${parameter.name} ${describe(parameter, operation)}`),
      // Without parameters the options come first; what else untyped code passes is rejected by name.
      own.length
        ? `parameters${mark}: ${parametersTypeOf(narrow)}, options?: CallOptions<BrandName>`
        : 'options?: CallOptions<BrandName>',
    ),
  ];
  if (wide === undefined) return methods;
  const tag = `@param confirmation.${confirmName} The brand in effect, repeated as confirmation. Another brand is rejected before any request.`;
  const docs = [`${summary} for everything that the ${brandHeader} header names.`, description];
  const given = `confirmation: { ${confirmName}: BrandName }, options?: CallOptions<BrandName>`;
  return [...methods, source(wide, docs, [tag], given)];
}

function rangeOf(operation: SeriesOperation): string {
  const { start, end } = operation;
  const others = ownParameters(operation).filter(({ name }) => name !== start && name !== end);
  if (others.some(({ name }) => name === 'from' || name === 'to')) {
    stopBuild(operationPointer(operation), 'a series cannot have a parameter named from or to');
  }
  const members = others.map((parameter) => memberOf(parameter, operation));
  return `/** Vehicle and days of \`trips.${operation.name}\`. */
export interface ${rangeName(operation)} extends TripRange {
${members.join('\n')}
}`;
}

function tripMethod(operation: SeriesOperation): string {
  const { name, summary, operationId, itemSchema, signals, start, end, maxDays } = operation;
  const units = Object.entries(signals).map(([path, signal]) =>
    signal.kind === 'number'
      ? `- \`${path}\`: ${signal.unit}${signal.minimum === null ? '' : `, ${signal.minimum} to ${signal.maximum}`}`
      : `- \`${path}\`: ${signal.values.join(', ')}`,
  );
  return `${docComment(2, [
    `${summary} of any length: an iterator over every trip from \`from\` to \`to\`, both days included.`,
    `The range is requested in windows of at most ${maxDays + 1} calendar days (${end} at most ${maxDays} days after ${start}). Trips come in order of their start time, each once. A window without data is empty.`,
    `Signals, each a list of samples of the trip:\n${units.join('\n')}`,
    `Calls \`${operationId}\` and throws the same errors.`,
  ])}
  readonly ${name}: (range: ${rangeName(operation)}, options?: TripIteratorOptions<BrandName>) => TripIterator<${itemSchema}>;`;
}

/** A parameter as a member of an interface, with the type that the contract gives it. */
function memberOf(parameter: ParameterSpec, operation: OperationSpec, isNeeded = parameter.required): string {
  const { name, schema, required } = parameter;
  const type = required || isNeeded ? `: ${schema}` : `?: ${schema} | undefined`;
  const words = [describe(parameter, operation), ...(parameter.deprecated ? ['@deprecated'] : [])];
  return `${docComment(2, words)}\n  ${name}${type};`;
}

const confirmName = brandHeader[0]?.toLowerCase() + brandHeader.slice(1);
/** The interface of the ranges of a series. */
export const rangeName = ({ name }: SeriesOperation) => `${capitalized(name)}TripRange`;
