import { describe, expect, test } from 'vitest';
import { stringWords } from '../../build/string-words.ts';
import { packTimeZones } from '../../build/time-zones.ts';
import { compile } from './compiled-schema.ts';

describe('a compiled schema', () => {
  const Base = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const base = { $ref: '#/components/schemas/Base' };

  test('of numbers with exclusive bounds rejects the bounds themselves', async () => {
    const items = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9.5 };
    const { faults } = await compile({ Subject: { type: 'array', items } });
    expect(faults([0.1, 5, 9.4999999])).toEqual([]);
    expect(faults([0, 9.5, -1])).toEqual(['/0 exclusiveMinimum', '/1 exclusiveMaximum', '/2 exclusiveMinimum']);
  });

  test('of lists counts their items', async () => {
    const items = { type: 'number', minimum: 0 };
    const { faults } = await compile({ Subject: { type: 'array', items, minItems: 1, maxItems: 2 } });
    for (const list of [[1], [1, 2], [1, 22222222222]]) expect(faults(list)).toEqual([]);
    expect(faults([])).toEqual([' minItems']);
    expect(faults([1, 2, 3])).toEqual([' maxItems']);
    expect(faults([-1, 2, 3])).toEqual([' maxItems', '/0 minimum']);
  });

  test('of a closed object rejects other members, and says which', async () => {
    const Subject = { type: 'object', additionalProperties: false, properties: { a: { type: 'number' }, b: {} } };
    const { faults } = await compile({ Subject });
    expect(faults({ a: 1, b: 2 })).toEqual([]);
    expect(faults({ c: 1, a: 'x', d: { e: 1 } })).toEqual([
      '/a type',
      '/c additionalProperties',
      '/d additionalProperties',
    ]);
    expect(faults({ 'c/d': [1] })).toEqual(['/c~1d additionalProperties']);
  });

  test('combines the parts of allOf', async () => {
    const part = { type: 'object', required: ['size'], properties: { size: { type: 'number' } } };
    const { faults } = await compile({ Base, Subject: { allOf: [base, part] } });
    expect(faults({ id: 'a', size: 1 })).toEqual([]);
    expect(faults({ size: 'x' })).toEqual(['/id required', '/size type']);
  });

  test('of oneOf follows the property that decides', async () => {
    const branch = (kind: string, member: string) => ({
      type: 'object',
      required: ['kind', member],
      properties: { kind: { const: kind }, [member]: { type: 'number' } },
    });
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const Subject = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } };
    const all = { Cat: branch('cat', 'lives'), Dog: branch('dog', 'walks'), Pet: Subject };
    const { faults } = await compile({ ...all, Subject: { type: 'array', items: ref('Pet') } });
    expect(
      faults([
        { kind: 'cat', lives: 9 },
        { walks: 2, kind: 'dog' },
      ]),
    ).toEqual([]);
    expect(faults([{ kind: 'cat', walks: 2 }, { lives: 9, kind: 'cow' }, {}, 1])).toEqual([
      '/0/lives required',
      '/1/kind enum',
      '/2/kind required',
      '/3 type',
    ]);
  });

  test.each([[['integer', 'number']], [['number', 'integer']]])('of the types %j takes fractions', async (type) => {
    const { faults } = await compile({ Subject: { type, minimum: 0 } });
    expect(faults(1.5)).toEqual([]);
    expect(faults(2)).toEqual([]);
    expect(faults(-1.5)).toEqual([' minimum']);
    expect(faults('1')).toEqual([' type']);
  });

  test('of text checks length in code points, pattern and format', async () => {
    const { issuesOf } = await compile({
      Subject: {
        type: 'object',
        properties: {
          short: { type: 'string', minLength: 2, maxLength: 3 },
          code: { type: 'string', pattern: '^[a-z]{2}$', minLength: 2, maxLength: 2 },
          form: { type: 'string', pattern: '^a-b$', maxLength: 2, examples: ['a-b'] },
          day: { type: 'string', format: 'basic-date' },
          sameDay: { type: 'string', format: 'basic-date', pattern: '^[0-9]{8}$', maxLength: 8 },
          latinDay: { type: 'string', format: 'basic-date', pattern: '^2[0-9]{7}$', maxLength: 7 },
        },
      },
    });
    const said = (value: unknown) => issuesOf(value).map(({ rule, message }) => `${rule}: ${message}`);
    expect(said({ short: '😀😀', code: 'ab', day: '20240229' })).toEqual([]);
    expect(said({ short: '😀' })).toEqual(['minLength: /short must be at least 2 and at most 3 characters long']);
    expect(said({ short: '😀😀😀😀' })).toEqual(['maxLength: /short must be at least 2 and at most 3 characters long']);
    expect(said({ short: 'xxx' })).toEqual([]);
    expect(said({ code: 'abc' })).toEqual(['pattern: /code must be 2 ASCII small letters']);
    expect(said({ form: 'a-b' })).toEqual(['maxLength: /form must be of the form a-b']);
    expect(said({ day: '20230229' })).toEqual(['format: /day must be a day that exists, in the form yyyyMMdd']);
    // A rule that the format makes superfluous says nothing; one that forbids more does.
    expect(said({ sameDay: '2023022' })).toEqual(['format: /sameDay must be a day that exists, in the form yyyyMMdd']);
    expect(said({ latinDay: '1999010' })).toEqual(['pattern: /latinDay must be text that matches ^2[0-9]{7}$']);
    expect(said({ latinDay: '20230101' })).toEqual(['maxLength: /latinDay must be text that matches ^2[0-9]{7}$']);
  });

  test('of text leaves out a rule of length only where the pattern says the same', async () => {
    const text = (pattern: string, maxLength: number) => ({ type: 'string', pattern, maxLength });
    const { faults } = await compile({
      Subject: {
        type: 'object',
        properties: {
          long: text('^[a-z]{12}$', 12),
          early: text('^x|^[a-z]{2}$', 2),
          late: text('^[a-z]{2}$|^x.*$', 2),
          other: text('^[a-z]{2}$', 1),
          character: text('^.$', 1),
        },
      },
    });
    expect(faults({ long: 'abcdefghijkl', early: 'x', late: 'x', character: '😀' })).toEqual([]);
    expect(faults({ long: 'abcdefghijklm', early: 'xyz', late: 'xyz', other: 'ab' })).toEqual([
      '/long pattern',
      '/early maxLength',
      '/late maxLength',
      '/other maxLength',
    ]);
  });

  test('of several types asks the type that the value has', async () => {
    const { faults, issuesOf } = await compile({
      Subject: { type: ['string', 'integer', 'boolean'], minimum: 3, minLength: 2 },
    });
    expect([faults('ab'), faults(3), faults(false)]).toEqual([[], [], []]);
    expect([faults('a'), faults(2), faults(null)]).toEqual([[' minLength'], [' minimum'], [' type']]);
    expect(issuesOf(null)[0]?.message).toBe('the value must be text or a number or true or false');
  });

  test('reads members that every object inherits as own members only', async () => {
    const { faults } = await compile({
      Subject: {
        type: 'object',
        required: ['toString'],
        properties: { toString: { type: 'string' }, valueOf: { type: 'string' } },
      },
    });
    expect(faults({})).toEqual(['/toString required']);
    expect(faults({ toString: 'x' })).toEqual([]);
    expect(faults({ toString: 1, valueOf: 1 })).toEqual(['/toString type', '/valueOf type']);
  });

  test('reads a member with the name of the prototype as an own member only', async () => {
    const { faults } = await compile(
      JSON.parse('{"Subject": {"type": "object", "properties": {"__proto__": {"type": "string"}}}}'),
    );
    expect(faults({})).toEqual([]);
    expect(faults(JSON.parse('{"__proto__": 1}'))).toEqual(['/__proto__ type']);
  });
});

