// Inputs for the differential tests: values that fit the contract, with something hostile in a few places.
import fc from 'fast-check';
import { expect } from 'vitest';
import { contract } from '../contract-examples.ts';

/** Whether tests compare many random inputs, as every week, or as many as find a plain mistake. A failure prints its seed. */
export const isProof = process.env['PROVE'] === 'inputs';

/** How many inputs the tests compare. */
export const inputs = isProof ? 200_000 : 4000;

/** Compares so many inputs. `judge` throws where somebody disagrees, and says whether the input is valid, as some must be. */
export function compareMany<Input>(
  arbitrary: fc.Arbitrary<Input>,
  numRuns: number,
  judge: (input: Input) => boolean,
): void {
  let valid = 0;
  const property = fc.property(arbitrary, (input) => {
    if (judge(input)) valid++;
  });
  fc.assert(property, { numRuns });
  expect(valid).toBeGreaterThan(0);
}

type Parent = Record<string, unknown>;

/** The members and items inside a value, as the object or list that holds each and its name there. */
function placesIn(value: unknown): readonly (readonly [parent: Parent, key: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => [[value as Parent, key] as const, ...placesIn(inside)]);
}

/** Names of members that an object should not trip over. */
const oddNames = fc.constantFrom(...'__proto__ constructor toString data meta vin a/b m~n 0'.split(' '), '');

/** Copies of values in which up to three places, at any depth, are replaced, removed or joined by another. */
export function mutated<Value extends object>(
  values: fc.Arbitrary<Value>,
  hostile: fc.Arbitrary<unknown>,
): fc.Arbitrary<Value> {
  const change = fc.record({ at: fc.nat(), kind: fc.nat({ max: 4 }), put: hostile, name: oddNames });
  return fc.tuple(values, fc.array(change, { maxLength: 3 })).map(([original, changes]) => {
    const value = structuredClone(original);
    const places = placesIn(value);
    for (const { at, kind, put, name } of changes) {
      const [parent, key] = places[at % places.length] ?? [value as Parent, 'data'];
      if (kind > 1) parent[key] = put;
      else if (Array.isArray(parent)) parent.splice(Number(key), kind, ...(kind === 0 ? [put] : []));
      else if (kind === 1) Reflect.deleteProperty(parent, key);
      else Object.defineProperty(parent, name, { value: put, enumerable: true, configurable: true, writable: true });
    }
    return value;
  });
}

const schemas = contract.child('components').child('schemas');

function numbersIn(node: unknown): readonly number[] {
  if (typeof node === 'number') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(numbersIn) : [];
}

const bounds = [...new Set(numbersIn(schemas.value))];
const strings = schemas
  .entries()
  .flatMap(([, schema]) => ['enum', 'examples'].flatMap((list) => schema.optional(list)?.items() ?? []))
  .map(({ value }) => value);

const deep: unknown = JSON.parse(`${'[{"data":'.repeat(200)}1${'}]'.repeat(200)}`);
export const words = (list: string) => list.trim().split(/\s+/);

/** Texts that RFC 3339 and the calendar allow, and texts that they do not. */
export const dateTimes = {
  valid: words(`2026-03-09T07:00:00Z 2026-03-09t07:00:00.123456789z 2024-02-29T23:59:59+14:00 2016-12-31T23:59:60Z
      2017-01-01T00:59:60+01:00 2016-12-31T15:59:60-08:00 0000-01-01T00:00:00-23:59 9999-12-31T23:59:59.9Z
      2026-03-09T07:00:00-00:00 2016-12-31T23:59:60.25z 2017-01-01T05:29:60+05:30 2016-12-31T00:00:60-23:59
    2000-02-29T23:59:59Z`),
  invalid: [
    ...words(`2026-02-29T07:00:00Z 2026-03-09T24:00:00Z 2026-03-09T07:60:00Z 2026-03-09T07:00:61Z 2026-03-09T07:00:60Z
        2026-03-09T07:00:00 2026-03-09T07:00:00.Z 2026-03-09T07:00:00+01 2026-03-09T07:00:00+0100 2026-03-09T07:00:00+24:00
        2026-03-09T07:00:00+01:60 2026-03-09T07:00Z 2026-3-9T07:00:00Z 20260309T070000Z 2026-00-09T07:00:00Z
        2026-03-00T07:00:00Z 2026-13-09T07:00:00Z 2026-03-32T07:00:00Z 2026-04-31T07:00:00Z 2016-12-31T22:59:60Z
        2016-12-31T23:58:60Z 2017-01-01T00:59:60-01:00 2017-01-01T00:29:60+01:00 x2026-03-09T07:00:00Z
        12026-03-09T07:00:00Z 2016-12-31T23:59:99Z 2026-03-09T07:00:00Zx 2026-03-09T07:00:00,5Z ２０２６-03-09T07:00:00Z
      1900-02-29T00:00:00Z +002026-03-09T07:00:00Z`),
    ...['', '2026-03-09 07:00:00Z', '2026-03-09T07:00:00Z\n', ' 2026-03-09T07:00:00Z'],
  ],
};
const otherTimes = words('20260229 20240229 19000229 ２０２６０３０２ 2026-3-2 20261301 PST utc Europe/berlin +09:00');

/** JSON values that are likely to be wrong somewhere. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1.5, -1, 1e308, 5e-324, 2 ** 53, [], {}, [[]], [null], deep),
  fc.constantFrom('', 'true', '\uD800', '\uDC00\uD800', '\u0000', 'x'.repeat(70), '😀'.repeat(17)),
  fc.constantFrom(...dateTimes.valid, ...dateTimes.invalid, ...otherTimes),
  fc.constantFrom<unknown>(...strings),
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
