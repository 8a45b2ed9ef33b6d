// What the generator makes of schemas beside the grammar that random-schemas.test.ts compares with ajv: messages, combinations, parameters.
import { type OperationSpec, operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { DocumentChecker } from '../../src/stream/document-checker.js';
import { anything } from '../../src/value-rules.js';
import { compiled, issuesOf } from './compiled.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = (schema: object) => ({ type: 'string', ...schema });

const schemas = {
  Base: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  Whole: {
    allOf: [ref('Base'), { type: 'object', required: ['size'], properties: { size: { type: 'number' } } }],
  },
  Number: { type: ['integer', 'number'], minimum: 0, exclusiveMaximum: 9.5 },
  Closed: { type: 'object', additionalProperties: false, properties: { a: { type: 'number' } } },
  Short: text({ minLength: 2, maxLength: 3 }),
  Code: text({ pattern: '^[a-z]{2}$', minLength: 2, maxLength: 2 }),
  Early: text({ pattern: '^x|^[a-z]{2}$', maxLength: 2 }),
  Form: text({ pattern: '^a-b$', maxLength: 2, examples: ['a-b'] }),
  SameDay: text({ format: 'basic-date', pattern: '^[0-9]{8}$', maxLength: 8 }),
  OtherDay: text({ format: 'basic-date', pattern: '^2[0-9]{7}$', maxLength: 7 }),
};

describe('compiled schemas', async () => {
  const rules = await compiled('rules', schemas);
  const length = 'must be at least 2 and at most 3 characters long';
  const day = 'format: the value must be a day that exists, in the form yyyyMMdd';

  test.each<{ name: keyof typeof schemas; value: unknown; issues: readonly string[] }>([
    { name: 'Whole', value: { id: 'a', size: 1 }, issues: [] },
    { name: 'Whole', value: { size: 'x' }, issues: ['required: /id is required', 'type: /size must be a number'] },
    { name: 'Number', value: 1.5, issues: [] },
    { name: 'Number', value: 9.5, issues: ['exclusiveMaximum: the value must be less than 9.5'] },
    { name: 'Closed', value: { 'c/d': [1] }, issues: ['additionalProperties: /c~1d is not a member of this object'] },
    { name: 'Short', value: '😀😀', issues: [] },
    { name: 'Short', value: '😀', issues: [`minLength: the value ${length}`] },
    { name: 'Short', value: '😀😀😀😀', issues: [`maxLength: the value ${length}`] },
    { name: 'Code', value: 'abc', issues: ['pattern: the value must be 2 ASCII small letters'] },
    { name: 'Early', value: 'xyz', issues: ['maxLength: the value must be text that matches ^x|^[a-z]{2}$'] },
    { name: 'Form', value: 'a-b', issues: ['maxLength: the value must be of the form a-b'] },
    // The format says more than a pattern or a length beside it.
    { name: 'SameDay', value: '2023022', issues: [day] },
    { name: 'SameDay', value: '20230229', issues: [day] },
    { name: 'OtherDay', value: '19990101', issues: ['pattern: the value must be text that matches ^2[0-9]{7}$'] },
    { name: 'OtherDay', value: '20230101', issues: ['maxLength: the value must be text that matches ^2[0-9]{7}$'] },
  ])('find what the schema says: $name, $value', ({ name, value, issues }) => {
    const found = issuesOf(rules[`rule${name}`], value);
    expect(found.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(issues);
  });

  test('a closed object is checked as it flows, however long it is, and its first unknown member is that of the parsed object', () => {
    const start = `{"a":${' '.repeat(70_000)}1`;
    const written = (...pieces: string[]) => {
      const checker = new DocumentChecker(rules['ruleClosed'] ?? anything);
      const clean = pieces.map((piece) => checker.write(new TextEncoder().encode(piece)));
      const verdict = checker.end();
      return verdict.ok ? clean : [...clean, verdict.issues[0].pointer, verdict.byteOffset];
    };
    expect(written(start, '}')).toEqual([true, true]);
    expect(written(start, ',"c"', ':1}')).toEqual([true, false, false, '/c', start.length + 1]);
    expect(written(start, ',"c":1,"0":1,"9":1,"c":1}')).toEqual([true, false, '/0', start.length + 7]);
  });
});

test('parameters of other types are read from their text', async () => {
  const parameter = { in: 'query', required: false, description: '' } as const;
  const read: OperationSpec = {
    ...operations.listVehicles,
    operationId: 'readThings',
    parameters: [
      { ...parameter, name: 'size', schema: 'PageSize', rule: { type: 'integer', default: 10 } },
      { ...parameter, name: 'more', schema: 'Detailed', rule: { type: 'boolean' } },
    ],
    responses: { 200: 'Done' },
  };
  const Detailed = { type: 'boolean' };
  const types = { PageSize: { type: 'integer', minimum: 1, maximum: 50 }, Detailed, Done: { type: 'object' } };
  const { readThingsRequest } = await compiled('operations', types, [read]);
  const check = (query: string) => {
    const result = readThingsRequest?.validate({ path: {}, query, headers: {} });
    return result?.ok ? result.value : result?.issues.map(({ name, rule }) => `${name} ${rule}`);
  };
  expect(check('size=50&more=true')).toMatchObject({ query: { size: 50, more: true } });
  expect(check('more=false')).toMatchObject({ query: { size: 10, more: false } });
  for (const wrong of ['5.0', '+5', '05', '5e1', ' 5', 'ten', '9007199254740993'])
    expect(check(`size=${wrong}`)).toEqual(['size type']);
  expect(check('size=51')).toEqual(['size maximum']);
  expect(check('more=yes')).toEqual(['more type']);
});
