import type { OperationSpec } from '@vehicle-data/openapi';
import { dataOf, operationPointer, type Place, readSchemas, resolve, stopBuild } from '@vehicle-data/openapi/model';

/** A member of `data` that every response must have. */
export interface Need {
  readonly name: string;
  readonly kind: 'list' | 'object';
}

/** The `data` member of an operation's successful response. */
export interface Payload {
  /** Component schema of `data`. */
  readonly schema: string;
  /** Members of `data` that every response must have. */
  readonly needs: readonly Need[];
}

/** Reads from the contract what the `data` of each operation's 200 response is, by operationId. */
export function readPayloads(contract: Place, specs: readonly OperationSpec[]): Readonly<Record<string, Payload>> {
  const schemas = readSchemas(contract);
  return Object.fromEntries(
    specs.map((operation) => {
      const data = dataOf(contract, operation);
      const [, name = ''] = /^\/components\/schemas\/([^/]+)$/.exec(data.pointer) ?? [];
      const schema = schemas.get(name);
      if (schema?.kind !== 'object') return stopBuild(operationPointer(operation), 'data is not a component schema');
      const needs = schema.properties.flatMap((property): readonly Need[] => {
        if (!property.required) return [];
        const { kind } = resolve(property.schema, schemas);
        if (kind === 'array') return [{ name: property.name, kind: 'list' }];
        if (kind === 'object') return [{ name: property.name, kind }];
        return data
          .child('properties')
          .child(property.name)
          .fail('a required member of data must be an object or a list');
      });
      return [operation.operationId, { schema: name, needs }];
    }),
  );
}
