// Writes src/generated/responses.ts: what the sandbox needs of the contract beyond the operation table.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json;
}

const contract: Json = JSON.parse(
  await readFile(fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')), 'utf8'),
);

function fail(pointer: string, reason: string): never {
  throw new Error(`openapi.json#${pointer}: ${reason}`);
}

function object(value: Json | undefined, pointer: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(pointer, 'expected an object');
  return value;
}

/** Follows the references of the bundle, all of which are local. */
function resolved(value: Json | undefined, pointer: string): JsonObject {
  const here = object(value, pointer);
  const reference = here['$ref'];
  if (reference === undefined) return here;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return fail(pointer, 'expected a local reference');
  let target: Json | undefined = contract;
  for (const token of reference.slice(2).split('/')) {
    target = object(target, reference)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return resolved(target, reference);
}

/** A schema without references, and with the keywords alone that the sandbox reads. */
function plain(reference: Json | undefined, pointer: string): JsonObject {
  const { type, properties, items, examples, ...rest } = resolved(reference, pointer);
  if (typeof type !== 'string') return fail(pointer, 'expected one type');
  const schema: JsonObject = { type };
  for (const keyword of ['enum', 'minimum', 'maximum', 'format', 'pattern', 'required']) {
    const value = rest[keyword];
    if (value !== undefined) schema[keyword] = value;
  }
  if (properties !== undefined) {
    const members = Object.entries(object(properties, pointer));
    schema['properties'] = Object.fromEntries(
      members.map(([name, member]) => [name, plain(member, `${pointer}/properties/${name}`)]),
    );
  }
  if (items !== undefined) schema['items'] = plain(items, `${pointer}/items`);
  if (type !== 'object' && type !== 'array' && Array.isArray(examples)) schema['example'] = examples[0] ?? null;
  return schema;
}

const responses: JsonObject = {};
const paths = object(object(contract, '')['paths'], '/paths');
for (const [path, item] of Object.entries(paths)) {
  for (const operation of Object.values(resolved(item, `/paths/${path}`))) {
    if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) continue;
    const id = operation['operationId'];
    if (typeof id !== 'string') continue;
    const pointer = `/paths/${path}/${id}/responses/200`;
    const response = resolved(object(operation['responses'], pointer)['200'], pointer);
    const content = object(object(response['content'], pointer)['application/json'], pointer);
    const envelope = object(resolved(content['schema'], pointer)['properties'], pointer);
    const [example] = Object.values(object(content['examples'], `${pointer}/examples`));
    const value = object(resolved(example, pointer)['value'], pointer);
    const success = object(value['meta'], `${pointer}/meta`)['success'];
    if (success === undefined) fail(pointer, 'the example has no meta.success');
    responses[id] = { success, data: plain(envelope['data'], `${pointer}/data`) };
  }
}

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
export const responses: Readonly<Record<string, { readonly success: unknown; readonly data: Schema }>> = ${JSON.stringify(responses, null, 2)};
`,
);
