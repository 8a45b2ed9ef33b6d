import type { ContractPlace } from './contract-place.ts';
import { integerFormats, keywordsFor, type StringFormat, stringFormats } from './supported-keywords.ts';

const schemaTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;
export type JsonSchemaType = (typeof schemaTypes)[number];
export type ScalarType = Exclude<JsonSchemaType, 'object' | 'array'>;

export interface StringSchema {
  readonly kind: 'string';
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string | undefined;
  readonly format: StringFormat | undefined;
  /** An example that the contract gives, for the words of a message. */
  readonly example: string | undefined;
}
export interface NumberSchema {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}
export interface EnumSchema {
  readonly kind: 'enum';
  readonly types: readonly ScalarType[];
  readonly values: readonly (string | number | boolean)[];
}
export interface UnionSchema {
  readonly kind: 'union';
  readonly branches: readonly ScalarSchema[];
}
export interface ObjectSchema {
  readonly kind: 'object';
  readonly properties: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
}
export interface ArraySchema {
  readonly kind: 'array';
  readonly items: Schema;
}
export type ScalarSchema = StringSchema | NumberSchema | EnumSchema | UnionSchema | { readonly kind: 'boolean' };
export type Schema =
  | ScalarSchema
  | ObjectSchema
  | ArraySchema
  | { readonly kind: 'any' }
  | { readonly kind: 'ref'; readonly name: string };

const anything = { kind: 'any' } as const;

/** Reads every component schema of the bundle. Stops at the first construct that it does not understand. */
export function readSchemas(components: ContractPlace): ReadonlyMap<string, Schema> {
  const schemas = new Map(components.keys().map((name) => [name, readSchema(components.child(name))] as const));
  for (const name of schemas.keys()) refuseCycles(name, schemas, components.child(name), []);
  return schemas;
}

/** Follows references to the schema that they name. */
export function resolve(schema: Schema, schemas: ReadonlyMap<string, Schema>): Exclude<Schema, { kind: 'ref' }> {
  if (schema.kind !== 'ref') return schema;
  const target = schemas.get(schema.name);
  if (target === undefined) throw new Error(`the component schema ${schema.name} does not exist`);
  return resolve(target, schemas);
}

/** The schemas that stand directly inside a schema. */
export function childrenOf(schema: Schema): readonly Schema[] {
  if (schema.kind === 'object') return schema.properties.map((property) => property.schema);
  if (schema.kind === 'array') return [schema.items];
  return [];
}

function refuseCycles(
  name: string,
  schemas: ReadonlyMap<string, Schema>,
  place: ContractPlace,
  above: readonly string[],
): void {
  if (above.includes(name)) place.fail('a schema that contains itself is not understood');
  const visit = (schema: Schema): void => {
    if (schema.kind !== 'ref') {
      for (const child of childrenOf(schema)) visit(child);
      return;
    }
    if (!schemas.has(schema.name)) place.fail(`refers to the component schema ${schema.name}, which does not exist`);
    refuseCycles(schema.name, schemas, place, [...above, name]);
  };
  visit(schemas.get(name) ?? anything);
}

function readSchema(place: ContractPlace): Schema {
  const reference = place.optional('$ref');
  if (reference) return readReference(place, reference);
  const alternatives = place.optional('anyOf');
  if (alternatives) return readAlternatives(place, alternatives);
  const typePlace = place.optional('type');
  const types = typePlace === undefined ? [] : readTypes(typePlace);
  const known = keywordsFor(types);
  for (const keyword of place.keys()) {
    if (!known.has(keyword)) place.child(keyword).fail(`"${keyword}" is not understood here by the validators`);
  }
  const [first] = types;
  if (first === undefined) return anything;
  if (first === 'object') return readObject(place);
  if (first === 'array') return readArray(place);
  return readScalar(place, types as readonly ScalarType[]);
}

function readReference(place: ContractPlace, reference: ContractPlace): Schema {
  const prefix = '#/components/schemas/';
  const target = reference.string();
  if (place.keys().length > 1) place.fail('"$ref" is understood alone, without other keywords beside it');
  if (!target.startsWith(prefix)) reference.fail('a reference to a component schema is expected');
  return { kind: 'ref', name: target.slice(prefix.length) };
}

