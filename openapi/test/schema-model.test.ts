import { describe, expect, test } from 'vitest';
import { type Json, Place } from '../build/place.ts';
import { readSchemas } from '../build/schema-model.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
// An expectation leaves out what is undefined.
const number = { kind: 'number', integer: false };
const text = { kind: 'string' };
const property = (name: string, schema: object, required = false) => {
  return { name, required, schema, place: expect.any(Place) };
};

/** Reads a schema among others. */
function read(schema: Json, others: Readonly<Record<string, Json>> = {}) {
  return readSchemas(Place.root({ components: { schemas: { ...others, Subject: schema } } })).get('Subject');
}

describe('a schema is read as one of a few kinds', () => {
  const Base = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const nullable = (schema: object) => ({ kind: 'nullable', schema });
  const values = (...list: readonly Json[]) => ({ kind: 'enum', values: list });
  const size = { type: 'object', required: ['size'], properties: { size: { type: 'number' } } };
  const properties = [property('id', text, true), property('size', number, true)];
  const both = { kind: 'object', properties, additional: { kind: 'any' } };
  const elsewhere = { property: 'unit' };
  const open = { exclusiveMinimum: 0, exclusiveMaximum: 9 };
  const counts = { minItems: 1, maxItems: 2 };
  const nothing = { kind: 'object', properties: [] };
  const numbers = { ...nothing, additional: number };
  const kinds: readonly { readonly story: string; readonly schema: Json; readonly model: object }[] = [
    { story: 'nothing is stated', schema: { description: 'Any value.' }, model: { kind: 'any' } },
    {
      story: 'an integer is a number',
      schema: { type: ['integer', 'number'], minimum: 1 },
      model: { ...number, minimum: 1 },
    },
    { story: 'exclusive bounds', schema: { type: 'number', ...open }, model: { ...number, ...open } },
    { story: 'a unit', schema: { type: 'number', 'x-unit': 'km' }, model: { ...number, unit: 'km' } },
    {
      story: 'a unit in another member',
      schema: { type: 'number', 'x-unit': elsewhere },
      model: { ...number, unit: elsewhere },
    },
    { story: 'an example', schema: { type: 'number', examples: [5, 6] }, model: { ...number, example: 5 } },
    { story: 'a constant', schema: { const: 5 }, model: values(5) },
    { story: 'numbers in a list of values', schema: { type: 'number', enum: [1, 1.5] }, model: values(1, 1.5) },
    {
      story: 'null in a list of values',
      schema: { type: ['string', 'null'], enum: ['a', null] },
      model: values('a', null),
    },
    { story: 'the type null', schema: { type: 'null' }, model: values(null) },
    { story: 'null beside a type', schema: { type: ['number', 'null'] }, model: nullable(number) },
    {
      story: 'null or a reference',
      schema: { anyOf: [reference('Base'), { type: 'null' }] },
      model: nullable({ kind: 'ref', name: 'Base' }),
    },
    {
      story: 'values of different types',
      schema: { anyOf: [{ const: 'true' }, { const: true }] },
      model: values('true', true),
    },
    { story: 'anyOf with a branch without rules', schema: { anyOf: [reference('Base'), {}] }, model: { kind: 'any' } },
    {
      story: 'a bounded list',
      schema: { type: 'array', ...counts },
      model: { kind: 'array', items: { kind: 'any' }, ...counts },
    },
    { story: 'a closed object', schema: { type: 'object', additionalProperties: false }, model: nothing },
    {
      story: 'rules of other members',
      schema: { type: 'object', additionalProperties: { type: 'number' } },
      model: numbers,
    },
    { story: 'unknown extensions', schema: { type: 'boolean', 'x-anything': [1] }, model: { kind: 'boolean' } },
    {
      story: 'words beside a reference',
      schema: { ...reference('Base'), description: 'A base.' },
      model: { kind: 'ref', name: 'Base' },
    },
    { story: 'rules beside a reference', schema: { ...reference('Base'), ...size }, model: both },
    { story: 'rules beside each of two references', schema: { ...reference('Sized'), type: 'object' }, model: both },
    { story: 'allOf of objects', schema: { allOf: [reference('Base'), size] }, model: both },
  ];
  test.each(kinds)('$story', ({ schema, model }) => {
    expect(read(schema, { Base, Sized: { ...reference('Base'), ...size } })).toEqual(model);
  });
});

