// The schemas of the contract as generators read them: references, null among types, `allOf` and `anyOf` are resolved to a few kinds.
import { isAnnotation, type Place } from './place.ts';
import { type JsonType, jsonTypes, readPattern, readUnit, stringFormats } from './schema-keywords.ts';

export type Scalar = string | number | boolean | null;

export type StringSchema = Readonly<ReturnType<typeof readString>>;
export type NumberSchema = Readonly<ReturnType<typeof readNumber>>;
/** A fixed list of values, from `enum`, `const` or the type `null`. */
export interface EnumSchema {
  readonly kind: 'enum';
  readonly values: readonly Scalar[];
}
export interface ObjectSchema {
  readonly kind: 'object';
  readonly properties: readonly PropertySchema[];
  /** What other members must be; undefined where there must be none. */
  readonly additional: Schema | undefined;
}
export interface PropertySchema {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** What the contract says about this member, for readers. */
  readonly description: string | undefined;
  /** Where the contract describes this member, for errors. */
  readonly place: Place;
}
export interface ArraySchema {
  readonly kind: 'array';
  readonly items: Schema;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
}
export type Schema =
  | StringSchema
  | NumberSchema
  | EnumSchema
  | ObjectSchema
  | ArraySchema
  | { readonly kind: 'boolean' }
  /** The schema or null. */
  | { readonly kind: 'nullable'; readonly schema: Schema }
  | { readonly kind: 'any' }
  | { readonly kind: 'ref'; readonly name: string };

const anything: Schema = { kind: 'any' };

/** Reads every component schema of the bundle, by name. Stops at the first construct that is not understood. */
export function readSchemas(root: Place): ReadonlyMap<string, Schema> {
  const places = root.child('components').child('schemas').entries();
  const schemas = new Map(places.map(([name, place]) => [name, readSchema(place)]));
  for (const [name, place] of places) rejectCycle(name, place, schemas, []);
  return schemas;
}

/** Follows references to the schema that they name. */
export function resolve(schema: Schema, schemas: ReadonlyMap<string, Schema>): Exclude<Schema, { kind: 'ref' }> {
  if (schema.kind !== 'ref') return schema;
  const target = schemas.get(schema.name);
  if (target === undefined) throw new Error(`the component schema ${schema.name} does not exist`);
  return resolve(target, schemas);
}

/** The names of the component schemas that a schema refers to directly. */
export function referencesOf(schema: Schema): readonly string[] {
  switch (schema.kind) {
    case 'ref':
      return [schema.name];
    case 'nullable':
      return referencesOf(schema.schema);
    case 'array':
      return referencesOf(schema.items);
    case 'object':
      return [...schema.properties.map((property) => property.schema), schema.additional ?? anything].flatMap(
        referencesOf,
      );
    default:
      return [];
  }
}

function rejectCycle(name: string, place: Place, schemas: ReadonlyMap<string, Schema>, above: readonly string[]): void {
  if (above.includes(name)) place.fail('a schema that contains itself is not understood');
  for (const next of referencesOf(schemas.get(name) ?? anything)) rejectCycle(next, place, schemas, [...above, name]);
}

/** Reads one schema. */
export function readSchema(place: Place): Schema {
  if (hasOnly(place, 'anyOf')) return readAlternatives(place.child('anyOf'));
  const [name] = place.target('schemas') ?? [];
  if (name !== undefined && hasOnly(place, '$ref')) return { kind: 'ref', name };
  const keywords = new Keywords(place);
  const schema = readKeywords(keywords);
  keywords.rejectOthers();
  return schema;
}

/** Whether a schema has one keyword and, besides annotations, no other. */
function hasOnly(schema: Place, one: string): boolean {
  const known = (keyword: string) => keyword === one || isAnnotation(keyword);
  return schema.optional(one) !== undefined && schema.entries().every(([keyword]) => known(keyword));
}

