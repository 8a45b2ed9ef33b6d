import fc from 'fast-check';
import { test } from 'vitest';
import { validateResponse } from '../../src/index.js';
import { responses } from '../contract-examples.ts';
import { agree } from '../stream/both-checkers.ts';
import { ajvReference } from './ajv-reference.ts';
import { compareMany, hostileJson, hostileOther, inputs, mutated } from './inputs.ts';

test.each(responses)(
  'the check of $schema gives the verdict of ajv, finds every place, and never throws',
  ({ operationId, status, schema, bodies }) => {
    const ajv = ajvReference(schema);
    const hostile = fc.oneof({ weight: 3, arbitrary: hostileJson }, { weight: 1, arbitrary: hostileOther });
    const input = mutated(fc.constantFrom(...bodies.map((body) => ({ body }))), hostile);
    compareMany(input, Math.ceil(inputs / responses.length), ({ body }) => {
      const ours = validateResponse(operationId, status, body, { maxIssues: 1000 });
      const { valid, places } = ajv(body);
      agree(ours.ok, valid, 'the verdict of ajv');
      const found = new Set(ours.ok ? [] : ours.issues.map(({ pointer }) => pointer));
      for (const place of found) agree(places.has(place), true, `whether ajv complains about ${place}`);
      agree(found.size, places.size, 'how many places are complained about');
      return ours.ok;
    });
  },
);
