// Values for the differential tests: valid ones made from the contract, and what hostile hands make of them.
import fc from 'fast-check';
import { contract } from '../contract-examples.ts';

interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

const schemas = contract['components']?.['schemas'] as unknown as Readonly<Record<string, JsonSchema>>;
export const schemaNames = Object.keys(schemas);

/** Valid values of a component schema. */
export function validValues(name: string): fc.Arbitrary<unknown> {
  return valuesOf(schemas[name] as JsonSchema);
}

function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.$ref) return validValues(schema.$ref.slice('#/components/schemas/'.length));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const model = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, member]) => [key, valuesOf(member)]),
      );
      return fc.record(model, { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true });
    }
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 6 });
    case 'number': {
      const { minimum: min = -1e9, maximum: max = 1e9 } = schema;
      return fc.oneof(
        fc.double({ min, max, noNaN: true }),
        fc.constantFrom(min, max),
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
      );
    }
    case 'integer':
      return fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 53, 1e300));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.constantFrom(...(schema.examples ?? ['', 'text', '😀', '\uD800']));
    default:
      return fc.constantFrom(null, 1, 'text', {}, []);
  }
}

function numbersIn(node: unknown): readonly number[] {
  if (typeof node === 'number') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(numbersIn) : [];
}

const bounds = [...new Set(numbersIn(schemas))];
const strings = [
  ...new Set(Object.values(schemas).flatMap((schema) => [...(schema.enum ?? []), ...(schema.examples ?? [])])),
];

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { data: value };
  return value;
}

const times = `
  2026-02-29T00:00:00Z 2024-02-29T00:00:00.5+01:00 2026-03-09t07:00:00z 2016-12-31T23:59:60Z 2016-12-31T23:58:60Z
  2017-01-01T00:59:60+01:00 2026-03-09T24:00:00Z 2026-03-09T07:00:00 2026-03-09T07:00:00+0100 2026-03-09T07:00:00.Z
  2026-03-09T07:00:00+24:00 2026-13-09T07:00:00Z 2026-04-31T07:00:00Z 0000-01-01T00:00:00Z +002026-03-09T07:00:00Z
  1900-02-29T00:00:00Z 2000-02-29T23:59:59Z 20260229 20240229 19000229 ２０２６０３０２ 2026-3-2 20261301 PST utc
  Europe/berlin +09:00`;
const dateTimes = [...times.trim().split(/\s+/), '2026-03-09 07:00:00Z', '2026-03-09T07:00:00.000Z\n'];

/** JSON values that are likely to be wrong somewhere. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1.5,
    -1,
    1e308,
    5e-324,
    2 ** 53,
    '',
    'true',
    '\uD800',
    '\uDC00\uD800',
    '\u0000',
    'x'.repeat(70),
    '😀'.repeat(17),
    [],
    {},
    [[]],
    [null],
    deep(400),
  ),
  fc.constantFrom(...dateTimes),
  fc.constantFrom(...strings),
  fc
    .constantFrom(...bounds)
    .chain((bound) =>
      fc.constantFrom(bound, -bound, bound + 1e-9, bound - 1e-9, bound + 1, bound - 1, bound * (1 + 2 ** -52)),
    ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 20, unit: 'binary' }),
);

/** What no JSON text can hold, but a program can pass. */
export const hostileOther: fc.Arbitrary<unknown> = fc
  .constantFrom<() => unknown>(
    () => undefined,
    () => Number.NaN,
    () => Number.POSITIVE_INFINITY,
    () => JSON.parse('1e400') as unknown,
    () => 1n,
    () => Symbol('x'),
    () => () => 1,
    () => new Array(3),
    () => Object.assign([1], { more: 2 }),
    () => Object.create(null) as unknown,
    () => new Date(0),
    () => new Map(),
    () => new String('on'),
    () => new Number(1),
    () => ({
      get data() {
        return {};
      },
    }),
    () => Object.create({ data: 1, meta: {} }) as unknown,
    () => JSON.parse('{"__proto__": {"vin": 1}}') as unknown,
    () => /x/,
  )
  .map((make) => make());

type Mutation = {
  readonly at: number;
  readonly key: string;
  readonly change: { readonly kind: 'replace' | 'remove' | 'add' | 'append' | 'clone'; readonly value: unknown };
};

export function mutations(values: fc.Arbitrary<unknown>): fc.Arbitrary<readonly Mutation[]> {
  const key = fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'data',
    'meta',
    'vin',
    '',
    'a/b',
    'm~n',
    'length',
    '0',
  );
  const change = fc.record({
    kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'append', 'clone'),
    value: values,
  });
  return fc.array(fc.record({ at: fc.nat(), key, change }), { maxLength: 3 }) as fc.Arbitrary<readonly Mutation[]>;
}

/** Applies mutations to a value; every place inside it can be hit. */
export function mutated(value: unknown, list: readonly Mutation[]): unknown {
  const root = { value: structuredClone(value) };
  for (const { at, key, change: planned } of list) {
    const change = { ...planned, value: copy(planned.value) };
    const places: [Record<string, unknown>, string][] = [];
    const visit = (parent: Record<string, unknown>, name: string, depth: number): void => {
      places.push([parent, name]);
      const child = parent[name];
      if (typeof child !== 'object' || child === null || depth > 12) return;
      for (const inner of Object.keys(child)) visit(child as Record<string, unknown>, inner, depth + 1);
    };
    visit(root, 'value', 0);
    const [parent, name] = places[at % places.length] as [Record<string, unknown>, string];
    const child = parent[name];
    if (change.kind === 'replace') define(parent, name, change.value);
    else if (change.kind === 'remove' && Array.isArray(parent)) parent.splice(Number(name), 1);
    else if (change.kind === 'remove' && parent !== root) delete parent[name];
    else if (change.kind === 'append' && Array.isArray(child)) child.push(change.value);
    else if (change.kind === 'add' && typeof child === 'object' && child !== null)
      define(child as Record<string, unknown>, key, change.value);
    else if (change.kind === 'clone' && Array.isArray(child) && child.length > 0) child.push(...child);
  }
  return root.value;
}

/** A copy where there can be one, so that later mutations do not change the value of other runs. */
function copy(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

/** Adds an own member, also under the name `__proto__`. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  const property = Object.getOwnPropertyDescriptor(object, key);
  // What cannot be changed stays as it is, and a list keeps its constructor: the methods of lists need it.
  if (
    property?.configurable === false ||
    !Object.isExtensible(object) ||
    (Array.isArray(object) && key === 'constructor')
  )
    return;
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