test('a reference is resolved in the words beside it, and with rules beside it stops the build', () => {
  const Base = { type: 'array', items: { type: 'number' }, description: 'Some.' };
  const inlined = (beside: object) => {
    const root = Place.root({ components: { schemas: { Base } }, list: [{ ...reference('Base'), ...beside }] });
    return root.child('list').inlined();
  };
  expect(inlined({ description: 'Others.' })).toEqual([{ ...Base, description: 'Others.' }]);
  expect(() => inlined({ minItems: 1 })).toThrow('#/list/0/minItems: "minItems" is not understood here');
});

describe('what is not understood stops the build, with its place', () => {
  const self = reference('Subject');
  const some = { type: 'object', properties: { a: {} } };
  const rejected: readonly { readonly story: string; readonly schema: Json; readonly reason: string }[] = [
    {
      story: 'an unknown keyword',
      schema: { type: 'array', uniqueItems: true },
      reason: '/uniqueItems: "uniqueItems" is not understood',
    },
    {
      story: 'a keyword of another type',
      schema: { type: 'string', minimum: 1 },
      reason: '/minimum: "minimum" is not understood',
    },
    { story: 'a keyword without a type', schema: { minimum: 1 }, reason: '/minimum: "minimum" is not understood' },
    { story: 'an unknown type', schema: { type: 'date' }, reason: '/type: expected one of' },
    { story: 'no type', schema: { type: [] }, reason: '/type: expected at least one type' },
    {
      story: 'two types',
      schema: { type: ['boolean', 'string'] },
      reason: '/type: of several types, only null is understood',
    },
    {
      story: 'an unknown format of text',
      schema: { type: 'string', format: 'email' },
      reason: '/format: expected one of',
    },
    {
      story: 'an unknown format of integers',
      schema: { type: 'integer', format: 'uint8' },
      reason: '/format: expected one of',
    },
    {
      story: 'a pattern without anchors',
      schema: { type: 'string', pattern: 'a' },
      reason: '/pattern: a pattern must be anchored',
    },
    {
      story: 'a broken pattern',
      schema: { type: 'string', pattern: '^($' },
      reason: '/pattern: is not a regular expression',
    },
    {
      story: 'a fractional length',
      schema: { type: 'string', minLength: 1.5 },
      reason: '/minLength: expected a whole number',
    },
    {
      story: 'a reference elsewhere',
      schema: { $ref: '#/components/parameters/X' },
      reason: ': expected a reference to components/schemas',
    },
    {
      story: 'a reference to nothing',
      schema: reference('Nothing'),
      reason: ': components/schemas/Nothing does not exist',
    },
    {
      story: 'a schema that contains itself',
      schema: { type: 'array', items: self },
      reason: ': a schema that contains itself',
    },
    {
      story: 'anyOf of types',
      schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
      reason: '/anyOf: is understood for',
    },
    {
      story: 'anyOf of one type twice',
      schema: { anyOf: [{ const: 1 }, { const: 2 }] },
      reason: '/anyOf: is understood for',
    },
    {
      story: 'a unit of a list',
      schema: { type: 'array', 'x-unit': 'km' },
      reason: '/x-unit: "x-unit" is not understood',
    },
    { story: 'a unit that is no text', schema: { type: 'number', 'x-unit': 1 }, reason: '/x-unit: expected an object' },
    {
      story: 'contradicting parts',
      schema: { allOf: [{ type: 'string' }, { type: 'number' }] },
      reason: '/allOf/1/type: "type" has another',
    },
    {
      story: 'a member described twice',
      schema: { allOf: [some, some] },
      reason: '/allOf/1/properties/a: is described by two',
    },
    {
      story: 'a required member without a description',
      schema: { type: 'object', required: ['a'] },
      reason: '/required/0: a required member',
    },
    {
      story: 'an empty list of values',
      schema: { type: 'string', enum: [] },
      reason: '/enum: expected at least one value',
    },
    {
      story: 'a value of another type',
      schema: { type: 'string', enum: ['a', 1] },
      reason: '/enum/1: is not of the type',
    },
    {
      story: 'a rule beside values',
      schema: { type: 'string', enum: ['a'], pattern: '^a$' },
      reason: '/pattern: "pattern" is not',
    },
    {
      story: 'a mistake inside',
      schema: { type: 'object', properties: { 'a/b': { not: {} } } },
      reason: '/properties/a~1b/not: "not" is not',
    },
  ];
  test.each(rejected)('$story', ({ schema, reason }) => {
    expect(() => read(schema)).toThrow(`#/components/schemas/Subject${reason}`);
  });
});
