import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OperationSpec } from '@vehicle-data/openapi';

/** The keywords of a schema that the docs show. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
  /** A unit, or the sibling property that holds it. */
  readonly 'x-unit'?: string | { readonly property: string };
}

interface MediaType {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}
interface PathOperation {
  readonly responses: Readonly<Record<string, { readonly content: { readonly 'application/json': MediaType } }>>;
}

/** The bundled contract with every `$ref` replaced by what it points to. */
export interface Contract {
  readonly info: { readonly title: string; readonly summary: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

/** The bundle in one of its two formats. */
export const bundleFile = (format: 'json' | 'yaml') =>
  fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')).replace(/json$/, format);

/** Reads the bundle. It is this repository's own build output, so its shape is not checked again. */
export async function readContract(): Promise<Contract> {
  const bundle: unknown = JSON.parse(await readFile(bundleFile('json'), 'utf8'));
  const at = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => Object(node)[key.replaceAll('~1', '/').replaceAll('~0', '~')], bundle);
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return resolve(at(String(node.$ref)));
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  };
  return resolve(bundle) as Contract;
}

/** The success response of an operation: its schema and its first example. */
export function successOf({ paths }: Contract, { path, method }: OperationSpec): { schema: Schema; example: unknown } {
  const media = paths[path]?.[method.toLowerCase()]?.responses['200']?.content['application/json'];
  const [example] = Object.values(media?.examples ?? {});
  if (!media || !example) throw new Error(`${method} ${path} has no response 200 with an example`);
  return { schema: media.schema, example: example.value };
}