/** The keywords of a schema, each with its place: its own, and those that `$ref` and `allOf` add. */
function keywordsIn(schema: Place): readonly (readonly [string, Place])[] {
  const [, target] = schema.target('schemas') ?? [];
  const own = schema.entries().filter(([keyword]) => keyword !== '$ref');
  const all = own.flatMap(([keyword, place]) =>
    keyword === 'allOf' ? place.items().flatMap(keywordsIn) : [[keyword, place] as const],
  );
  return target ? [...keywordsIn(target), ...all] : all;
}

/**
 * The keywords of a schema and of those that it is combined with. Only members of objects may come from several. What the readers below
 * ask for is what the generators understand.
 */
class Keywords {
  readonly #entries: readonly (readonly [string, Place])[];
  readonly #read = new Set<string>();

  constructor(schema: Place) {
    this.#entries = keywordsIn(schema);
    const first = new Map(this.#entries.toReversed());
    for (const [keyword, place] of this.#entries) {
      const mayRepeat = keyword === 'properties' || keyword === 'required' || isAnnotation(keyword);
      if (!mayRepeat && JSON.stringify(first.get(keyword)?.value) !== JSON.stringify(place.value))
        place.fail(`"${keyword}" has another value in a schema that this one is combined with`);
    }
    if (schema.optional('$ref') ?? schema.optional('allOf'))
      first.get('additionalProperties')?.fail('is not understood in schemas that are combined');
  }

  /** Stops at a keyword that no reader has asked for. */
  rejectOthers(): void {
    for (const [keyword, place] of this.#entries)
      if (!this.#read.has(keyword) && !isAnnotation(keyword)) place.fail(`"${keyword}" is not understood here`);
  }

  all(keyword: string): readonly Place[] {
    this.#read.add(keyword);
    return this.#entries.flatMap(([name, place]) => (name === keyword ? [place] : []));
  }

  optional(keyword: string): Place | undefined {
    return this.all(keyword)[0];
  }
}

function readKeywords(keywords: Keywords): Schema {
  const types = readTypes(keywords);
  const constant = keywords.optional('const');
  const values = keywords.optional('enum')?.items() ?? (constant && [constant]);
  if (values) return readEnum(keywords, types, values);
  const named = types.find((type) => type !== 'null');
  if (named === undefined) return types.length === 0 ? anything : { kind: 'enum', values: [null] };
  const schema = readType(named, keywords);
  return types.includes('null') ? { kind: 'nullable', schema } : schema;
}

function readTypes(keywords: Keywords): readonly JsonType[] {
  const place = keywords.optional('type');
  if (place === undefined) {
    // A constant says its type itself.
    const constant = keywords.optional('const') ?? keywords.optional('enum');
    return constant === undefined ? [] : jsonTypes;
  }
  const stated = (Array.isArray(place.value) ? place.items() : [place]).map((item) => item.oneOf(jsonTypes));
  if (stated.length === 0) place.fail('expected at least one type');
  // Every integer is a number.
  const types = stated.includes('number') ? stated.filter((type) => type !== 'integer') : stated;
  if (types.filter((type) => type !== 'null').length > 1) place.fail('of several types, only null is understood');
  return types;
}

function readType(type: Exclude<JsonType, 'null'>, keywords: Keywords): Schema {
  if (type === 'object') return readObject(keywords);
  if (type === 'array') return readArray(keywords);
  if (type === 'string') return readString(keywords);
  return type === 'boolean' ? { kind: 'boolean' } : readNumber(keywords, type === 'integer');
}

function readObject(keywords: Keywords): ObjectSchema {
  const properties = keywords.all('properties').flatMap((place) => place.entries());
  const names = new Set(properties.map(([name]) => name));
  for (const [name, place] of properties) {
    if (properties.find(([other]) => other === name)?.[1] !== place)
      place.fail('is described by two schemas that are combined');
  }
  const required = keywords.all('required').flatMap((place) => place.items());
  for (const item of required) {
    if (!names.has(item.string())) item.fail('a required member must be described by properties');
  }
  return {
    kind: 'object',
    properties: properties.map(([name, place]) => ({
      name,
      required: required.some(({ value }) => value === name),
      schema: readSchema(place),
      description: place.optional('description')?.string(),
      place,
    })),
    additional: readAdditional(keywords.optional('additionalProperties')),
  };
}

function readAdditional(place: Place | undefined): Schema | undefined {
  if (place === undefined || place.value === true) return anything;
  return place.value === false ? undefined : readSchema(place);
}

function readArray(keywords: Keywords): ArraySchema {
  const items = keywords.optional('items');
  return {
    kind: 'array',
    items: items === undefined ? anything : readSchema(items),
    minItems: keywords.optional('minItems')?.count(),
    maxItems: keywords.optional('maxItems')?.count(),
  };
}

function readString(keywords: Keywords) {
  const pattern = keywords.optional('pattern');
  const example = exampleIn(keywords);
  return {
    kind: 'string' as const,
    minLength: keywords.optional('minLength')?.count(),
    maxLength: keywords.optional('maxLength')?.count(),
    pattern: pattern && readPattern(pattern),
    format: keywords.optional('format')?.oneOf(stringFormats),
    example: typeof example === 'string' ? example : undefined,
  };
}

function readNumber(keywords: Keywords, integer: boolean) {
  // JSON numbers are read as doubles, so `int64` restricts nothing.
  if (integer) keywords.optional('format')?.oneOf(['int64']);
  const bound = (keyword: string) => keywords.optional(keyword)?.number();
  const unit = keywords.optional('x-unit');
  const example = exampleIn(keywords);
  return {
    kind: 'number' as const,
    integer,
    minimum: bound('minimum'),
    maximum: bound('maximum'),
    exclusiveMinimum: bound('exclusiveMinimum'),
    exclusiveMaximum: bound('exclusiveMaximum'),
    /** The unit, or the property beside the number that holds it. */
    unit: unit && readUnit(unit),
    example: typeof example === 'number' ? example : undefined,
  };
}

/** The first example of the contract. */
const exampleIn = (keywords: Keywords) => keywords.all('examples').at(-1)?.items()[0]?.value;

function readEnum(keywords: Keywords, types: readonly JsonType[], places: readonly Place[]): EnumSchema {
  const values = places.map((place) => {
    const { value } = place;
    if (typeof value === 'object' && value !== null) return place.fail('expected text, a number, true, false or null');
    if (!typesOf(value).some((type) => types.includes(type))) place.fail('is not of the type beside it');
    return value;
  });
  if (values.length === 0) keywords.optional('enum')?.fail('expected at least one value');
  return { kind: 'enum', values };
}

function typesOf(value: Scalar): readonly JsonType[] {
  if (value === null) return ['null'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value === 'string' ? 'string' : 'boolean'];
}

/** `anyOf`: anything, where a branch allows everything; a schema or null; or lists of values of different types. */
function readAlternatives(place: Place): Schema {
  const branches = place.items().map(readSchema);
  if (branches.some(({ kind }) => kind === 'any')) return anything;
  const others = branches.filter((branch) => !isNull(branch));
  const [only] = others;
  if (only !== undefined && others.length === 1 && others.length < branches.length)
    return { kind: 'nullable', schema: only };
  const lists = branches.flatMap((branch) => (branch.kind === 'enum' ? [branch.values] : []));
  const types = lists.flatMap((values) => [...new Set(values.map((value) => typesOf(value)[0]))]);
  if (lists.length < branches.length || new Set(types).size < types.length) {
    place.fail(
      'is understood for values of different types, for a schema or null, or where one branch allows everything',
    );
  }
  return { kind: 'enum', values: lists.flat() };
}

function isNull(schema: Schema): boolean {
  return schema.kind === 'enum' && schema.values.every((value) => value === null);
}
