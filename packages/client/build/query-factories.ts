// Query options of TanStack Query, made of the operations.
import { docComment } from './docstrings.ts';
import { listOf, rangeName } from './methods.ts';
import { methodNamesOf, type Operation, ownParameters, parametersTypeOf, seriesOf } from './operation-table.ts';

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
