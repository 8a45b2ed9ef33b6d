import type { OperationSpec } from '@vehicle-data/openapi';
import { operationPointer, refuse } from './refuse.ts';

/** The `data` member of an operation's successful answer. */
export interface Payload {
  /** Component schema of `data`. */
  readonly schema: string;
  /** Members of `data` that every answer must have; a name with `[]` must be a list, one without an object. */
  readonly needs: readonly string[];
}

/** Reads from the bundle what the `data` of each operation's 200 answer is, by operationId. */
export function readPayloads(document: unknown, specs: readonly OperationSpec[]): Readonly<Record<string, Payload>> {
  return Object.fromEntries(
    specs.map((operation) => {
      const envelope =
        operation.responses['200'] ?? refuse(operationPointer(operation), 'has no answer with status 200');
      const pointer = `/components/schemas/${envelope}/properties/data/$ref`;
      const ref = at(document, pointer);
      const prefix = '#/components/schemas/';
      if (typeof ref !== 'string' || !ref.startsWith(prefix)) refuse(pointer, 'expected a reference to a component');
      return [operation.operationId, payload(document, ref.slice(prefix.length))];
    }),
  );
}

function payload(document: unknown, schema: string): Payload {
  const root = `/components/schemas/${schema}`;
  const required = at(document, `${root}/required`) ?? [];
  if (!Array.isArray(required)) refuse(`${root}/required`, 'expected a list');
  const needs = required.map((name: unknown) => {
    const type = at(document, `${root}/properties/${String(name)}/type`);
    if (type === 'array') return `${String(name)}[]`;
    if (type === 'object') return String(name);
    return refuse(`${root}/properties/${String(name)}`, 'a required member of data must be an object or a list');
  });
  return { schema, needs };
}

function at(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}
