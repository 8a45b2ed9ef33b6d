import type { OperationSpec } from '@vehicle-data/openapi';
import { schemaNameOf, valueAt } from './document.ts';
import { operationPointer, stopBuild } from './stop-build.ts';

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

/** Reads from the bundle what the `data` of each operation's 200 response is, by operationId. */
export function readPayloads(document: unknown, specs: readonly OperationSpec[]): Readonly<Record<string, Payload>> {
  return Object.fromEntries(
    specs.map((operation) => {
      const envelope =
        operation.responses['200'] ?? stopBuild(operationPointer(operation), 'has no response with status 200');
      const pointer = `/components/schemas/${envelope}/properties/data/$ref`;
      const schema = schemaNameOf(valueAt(document, pointer));
      return [operation.operationId, payload(document, schema ?? stopBuild(pointer, 'expected a reference'))];
    }),
  );
}

function payload(document: unknown, schema: string): Payload {
  const root = `/components/schemas/${schema}`;
  const required = valueAt(document, `${root}/required`) ?? [];
  if (!Array.isArray(required)) stopBuild(`${root}/required`, 'expected a list');
  const needs = required.map((member: unknown): Need => {
    const name = String(member);
    const type = valueAt(document, `${root}/properties/${name}/type`);
    if (type === 'array') return { name, kind: 'list' };
    if (type === 'object') return { name, kind: 'object' };
    return stopBuild(`${root}/properties/${name}`, 'a required member of data must be an object or a list');
  });
  return { schema, needs };
}
