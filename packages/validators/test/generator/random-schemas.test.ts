// Random schemas of the grammar that the generator understands, and random values: both checkers agree with ajv.
import type { JsonObject } from '@vehicle-data/openapi/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ajvOf } from '../differential/ajv-reference.ts';
import { isProof } from '../differential/inputs.ts';
import { compiled, issuesOf } from './compiled.ts';

const names = fc.constantFrom('a', 'b', 'c/d', '', '__proto__', 'constructor', 'toString', '"q"', '0', '\u2028');
const numbers = fc.constantFrom(-3, -1.5, 0, 0.1, 1, 2, 5.25, 1e21, 123456789012345);
const texts = fc.constantFrom('', 'a', 'ab', 'abc', '\u00e9', '\u{1F600}x', '"\\', 'toString');
const scalars = fc.oneof(numbers, texts, fc.boolean(), fc.constant(null));

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const counts = optional(fc.nat({ max: 3 }));
const number = optional(numbers);
const bounds = { minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number };

/** A schema; what is undefined is left out. */
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof({ maxDepth: 4 }, tie('scalar'), tie('object'), tie('array')),
  scalar: fc.oneof(
    fc.record({ type: fc.constantFrom('number', ['number', 'null'], ['integer', 'number'], 'integer'), ...bounds }),
    fc.record({ type: fc.constantFrom('string', ['string', 'null']), minLength: counts, maxLength: counts }),
    fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^a*$', '^.{1,2}$', '^["\\\\]+$') }),
    fc.record({ type: fc.constantFrom('boolean', 'null', ['boolean', 'null']) }),
    fc.record({ enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 4 }) }),
    fc.record({ const: scalars }),
    fc.constant({}),
  ),
  array: fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: counts, maxItems: counts }),
  object: fc
    .tuple(
      fc.dictionary(names, tie('schema'), { maxKeys: 4, noNullPrototype: true }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      fc.oneof(fc.constantFrom(undefined, false, true), tie('schema')),
      fc.boolean(),
    )
    .map(([properties, required, additionalProperties, isNullable]) => ({
      type: isNullable ? ['object', 'null'] : 'object',
      properties,
      required: Object.keys(properties).filter((_, index) => required[index]),
      additionalProperties,
    })),
}));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalars, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

test('both checkers give the verdict of ajv on random schemas, and the object validator every place', async () => {
  const seed = 20260302;
  const plain = (sample: unknown) => JSON.parse(JSON.stringify(sample)) as JsonObject;
  const samples = fc.sample(schema, { numRuns: isProof ? 1500 : 30, seed }).map(plain);
  const subjects = samples.map((sample, index) => [`Subject${index}`, sample] as const);
  const rules = await compiled('rules', Object.fromEntries(subjects));
  let valid = 0;
  for (const [index, sample] of samples.entries()) {
    const ajv = ajvOf(sample, true);
    for (const input of fc.sample(value, { numRuns: 80, seed: seed + index }).map(plain)) {
      const words = `${JSON.stringify(sample)} and ${JSON.stringify(input)}`;
      const issues = issuesOf(rules[`ruleSubject${index}`], input, words);
      // ajv passes over a property of the name of the prototype.
      if (!words.includes('__proto__'))
        expect(new Set(issues.map(({ pointer }) => pointer)), words).toEqual(ajv(input).places);
      if (issues.length === 0) valid++;
    }
  }
  expect(valid).toBeGreaterThan(3 * samples.length);
});