test('the words for text say what it is made of', () => {
  const words = (pattern: string | undefined, example?: string) =>
    stringWords({ kind: 'string', pattern, example, minLength: undefined, maxLength: 5, format: undefined });
  expect(words('^x|^[0-9]{8}$')).toBe('text that matches ^x|^[0-9]{8}$');
  expect(words('^[0-9]{8}$|^x$')).toBe('text that matches ^[0-9]{8}$|^x$');
  expect(words('^[0-9A-Za-z]{17}$')).toBe('17 ASCII digits or letters');
  expect(words('^[0-9]{8}$', '20260302')).toBe('8 ASCII digits, such as 20260302');
  expect(words('^[a-f0-9]{2}$')).toBe('2 ASCII a-f or digits');
  expect(words('^[A-Z]{2}$')).toBe('2 ASCII capital letters');
  expect(words('^a+$')).toBe('text that matches ^a+$');
  expect(words('^a+$', 'aa')).toBe('of the form aa');
  expect(words(undefined)).toBe('at most 5 characters long');
});

test('the list of time zones is written by region and rejects names that would break it', () => {
  expect(packTimeZones(['UTC', 'Europe/Oslo', 'America/Indiana/Knox', 'Europe/Berlin'])).toBe(
    'America:Indiana/Knox;Europe:Berlin,Oslo;:UTC',
  );
  expect(() => packTimeZones(['a,b'])).toThrow('a,b');
});
