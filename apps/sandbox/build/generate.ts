// Writes src/generated/answers.ts: what the sandbox needs of the contract beyond the operation table.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const contract = JSON.parse(
  await readFile(fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')), 'utf8'),
) as Json;

function fail(pointer: string, reason: string): never {
  throw new Error(`openapi.json#${pointer}: ${reason}`);
}

function object(value: Json | undefined, pointer: string): { [key: string]: Json } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(pointer, 'expected an object');
  return value;
}

/** Follows the references of the bundle, all of which are local. */
function resolved(value: Json | undefined, pointer: string): { [key: string]: Json } {
  const here = object(value, pointer);
  if (here['$ref'] === undefined) return here;
  if (typeof here['$ref'] !== 'string' || !here['$ref'].startsWith('#/')) fail(pointer, 'expected a local reference');
  let target: Json | undefined = contract;
  for (const token of here['$ref'].slice(2).split('/')) {
    target = object(target, here['$ref'])[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return resolved(target, here['$ref']);
}

interface Range {
  minimum: number;
  maximum: number;
}

/** Collects the stated ranges of a schema by dotted path; the items of a list stand under the path of the list. */
function collectRanges(reference: Json | undefined, pointer: string, path: string, into: Record<string, Range>): void {
  const schema = resolved(reference, pointer);
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && typeof maximum === 'number') into[path] = { minimum, maximum };
  if (schema['items'] !== undefined) collectRanges(schema['items'], `${pointer}/items`, path, into);
  for (const [name, member] of Object.entries(object(schema['properties'] ?? {}, pointer))) {
    collectRanges(member, `${pointer}/properties/${name}`, path === '' ? name : `${path}.${name}`, into);
  }
}

const answers: Record<string, { example: Json; ranges: Record<string, Range> }> = {};
const root = object(contract, '');
for (const [path, item] of Object.entries(object(root['paths'], '/paths'))) {
  for (const operation of Object.values(resolved(item, `/paths/${path}`))) {
    if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) continue;
    const id = operation['operationId'];
    if (typeof id !== 'string') continue;
    const pointer = `/paths/${path}/${id}/responses/200`;
    const response = resolved(object(operation['responses'], pointer)['200'], pointer);
    const content = object(object(response['content'], pointer)['application/json'], pointer);
    const [example] = Object.values(object(content['examples'], `${pointer}/examples`));
    if (example === undefined) fail(pointer, 'an answer without an example cannot be played');
    const ranges: Record<string, Range> = {};
    collectRanges(content['schema'], pointer, '', ranges);
    answers[id] = { example: resolved(example, pointer)['value'] ?? fail(pointer, 'the example has no value'), ranges };
  }
}

const required = new Set<string>();
for (const [name, schema] of Object.entries(object(object(root['components'], '')['schemas'], '/components/schemas'))) {
  for (const member of (object(schema, name)['required'] as string[] | undefined) ?? []) required.add(member);
}

const folder = new URL('../src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(
  new URL('answers.ts', folder),
  `// Generated from the contract. Do not edit.
/** What the contract says of the answer of one operation. */
export interface AnswerFacts {
  /** The example of its 200 answer. */
  readonly example: unknown;
  /** The stated range of every number by its dotted path. */
  readonly ranges: Readonly<Record<string, { readonly minimum: number; readonly maximum: number }>>;
}
/** The answers of the contract by operationId. */
export const answers: Readonly<Record<string, AnswerFacts>> = ${JSON.stringify(answers, null, 2)};
/** Names of members that some schema requires. */
export const requiredNames: ReadonlySet<string> = new Set(${JSON.stringify([...required].sort())});
`,
);
