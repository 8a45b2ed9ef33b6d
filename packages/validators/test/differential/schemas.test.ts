import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as validators from '../../src/generated/schemas.js';
import type { Validator } from '../../src/index.js';
import { agree } from '../stream/both-checkers.ts';
import { ajvReference } from './ajv-reference.ts';
import { compareMany, hostileJson, hostileOther, inputs, schemaNames, valuesOf } from './values.ts';

const all = validators as unknown as Readonly<Record<string, Validator<unknown>>>;

describe.each(schemaNames)('the compiled check of %s', (name) => {
  const { validate, is } = all[name] as Validator<unknown>;
  const ajv = ajvReference(name);

  test.each([
    ['on JSON', hostileJson],
    ['on what no JSON can hold', fc.oneof(hostileOther, hostileJson)],
  ])('gives the verdict of ajv %s, finds every place, and never throws', (_, hostile) => {
    const numRuns = Math.ceil(inputs / (2 * schemaNames.length));
    const valid = compareMany(valuesOf(name, hostile), numRuns, (input) => {
      const ours = validate(input, { maxIssues: 1000 });
      const { valid, places } = ajv(input);
      agree(ours.ok, valid, 'the verdict of ajv');
      agree(is(input), valid, 'the verdict of ajv on the guard');
      const found = new Set(ours.ok ? [] : ours.issues.map(({ pointer }) => pointer));
      for (const place of found) agree(places.has(place), true, `whether ajv complains about ${place}`);
      agree(found.size, places.size, 'how many places are complained about');
      return ours.ok;
    });
    expect(valid).toBeGreaterThan(0);
  });
});
