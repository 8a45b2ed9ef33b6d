import type { ErrorEntry, OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { operationPointer, stopBuild } from '@vehicle-data/openapi/model';
import { errorClass } from '../src/errors.ts';
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
    `Made of \`${operationId}\`; throws what it throws.`,
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
const rangeName = ({ name }: SeriesOperation) => `${capitalized(name)}TripRange`;

function describe({ description, rule, name }: ParameterSpec, { wideEffect }: OperationSpec): string {
  const facts = [
    name === wideEffect?.parameter ? withoutWideEffect(description, name) : description,
    rule.pattern !== undefined && `Pattern \`${rule.pattern}\`.`,
    rule.enum && `One of ${rule.enum.join(', ')}.`,
    rule.default !== undefined && !description.includes(String(rule.default)) && `Default ${rule.default}.`,
  ].filter(Boolean);
  return facts.join(' ');
}

/** A description for the method that always sends the parameter: without the sentences about its absence. */
function withoutWideEffect(description: string, parameter: string): string {
  const isAboutAbsence = new RegExp(`without (it|\`${parameter}\`)|absent|none at all`, 'i');
  const sentences = description.split(/(?<=\.\**) +(?=\S)/);
  return sentences.filter((sentence) => !isAboutAbsence.test(sentence)).join(' ');
}

/** One `@throws` for each class that a code of the catalogue can become on this operation. */
function throwsOf({ operationId }: OperationSpec, catalogue: readonly ErrorEntry[]): readonly string[] {
  const stated = catalogue.filter(({ origin, operations }) => origin !== 'proxy' && operations.includes(operationId));
  const byClass = new Map<string, string[]>();
  for (const { code, message, resolution, status } of stated) {
    const { name } = errorClass(resolution, status);
    byClass.set(name, [...(byClass.get(name) ?? []), `${code} ${message}`]);
  }
  return [
    '@throws {ArgumentError} before any request, when an argument breaks a rule of the contract.',
    ...[...byClass].map(([name, codes]) => `@throws {${name}} ${codes.join('; ')}.`),
    '@throws {ConnectionError | TimeoutError | AbortedError | MalformedResponseError} when no response of the service arrives.',
  ];
}

/** Query options for each operation that reads and each series, and mutations, in the shape of TanStack Query. */
export function queryFactories(specs: readonly Operation[]): string {
  const reading = specs.filter(({ method }) => method === 'GET');
  const types: string[] = [];
  const members = reading.map((operation) => {
    const [name] = methodNamesOf(operation);
    const type = ownParameters(operation).length ? parametersTypeOf(name) : undefined;
    if (type) types.push(type);
    const key = `[...scope, '${name}'${type ? ', keyOf(parameters)' : ''}]`;
    const read = `(signal) => client.${name}(${type ? 'parameters, ' : ''}{ signal })`;
    return `${docComment(4, [`${operation.summary}: key and function for \`useQuery\`.`])}
    ${name}: (${type ? `parameters: ${type}` : ''}) =>
      queryOptions<${operation.data}>(${key}, ${read}),`;
  });
  const ranges = seriesOf(specs).map((operation) => {
    const { name, summary, itemSchema } = operation;
    types.push(rangeName(operation));
    const read = `(signal) => client.trips.${name}(range, { signal }).toArray({ limit })`;
    return `${docComment(4, [`${summary} of any range of days, at most \`limit\` trips: key and function for \`useQuery\`.`])}
    ${name}Trips: (range: ${rangeName(operation)}, { limit }: RangeQueryOptions) =>
      queryOptions<${itemSchema}[]>([...scope, '${name}Trips', keyOf(range), limit], ${read}),`;
  });
  // Only the narrow form of a method that widens an effect: a button must not reach every vehicle by a slip.
  const writing = specs.filter(({ method }) => method !== 'GET');
  const mutations = writing.map((operation) => {
    const [name] = methodNamesOf(operation);
    types.push(parametersTypeOf(name));
    return `${docComment(4, [`${operation.summary}: key and function for \`useMutation\`.`])}
    ${name}: (): MutationOptions<${parametersTypeOf(name)}, ${operation.data}> => ({
      mutationKey: [...scope, '${name}'],
      mutationFn: (parameters) => client.${name}(parameters),
      retry: false,
    }),`;
  });
  const names = (operations: readonly Operation[]) =>
    operations.map((operation) => `'${methodNamesOf(operation)[0]}'`).join(' | ');
  const data = [...specs.map((operation) => operation.data), ...seriesOf(specs).map(({ itemSchema }) => itemSchema)];
  return `import type { VehicleDataClient } from '../create-client.js';
import { keyOf, type MutationOptions, queryOptions, type RangeQueryOptions } from '../query/query-options.js';
import type { ${listOf(types)} } from './methods.js';
import type { ${listOf(data)} } from './schemas.js';

/**
 * Query options of TanStack Query for each operation that reads, and for ranges of days. \`scope\` starts every key: give each
 * user and brand its own, so that none sees the cached data of another. Keys have a hash in place of a VIN.
 *
 * @example
 * const queries = vehicleQueries(client, ['vehicle-data', user.id, 'brand_a']);
 * const { data } = useQuery(queries.getLocation({ vin }));
 */
export function vehicleQueries(
  client: Pick<VehicleDataClient<never>, ${names(reading)}> & {
    readonly trips: Pick<VehicleDataClient<never>['trips'], ${seriesOf(specs)
      .map(({ name }) => `'${name}'`)
      .join(' | ')}>;
  },
  scope: readonly unknown[] = ['vehicle-data'],
) {
  return {
${[...members, ...ranges].join('\n')}
  };
}

/**
 * Mutation options of TanStack Query for what ends data sharing of one vehicle.
 *
 * @example
 * const { mutate } = useMutation(vehicleMutations(client).stopSharing());
 */
export function vehicleMutations(
  client: Pick<VehicleDataClient<never>, ${names(writing)}>,
  scope: readonly unknown[] = ['vehicle-data'],
) {
  return {
${mutations.join('\n')}
  };
}
`;
}

/** A documentation comment of paragraphs; paragraphs that start with `@` follow each other without a blank line. */
export function docComment(indent: number, paragraphs: readonly string[]): string {
  const space = ' '.repeat(indent);
  const lines = paragraphs.flatMap((paragraph, index) => {
    const isTag = paragraph.startsWith('@') && paragraphs[index - 1]?.startsWith('@');
    return [...(index === 0 || isTag ? [] : ['']), ...paragraph.replaceAll('*/', '*\\/').split('\n')];
  });
  const [first] = lines;
  if (lines.length === 1) return `${space}/** ${first} */`;
  return `${space}/**\n${lines.map((line) => `${space} *${line && ` ${line}`}`).join('\n')}\n${space} */`;
}
