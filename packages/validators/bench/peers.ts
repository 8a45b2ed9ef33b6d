// The same schema of the contract in other libraries. Each gives a function from a parsed value to a verdict.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { typia } from './typia.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean)[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export type Verdict = (value: unknown) => boolean;

const contract = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')), 'utf8'),
) as { readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } };

/** A component schema with every reference written out and without what is no JSON Schema. */
function plain(schema: JsonSchema): JsonSchema {
  if (schema.$ref)
    return plain(contract.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] as JsonSchema);
  const { type, enum: values, properties, required, items, minimum, maximum, pattern, format } = schema;
  return JSON.parse(
    JSON.stringify({
      type,
      enum: values,
      properties:
        properties && Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, plain(member)])),
      required,
      items: items && plain(items),
      minimum,
      maximum,
      pattern,
      format: format === 'date-time' ? format : undefined,
    }),
  ) as JsonSchema;
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const textRule = ({ pattern, format }: JsonSchema) =>
  pattern !== undefined ? new RegExp(pattern) : format === 'date-time' ? dateTime : undefined;

async function ajv(schema: JsonSchema): Promise<Verdict> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const compiler = new Ajv2020({ strict: true, allowUnionTypes: true });
  (formats.default as unknown as (into: object) => void)(compiler);
  return compiler.compile(schema) as Verdict;
}

async function ajvStandalone(schema: JsonSchema): Promise<Verdict> {
  const [{ Ajv2020 }, formats, standalone, { build }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('ajv/dist/standalone/index.js'),
    import('esbuild'),
  ]);
  const compiler = new Ajv2020({ strict: true, allowUnionTypes: true, code: { source: true, esm: true } });
  (formats.default as unknown as (into: object) => void)(compiler);
  const write = (standalone.default as unknown as { default?: unknown }).default ?? standalone.default;
  const contents = (write as (from: object, validate: unknown) => string)(compiler, compiler.compile(schema));
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const bundle = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
  });
  const file = `${folder}standalone-${process.pid}-${performance.now()}.log.mjs`;
  writeFileSync(file, bundle.outputFiles[0]?.text ?? '');
  try {
    return ((await import(pathToFileURL(file).href)) as { default: Verdict }).default;
  } finally {
    rmSync(file);
  }
}

async function zod(schema: JsonSchema): Promise<Verdict> {
  const z = await import('zod');
  const of = (part: JsonSchema): import('zod').ZodType => {
    if (part.enum) return z.union(part.enum.map((value) => z.literal(value)) as [import('zod').ZodLiteral]);
    switch (part.type) {
      case 'object':
        return z.looseObject(
          Object.fromEntries(
            Object.entries(part.properties ?? {}).map(([key, member]) => [
              key,
              part.required?.includes(key) ? of(member) : of(member).optional(),
            ]),
          ),
        );
      case 'array':
        return z.array(part.items ? of(part.items) : z.unknown());
      case 'number':
      case 'integer': {
        let number = part.type === 'integer' ? z.int() : z.number();
        if (part.minimum !== undefined) number = number.min(part.minimum);
        if (part.maximum !== undefined) number = number.max(part.maximum);
        return number;
      }
      case 'boolean':
        return z.boolean();
      default: {
        const rule = textRule(part);
        return rule ? z.string().regex(rule) : z.string();
      }
    }
  };
  const made = of(schema);
  return (value) => made.safeParse(value).success;
}

async function valibot(schema: JsonSchema): Promise<Verdict> {
  const v = await import('valibot');
  const of = (part: JsonSchema): import('valibot').GenericSchema => {
    if (part.enum) return v.union(part.enum.map((value) => v.literal(value)));
    switch (part.type) {
      case 'object':
        return v.looseObject(
          Object.fromEntries(
            Object.entries(part.properties ?? {}).map(([key, member]) => [
              key,
              part.required?.includes(key) ? of(member) : v.optional(of(member)),
            ]),
          ),
        );
      case 'array':
        return v.array(part.items ? of(part.items) : v.unknown());
      case 'number':
      case 'integer': {
        const { minimum = -Infinity, maximum = Infinity } = part;
        return part.type === 'integer'
          ? v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum))
          : v.pipe(v.number(), v.minValue(minimum), v.maxValue(maximum));
      }
      case 'boolean':
        return v.boolean();
      default: {
        const rule = textRule(part);
        return rule ? v.pipe(v.string(), v.regex(rule)) : v.string();
      }
    }
  };
  const made = of(schema);
  return (value) => v.safeParse(made, value, { abortEarly: true }).success;
}

async function arktype(schema: JsonSchema): Promise<Verdict> {
  const { type } = await import('arktype');
  type Made = import('arktype').Type<unknown>;
  const of = (part: JsonSchema): Made => {
    if (part.enum) return type.enumerated(...part.enum) as Made;
    switch (part.type) {
      case 'object':
        return type(
          Object.fromEntries(
            Object.entries(part.properties ?? {}).map(([key, member]) => [
              part.required?.includes(key) ? key : `${key}?`,
              of(member),
            ]),
          ),
        ) as Made;
      case 'array':
        return (part.items ? of(part.items) : (type.unknown as Made)).array() as Made;
      case 'number':
      case 'integer': {
        let number = type(part.type === 'integer' ? 'number.integer' : 'number');
        if (part.minimum !== undefined) number = number.and(type.raw(`number >= ${part.minimum}`) as typeof number);
        if (part.maximum !== undefined) number = number.and(type.raw(`number <= ${part.maximum}`) as typeof number);
        return number as Made;
      }
      case 'boolean':
        return type.boolean as Made;
      default: {
        const rule = textRule(part);
        return (rule ? type(rule) : type.string) as Made;
      }
    }
  };
  const made = of(schema);
  return (value) => made.allows(value);
}

async function typebox(schema: JsonSchema): Promise<Verdict> {
  const { Compile } = await import('typebox/schema');
  const compiled = Compile(schema as object);
  return (value) => compiled.Check(value);
}

/** The libraries, by name, and whether they need `eval`. */
export const peers: Readonly<
  Record<string, { readonly usesEval: boolean; readonly make: (schema: JsonSchema) => Promise<Verdict> }>
> = {
  ajv: { usesEval: true, make: ajv },
  'ajv standalone': { usesEval: false, make: ajvStandalone },
  arktype: { usesEval: true, make: arktype },
  typebox: { usesEval: true, make: typebox },
  typia: { usesEval: false, make: typia },
  valibot: { usesEval: false, make: valibot },
  'zod 4': { usesEval: true, make: zod },
};

/** The JSON Schema of a component, self-contained. */
export function schemaOf(name: string): JsonSchema {
  return plain(contract.components.schemas[name] as JsonSchema);
}
