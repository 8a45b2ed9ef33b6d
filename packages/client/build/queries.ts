import type { OperationSpec } from '@vehicle-data/openapi';
import { docComment } from './doc-comment.ts';
import { methodNamesOf, parametersTypeOf } from './operation-table.ts';
import type { Payload } from './payloads.ts';

/** Query options for each operation that reads, in the shape of TanStack Query. */
export function queryFactories(specs: readonly OperationSpec[], payloads: Readonly<Record<string, Payload>>): string {
  const reading = specs.filter(({ method }) => method === 'GET');
  const types: string[] = [];
  const members = reading.map((operation) => {
    const [name] = methodNamesOf(operation);
    const data = payloads[operation.operationId]?.schema ?? '';
    const comment = docComment(4, [`${operation.summary}: key and function for \`useQuery\`.`]);
    if (operation.parameters.every((one) => one.in === 'header')) {
      return `${comment}\n    ${name}: () => queryOptions<${data}>([...scope, '${name}'], (signal) => client.${name}({ signal })),`;
    }
    const type = parametersTypeOf(name);
    types.push(type);
    return `${comment}\n    ${name}: (parameters: ${type}) =>\n      queryOptions<${data}>([...scope, '${name}', parameters], (signal) => client.${name}(parameters, { signal })),`;
  });
  const schemas = reading.map(({ operationId }) => payloads[operationId]?.schema ?? '');
  return `import type { VehicleDataClient } from '../create-client.js';
import { queryOptions } from '../query/query-options.js';
import type { ${types.toSorted().join(', ')} } from './methods.js';
import type { ${[...new Set(schemas)].toSorted().join(', ')} } from './schemas.js';

/**
 * Query options of TanStack Query for each operation that reads. \`scope\` starts every key: give each user and brand its
 * own, so that none sees the cached data of another.
 *
 * @example
 * const queries = vehicleQueries(client, ['vehicle-data', user.id, 'brand_a']);
 * const { data } = useQuery(queries.getLocation({ vin }));
 */
export function vehicleQueries(
  client: Pick<VehicleDataClient, ${reading.map((operation) => `'${methodNamesOf(operation)[0]}'`).join(' | ')}>,
  scope: readonly unknown[] = ['vehicle-data'],
) {
  return {
${members.join('\n')}
  };
}
`;
}
