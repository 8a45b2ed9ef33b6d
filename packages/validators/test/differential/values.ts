// Values for the differential tests: those that fit the contract, now and then with something hostile in their midst.
import fc from 'fast-check';
import { contract } from '../contract-examples.ts';

/** How many inputs are compared: 20,000 by default. */
export const inputs = Number(process.env['DIFFERENTIAL_INPUTS'] ?? 20_000);

const { DIFFERENTIAL_SEED: seed } = process.env;

/** Compares so many inputs. `judge` throws where somebody disagrees, and says whether the input is valid; returns how many are. */
export function compareMany<Input>(
  arbitrary: fc.Arbitrary<Input>,
  numRuns: number,
  judge: (input: Input) => boolean,
): number {
  let valid = 0;
  const property = fc.property(arbitrary, (input) => {
    if (judge(input)) valid++;
  });
  fc.assert(property, { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) });
  return valid;
}

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

/** Values of a component schema: valid ones, or with something `hostile` in a few places. */
export function valuesOf(name: string, hostile?: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return mostly(3, valuesFor({ $ref: name }, hostile), hostile);
}

function mostly(weight: number, good: fc.Arbitrary<unknown>, hostile: fc.Arbitrary<unknown> | undefined) {
  return hostile ? fc.oneof({ weight, arbitrary: good }, { weight: 1, arbitrary: hostile }) : good;
}

export function valuesFor(schema: JsonSchema, hostile?: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesFor(schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}, hostile);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => valuesFor(branch, hostile)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objects(schema, hostile);
    case 'array':
      return fc.array(mostly(40, valuesFor(schema.items ?? {}, hostile), hostile), { maxLength: 6 });
    case 'number': {
      const { minimum: min = -1e9, maximum: max = 1e9 } = schema;
      const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
      return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max), whole);
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

/** Names of members that an object should not trip over. */
const oddNames = fc.constantFrom(...'__proto__ constructor toString data meta vin a/b m~n length 0'.split(' '), '');

function objects({ properties = {}, required = [] }: JsonSchema, hostile?: fc.Arbitrary<unknown>) {
  const model = Object.fromEntries(
    Object.entries(properties).map(([key, member]) => [key, mostly(40, valuesFor(member, hostile), hostile)]),
  );
  const whole = fc.record(model, { requiredKeys: [...required], noNullPrototype: true });
  if (!hostile) return whole;
  const lacking = fc.record(model, { requiredKeys: [], noNullPrototype: true });
  const more = fc.tuple(whole, fc.dictionary(oddNames, hostile, { maxKeys: 2, noNullPrototype: true }));
  const odd = more.map(([object, others]) => Object.defineProperties(object, Object.getOwnPropertyDescriptors(others)));
  return fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: lacking }, { weight: 1, arbitrary: odd });
}

function numbersIn(node: unknown): readonly number[] {
  if (typeof node === 'number') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(numbersIn) : [];
}

const bounds = [...new Set(numbersIn(schemas))];
const strings = [
  ...new Set(Object.values(schemas).flatMap((schema) => [...(schema.enum ?? []), ...(schema.examples ?? [])])),
];

const deep: unknown = JSON.parse(`${'[{"data":'.repeat(200)}1${'}]'.repeat(200)}`);
const times = `
  2026-02-29T00:00:00Z 2024-02-29T00:00:00.5+01:00 2026-03-09t07:00:00z 2016-12-31T23:59:60Z 2016-12-31T23:58:60Z
  2017-01-01T00:59:60+01:00 2026-03-09T24:00:00Z 2026-03-09T07:00:00 2026-03-09T07:00:00+0100 2026-03-09T07:00:00.Z
  2026-03-09T07:00:00+24:00 2026-13-09T07:00:00Z 2026-04-31T07:00:00Z 0000-01-01T00:00:00Z +002026-03-09T07:00:00Z
  1900-02-29T00:00:00Z 2000-02-29T23:59:59Z 20260229 20240229 19000229 ２０２６０３０２ 2026-3-2 20261301 PST utc
  Europe/berlin +09:00`;

/** JSON values that are likely to be wrong somewhere. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1.5, -1, 1e308, 5e-324, 2 ** 53, [], {}, [[]], [null], deep),
  fc.constantFrom('', 'true', '\uD800', '\uDC00\uD800', '\u0000', 'x'.repeat(70), '😀'.repeat(17)),
  fc.constantFrom(...times.trim().split(/\s+/), '2026-03-09 07:00:00Z', '2026-03-09T07:00:00.000Z\n'),
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
    ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol('x'), () => 1, /x/].map((value) => () => value),
    () => new Array(3),
    () => Object.assign([1], { more: 2 }),
    () => Object.create(null) as unknown,
    () => new Date(0),
    () => new Map(),
    () => new String('on'),
    () => new Number(1),
    () => Object.defineProperty({}, 'data', { get: () => ({}), enumerable: true }),
    () => Object.create({ data: 1, meta: {} }) as unknown,
    () => JSON.parse('{"__proto__": {"vin": 1}}') as unknown,
  )
  .map((make) => make());
