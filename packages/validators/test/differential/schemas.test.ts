// 100,000 inputs by default; DIFFERENTIAL_INPUTS=10000000 asks for more (pnpm run test:differential).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as validators from '../../src/generated/schemas.js';
import type { Validator } from '../../src/index.js';
import { ajvReference, interpreterReference } from './reference-implementations.ts';
import { hostileJson, hostileOther, mutated, mutations, schemaNames, validValues } from './schema-values.ts';

const inputs = Number(process.env['DIFFERENTIAL_INPUTS'] ?? 100_000);
const numRuns = Math.ceil(inputs / (2 * schemaNames.length));
const validatorOf = (name: string) =>
  (validators as unknown as Readonly<Record<string, Validator<unknown>>>)[name] as Validator<unknown>;

describe.each(schemaNames)('the compiled check of %s', (name) => {
  const { validate, is } = validatorOf(name);
  const ajv = ajvReference(name);
  const interpreter = interpreterReference(name);

  test('gives the verdict of two interpreters of JSON Schema, and a place that they give too', () => {
    const json = fc.tuple(validValues(name), mutations(hostileJson));
    fc.assert(
      fc.property(json, ([value, changes]) => {
        const input = mutated(value, changes);
        const ours = validate(input);
        const first = ajv(input);
        const second = interpreter(input);
        expect(ours.ok).toBe(first.valid);
        expect(is(input)).toBe(first.valid);
        if (ours.ok) expect(second.valid).toBe(true);
        else {
          const { pointer } = ours.issues[0];
          expect([...first.places]).toContain(pointer);
          expect([...second.places]).toContain(pointer);
        }
      }),
      { numRuns },
    );
  });

  test('gives the verdict of ajv on what no JSON can hold, finds every place, and never throws', () => {
    const other = fc.tuple(validValues(name), mutations(fc.oneof(hostileOther, hostileJson)));
    fc.assert(
      fc.property(other, ([value, changes]) => {
        const input = mutatedSafely(value, changes);
        const ours = validate(input, { maxIssues: 1000 });
        const { valid, places } = ajv(input);
        expect(ours.ok).toBe(valid);
        const found = ours.ok ? [] : ours.issues.map(({ pointer }) => pointer);
        expect(new Set(found)).toEqual(places);
      }),
      { numRuns },
    );
  });
});

function mutatedSafely(value: unknown, changes: Parameters<typeof mutated>[1]): unknown {
  try {
    return mutated(value, changes);
  } catch {
    return value; // a frozen or strange object that cannot be changed further
  }
}
