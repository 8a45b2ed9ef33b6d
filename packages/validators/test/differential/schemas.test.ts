import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as validators from '../../src/generated/schemas.js';
import type { Validator } from '../../src/index.js';
import { agree } from '../stream/both-checkers.ts';
import { compareMany, inputs } from './comparison.ts';
import { ajvReference, interpreterReference } from './reference-implementations.ts';
import { hostileJson, hostileOther, mutated, mutations, schemaNames, validValues } from './schema-values.ts';

const numRuns = Math.ceil(inputs / (2 * schemaNames.length));
const validatorOf = (name: string) =>
  (validators as unknown as Readonly<Record<string, Validator<unknown>>>)[name] as Validator<unknown>;

describe.each(schemaNames)('the compiled check of %s', (name) => {
  const { validate, is } = validatorOf(name);
  const ajv = ajvReference(name);
  const interpreter = interpreterReference(name);

  test('gives the verdict of two interpreters of JSON Schema, and a place that they give too', () => {
    const json = fc.tuple(validValues(name), mutations(hostileJson));
    const valid = compareMany(json, numRuns, ([value, changes]) => {
      const input = mutated(value, changes);
      const ours = validate(input);
      const first = ajv(input);
      const second = interpreter(input);
      agree(ours.ok, first.valid, 'the verdict of ajv');
      agree(is(input), first.valid, 'the verdict of ajv on the guard');
      agree(ours.ok, second.valid, 'the verdict of the interpreter');
      if (!ours.ok) {
        const { pointer } = ours.issues[0];
        agree(first.places.has(pointer), true, `whether ajv complains about ${pointer}`);
        agree(second.places.has(pointer), true, `whether the interpreter complains about ${pointer}`);
      }
      return ours.ok;
    });
    expect(valid).toBeGreaterThan(0);
  });

  test('gives the verdict of ajv on what no JSON can hold, finds every place, and never throws', () => {
    const other = fc.tuple(validValues(name), mutations(fc.oneof(hostileOther, hostileJson)));
    const valid = compareMany(other, numRuns, ([value, changes]) => {
      const input = mutatedSafely(value, changes);
      const ours = validate(input, { maxIssues: 1000 });
      const { valid, places } = ajv(input);
      agree(ours.ok, valid, 'the verdict of ajv');
      const found = new Set(ours.ok ? [] : ours.issues.map(({ pointer }) => pointer));
      for (const place of found) agree(places.has(place), true, `whether ajv complains about ${place}`);
      agree(found.size, places.size, 'how many places are complained about');
      return ours.ok;
    });
    expect(valid).toBeGreaterThan(0);
  });
});

function mutatedSafely(value: unknown, changes: Parameters<typeof mutated>[1]): unknown {
  try {
    return mutated(value, changes);
  } catch {
    return value; // a frozen or strange object that cannot be changed further
  }
}
