// The same schema of the contract in other libraries. Each gives a function from a parsed value to a verdict.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Options } from 'ajv';

interface JsonSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

type Verdict = (value: unknown) => boolean;

const contract = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')), 'utf8'),
) as { readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } };

/** A component schema with every reference written out and without what is no JSON Schema. */
function plain(schema: JsonSchema): JsonSchema {
  if (schema.$ref)
    return plain(contract.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] as JsonSchema);
  const { description, examples, 'x-unit': unit, 'x-range-unstated': unstated, ...rest } = schema;
  const properties = Object.entries(schema.properties ?? {}).map(([key, member]) => [key, plain(member)]);
  return {
    ...rest,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
    ...(schema.items && { items: plain(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(plain) }),
  };
}

async function ajvCompiler(options: Options) {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const compiler = new Ajv2020({ strict: true, allowUnionTypes: true, ...options });
  (formats.default as unknown as (into: object) => void)(compiler);
  return compiler;
}

async function ajv(schema: JsonSchema): Promise<Verdict> {
  return (await ajvCompiler({})).compile(schema) as Verdict;
}

async function ajvStandalone(schema: JsonSchema): Promise<Verdict> {
  const [compiler, standalone, { build }] = await Promise.all([
    ajvCompiler({ code: { source: true, esm: true } }),
    import('ajv/dist/standalone/index.js'),
    import('esbuild'),
  ]);
  const write = (standalone.default as unknown as { default?: unknown }).default ?? standalone.default;
  const contents = (write as (from: object, validate: unknown) => string)(compiler, compiler.compile(schema));
  const stdin = { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) };
  const options = { format: 'esm', platform: 'neutral', bundle: true, write: false } as const;
  const bundle = await build({ ...options, stdin, mainFields: ['module', 'main'] });
  const source = Buffer.from(bundle.outputFiles[0]?.contents ?? []).toString('base64');
  return ((await import(`data:text/javascript;base64,${source}`)) as { default: Verdict }).default;
}

async function zod(schema: JsonSchema): Promise<Verdict> {
  const { fromJSONSchema } = await import('zod');
  const made = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]);
  return (value) => made.safeParse(value).success;
}

async function typebox(schema: JsonSchema): Promise<Verdict> {
  const { Compile } = await import('typebox/schema');
  const compiled = Compile(schema as object);
  return (value) => compiled.Check(value);
}

/** The libraries, by name. */
export const peers: Readonly<Record<string, (schema: JsonSchema) => Promise<Verdict>>> = {
  'ajv (needs eval)': ajv,
  'ajv standalone': ajvStandalone,
  'typebox (needs eval)': typebox,
  'zod 4': zod,
};

/** The JSON Schema of a component, self-contained. */
export function schemaOf(name: string): JsonSchema {
  return plain(contract.components.schemas[name] as JsonSchema);
}
