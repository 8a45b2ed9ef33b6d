// The same schema of the contract in other libraries. Each gives a function from a parsed value to a verdict.
import { fileURLToPath } from 'node:url';
import { type JsonObject, openContract } from '@vehicle-data/openapi/model';
import type { Options } from 'ajv';

type Verdict = (value: unknown) => boolean;

async function ajvCompiler(options: Options) {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const compiler = new Ajv2020({ strict: true, allowUnionTypes: true, ...options });
  (formats.default as unknown as (into: object) => void)(compiler);
  compiler.addVocabulary(['x-unit', 'x-range-unstated', 'x-source', 'x-vss']);
  return compiler;
}

/** The libraries, by name. */
export const peers: Readonly<Record<string, (schema: JsonObject) => Promise<Verdict>>> = {
  async 'ajv (needs eval)'(schema) {
    return (await ajvCompiler({})).compile(schema) as Verdict;
  },
  async 'ajv standalone'(schema) {
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
  },
  async 'typebox (needs eval)'(schema) {
    const { Compile } = await import('typebox/schema');
    const compiled = Compile(schema);
    return (value) => compiled.Check(value);
  },
  async 'zod 4'(schema) {
    const { fromJSONSchema } = await import('zod');
    const made = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]);
    return (value) => made.safeParse(value).success;
  },
};

const schemas = (await openContract()).child('components').child('schemas');

/** The JSON Schema of a component, self-contained. */
export function schemaOf(name: string): JsonObject {
  return schemas.child(name).inlined() as JsonObject;
}
