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
  const kinds: readonly (readonly [name: string, schema: Json, model: object])[] = [
    ['nothing is stated', { description: 'Any value.' }, { kind: 'any' }],
    ['an integer is a number', { type: ['integer', 'number'], minimum: 1 }, { ...number, minimum: 1 }],
    ['exclusive bounds', { type: 'number', ...open }, { ...number, ...open }],
    ['a unit', { type: 'number', 'x-unit': 'km' }, { ...number, unit: 'km' }],
    ['a unit in another member', { type: 'number', 'x-unit': elsewhere }, { ...number, unit: elsewhere }],
    ['an example', { type: 'number', examples: [5, 6] }, { ...number, example: 5 }],
    ['a constant', { const: 5 }, values(5)],
    ['numbers in a list of values', { type: 'number', enum: [1, 1.5] }, values(1, 1.5)],
    ['null in a list of values', { type: ['string', 'null'], enum: ['a', null] }, values('a', null)],
    ['the type null', { type: 'null' }, values(null)],
    ['null beside a type', { type: ['number', 'null'] }, nullable(number)],
    ['null or a reference', { anyOf: [reference('Base'), { type: 'null' }] }, nullable({ kind: 'ref', name: 'Base' })],
    ['values of different types', { anyOf: [{ const: 'true' }, { const: true }] }, values('true', true)],
    ['anyOf with a branch without rules', { anyOf: [reference('Base'), {}] }, { kind: 'any' }],
    ['a bounded list', { type: 'array', ...counts }, { kind: 'array', items: { kind: 'any' }, ...counts }],
    ['a closed object', { type: 'object', additionalProperties: false }, nothing],
    ['rules of other members', { type: 'object', additionalProperties: { type: 'number' } }, numbers],
    ['unknown extensions', { type: 'boolean', 'x-anything': [1] }, { kind: 'boolean' }],
    ['words beside a reference', { ...reference('Base'), description: 'A base.' }, { kind: 'ref', name: 'Base' }],
    ['rules beside a reference', { ...reference('Base'), ...size }, both],
    ['rules beside each of two references', { ...reference('Sized'), type: 'object' }, both],
    ['allOf of objects', { allOf: [reference('Base'), size] }, both],
  ];
  test.each(kinds)('%s', (_, schema, model) => {
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
  const rejected: readonly (readonly [name: string, schema: Json, reason: string])[] = [
    ['an unknown keyword', { type: 'array', uniqueItems: true }, '/uniqueItems: "uniqueItems" is not understood'],
    ['a keyword of another type', { type: 'string', minimum: 1 }, '/minimum: "minimum" is not understood'],
    ['a keyword without a type', { minimum: 1 }, '/minimum: "minimum" is not understood'],
    ['an unknown type', { type: 'date' }, '/type: expected one of'],
    ['no type', { type: [] }, '/type: expected at least one type'],
    ['two types', { type: ['boolean', 'string'] }, '/type: of several types, only null is understood'],
    ['an unknown format of text', { type: 'string', format: 'email' }, '/format: expected one of'],
    ['an unknown format of integers', { type: 'integer', format: 'uint8' }, '/format: expected one of'],
    ['a pattern without anchors', { type: 'string', pattern: 'a' }, '/pattern: a pattern must be anchored'],
    ['a broken pattern', { type: 'string', pattern: '^($' }, '/pattern: is not a regular expression'],
    ['a fractional length', { type: 'string', minLength: 1.5 }, '/minLength: expected a whole number'],
    ['a reference elsewhere', { $ref: '#/components/parameters/X' }, ': expected a reference to components/schemas'],
    ['a reference to nothing', reference('Nothing'), ': components/schemas/Nothing does not exist'],
    ['a schema that contains itself', { type: 'array', items: self }, ': a schema that contains itself'],
    ['anyOf of types', { anyOf: [{ type: 'boolean' }, { type: 'string' }] }, '/anyOf: is understood for'],
    ['anyOf of one type twice', { anyOf: [{ const: 1 }, { const: 2 }] }, '/anyOf: is understood for'],
    ['a unit of a list', { type: 'array', 'x-unit': 'km' }, '/x-unit: "x-unit" is not understood'],
    ['a unit that is no text', { type: 'number', 'x-unit': 1 }, '/x-unit: expected an object'],
    ['contradicting parts', { allOf: [{ type: 'string' }, { type: 'number' }] }, '/allOf/1/type: "type" has another'],
    ['a member described twice', { allOf: [some, some] }, '/allOf/1/properties/a: is described by two'],
    ['a required member without a description', { type: 'object', required: ['a'] }, '/required/0: a required member'],
    ['an empty list of values', { type: 'string', enum: [] }, '/enum: expected at least one value'],
    ['a value of another type', { type: 'string', enum: ['a', 1] }, '/enum/1: is not of the type'],
    ['a rule beside values', { type: 'string', enum: ['a'], pattern: '^a$' }, '/pattern: "pattern" is not'],
    ['a mistake inside', { type: 'object', properties: { 'a/b': { not: {} } } }, '/properties/a~1b/not: "not" is not'],
  ];
  test.each(rejected)('%s', (_, schema, reason) => {
    expect(() => read(schema)).toThrow(`#/components/schemas/Subject${reason}`);
  });
});
