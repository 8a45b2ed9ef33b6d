// Writes src/generated/responses.ts: what the sandbox needs of the contract beyond the operation table.
import { mkdir, writeFile } from 'node:fs/promises';
import { operations } from '@vehicle-data/openapi';
import { dataOf, type Json, openContract, type Place } from '@vehicle-data/openapi/model';

/** The keywords that the sandbox reads. */
const keywords = ['type', 'enum', 'minimum', 'maximum', 'format', 'pattern', 'required'];

/** A schema without references, and with the keywords alone that the sandbox reads. */
function plain(reference: Place): { readonly [key: string]: Json } {
  const schema = reference.resolved('schemas');
  const type = schema.child('type').string();
  const properties = schema.optional('properties')?.entries();
  const items = schema.optional('items');
  const [example] = schema.optional('examples')?.items() ?? [];
  return {
    ...Object.fromEntries(
      schema.entries().flatMap(([key, { value }]) => (keywords.includes(key) ? [[key, value]] : [])),
    ),
    ...(properties && { properties: Object.fromEntries(properties.map(([name, member]) => [name, plain(member)])) }),
    ...(items && { items: plain(items) }),
    ...(example && type !== 'object' && type !== 'array' && { example: example.value }),
  };
}

/** The `meta.success` of the first example of an operation's successful response. */
function successOf(operation: Place): Json {
  const response = operation.child('responses').child('200').resolved('responses');
  const [example] = response.child('content').child('application/json').child('examples').entries();
  const [, named = response.fail('has no example')] = example ?? [];
  return named.resolved('examples').child('value').child('meta').child('success').value;
}

const contract = await openContract();
const responses = Object.values(operations).map((operation) => {
  const place = contract.child('paths').child(operation.path).child(operation.method.toLowerCase());
  return [operation.operationId, { success: successOf(place), data: plain(dataOf(contract, operation)) }];
});

const folder = new URL('../src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(
  new URL('responses.ts', folder),
  `// Generated from the contract. Do not edit.
/** A schema of the contract without references. */
export interface Schema {
  readonly type: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly example?: unknown;
}
/** The 200 response of every operation: its \`meta.success\`, and the schema of its \`data\`. */
export const responses: Readonly<Record<string, { readonly success: unknown; readonly data: Schema }>> = ${JSON.stringify(Object.fromEntries(responses), null, 2)};
`,
);