/** `anyOf` with a branch that allows everything allows everything; no other `anyOf` is understood. */
function readAlternatives(place: ContractPlace, alternatives: ContractPlace): Schema {
  const known = keywordsFor([]);
  for (const keyword of place.keys()) {
    if (keyword === 'type' || (keyword !== 'anyOf' && !known.has(keyword)))
      place.child(keyword).fail('is not understood beside "anyOf"');
  }
  const branches = alternatives.items().map(readSchema);
  if (!branches.some((branch) => branch.kind === 'any')) {
    alternatives.fail('"anyOf" is understood only when one branch allows everything');
  }
  return anything;
}

function readTypes(place: ContractPlace): readonly JsonSchemaType[] {
  const places = typeof place.value === 'string' ? [place] : place.items();
  const types = places.map(
    (item) =>
      schemaTypes.find((type) => type === item.value) ?? item.fail('is not a type that the validators understand'),
  );
  if (types.length === 0) place.fail('at least one type is expected');
  if (types.length > 1 && types.some((type) => type === 'object' || type === 'array')) {
    place.fail('several types are understood for scalars alone');
  }
  return types;
}

function readObject(place: ContractPlace): ObjectSchema {
  const properties = place.optional('properties');
  const required = (place.optional('required')?.items() ?? []).map((item) => {
    if (properties?.optional(item.string()) === undefined) item.fail('a required member must stand in properties');
    return item.string();
  });
  return {
    kind: 'object',
    properties: (properties?.keys() ?? []).map((name) => ({
      name,
      required: required.includes(name),
      schema: readSchema((properties as ContractPlace).child(name)),
    })),
  };
}

function readArray(place: ContractPlace): ArraySchema {
  const items = place.optional('items');
  return { kind: 'array', items: items === undefined ? anything : readSchema(items) };
}

function readScalar(place: ContractPlace, types: readonly ScalarType[]): ScalarSchema {
  const choices = place.optional('enum');
  if (choices) return readEnum(place, types, choices);
  const branches = types.map((type): ScalarSchema => {
    if (type === 'string') return readString(place);
    if (type === 'boolean') return { kind: 'boolean' };
    return readNumber(place, type === 'integer');
  });
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: 'union', branches };
}

function readEnum(place: ContractPlace, types: readonly ScalarType[], choices: ContractPlace): EnumSchema {
  for (const keyword of ['pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum']) {
    place.optional(keyword)?.fail('is not understood beside "enum"');
  }
  const values = choices.items().map((item) => {
    const { value } = item;
    const fits =
      (typeof value === 'string' && types.includes('string')) ||
      (typeof value === 'boolean' && types.includes('boolean')) ||
      (typeof value === 'number' &&
        (types.includes('number') || (types.includes('integer') && Number.isInteger(value))));
    return fits ? value : item.fail('is not of the type that stands beside the enumeration');
  });
  if (values.length === 0) choices.fail('an enumeration needs at least one value');
  return { kind: 'enum', types, values };
}

function readNumber(place: ContractPlace, integer: boolean): NumberSchema {
  const format = place.optional('format');
  if (format && !integerFormats.includes(format.string()))
    format.fail('is not a format of integers that is understood');
  return {
    kind: 'number',
    integer,
    minimum: place.optional('minimum')?.number(),
    maximum: place.optional('maximum')?.number(),
  };
}

function readString(place: ContractPlace): StringSchema {
  const format = place.optional('format');
  const pattern = place.optional('pattern');
  if (pattern) checkPattern(pattern);
  const example = place.optional('examples')?.items()[0]?.value;
  return {
    kind: 'string',
    minLength: place.optional('minLength')?.count(),
    maxLength: place.optional('maxLength')?.count(),
    pattern: pattern?.string(),
    format: format && readFormat(format),
    example: typeof example === 'string' ? example : undefined,
  };
}

function readFormat(place: ContractPlace): StringFormat {
  const name = place.string();
  if (!Object.hasOwn(stringFormats, name)) return place.fail('is not a format that the validators understand');
  return name as StringFormat;
}

function checkPattern(place: ContractPlace): void {
  const source = place.string();
  if (!source.startsWith('^') || !source.endsWith('$')) place.fail('a pattern must be anchored with ^ and $');
  try {
    new RegExp(source, 'u');
  } catch {
    place.fail('is not a regular expression of ECMAScript with the u flag');
  }
}
