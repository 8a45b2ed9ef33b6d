/** The part of a JSON Schema that commands need. */
export interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly items: unknown;
  readonly unit: unknown;
  /** The schema as JSON, references inside left as they are. */
  readonly json: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Reads the schema at a JSON pointer of the bundle. Stops the build when there is none. */
export function readSchema(document: unknown, pointer: string): Schema {
  let at = document;
  for (const part of pointer.slice(2).split('/')) at = isObject(at) ? at[part] : undefined;
  if (!isObject(at)) throw new Error(`openapi.json${pointer}: no schema`);
  return asSchema(at);
}

/** Follows a `$ref`, or reads the schema as it is. */
export function resolve(document: unknown, schema: unknown): Schema {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  return typeof reference === 'string' ? readSchema(document, reference) : asSchema(isObject(schema) ? schema : {});
}

/** The schema with every `$ref` replaced by what it names. */
export function inlined(document: unknown, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlined(document, item));
  if (!isObject(schema)) return schema;
  const reference = schema['$ref'];
  if (typeof reference === 'string') return inlined(document, readSchema(document, reference).json);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(document, value)]));
}

function asSchema(json: Record<string, unknown>): Schema {
  const properties = json['properties'];
  return { properties: isObject(properties) ? properties : {}, items: json['items'], unit: json['x-unit'], json };
}
