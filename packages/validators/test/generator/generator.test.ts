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

  test('takes null where the contract does', async () => {
    const properties = {
      text: { type: ['string', 'null'] },
      base: { anyOf: [base, { type: 'null' }] },
      numbers: { type: 'array', items: { type: ['number', 'null'], minimum: 0 } },
      words: { type: 'array', items: { type: ['string', 'null'], enum: ['a', 'b', null] } },
      nothing: { type: 'null' },
      group: { type: ['object', 'null'], properties: { size: { type: 'number' } } },
    };
    const { faults } = await compile({ Base, Subject: { type: 'object', properties } });
    const nulls = {
      text: null,
      base: null,
      numbers: [1, null, 2],
      words: ['a', null, 'b'],
      nothing: null,
      group: null,
    };
    expect(faults(nulls)).toEqual([]);
    expect(faults({ text: 'x', base: { id: 'a' }, group: { size: 1 } })).toEqual([]);
    expect(faults({ text: 1, base: {}, numbers: [null, -1], words: ['c'], nothing: 0, group: { size: '' } })).toEqual([
      '/text type',
      '/base/id required',
      '/numbers/1 minimum',
      '/words/0 enum',
      '/nothing type',
      '/group/size type',
    ]);
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

  test('checks other members by their own rules', async () => {
    const Subject = { type: 'object', additionalProperties: base, properties: { a: { type: 'number' } } };
    const { faults } = await compile({ Base, Subject });
    expect(faults({ a: 1, x: { id: 'x' }, y: { id: 'y', more: [1, { z: 2 }] } })).toEqual([]);
    expect(faults({ a: 1, x: { id: 'x' }, y: { id: 5 } })).toEqual(['/y/id type']);
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

  test('of an object finds missing members, wrong types and what is wrong inside', async () => {
    const inner = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 1 }, any: {} } };
    const { faults } = await compile({
      Inner: inner,
      Subject: {
        type: 'object',
        required: ['a', 'any', 'inner'],
        properties: { a: { type: 'boolean' }, any: {}, inner: { $ref: '#/components/schemas/Inner' }, own: inner },
      },
    });
    expect(faults({ a: true, any: null, inner: { n: 1 } })).toEqual([]);
    expect(faults({ a: 1, inner: { n: 0.5 }, own: {} })).toEqual([
      '/a type',
      '/any required',
      '/inner/n type',
      '/own/n required',
    ]);
    expect(faults({ a: false, any: 1, inner: [], own: null })).toEqual(['/inner type', '/own type']);
    expect(faults({})).toEqual(['/a required', '/any required', '/inner required']);
    expect(faults(null)).toEqual([' type']);
    expect(faults(undefined)).toEqual([' type']);
  });

  test.each([[['integer', 'number']], [['number', 'integer']]])('of the types %j takes fractions', async (type) => {
    const { faults } = await compile({ Subject: { type, minimum: 0 } });
    expect(faults(1.5)).toEqual([]);
    expect(faults(2)).toEqual([]);
    expect(faults(-1.5)).toEqual([' minimum']);
    expect(faults('1')).toEqual([' type']);
  });

  test('of lists checks every item, through runs of equal ones too', async () => {
    const { faults } = await compile({
      Flag: { type: 'boolean' },
      Subject: {
        type: 'object',
        properties: {
          numbers: { type: 'array', items: { type: 'number', minimum: 0, maximum: 9 } },
          integers: { type: 'array', items: { type: 'integer' } },
          open: { type: 'array', items: { type: 'number', maximum: 1 } },
          above: { type: 'array', items: { type: 'number', minimum: 0 } },
          codes: { type: 'array', items: { type: 'integer', enum: [1, 2] } },
          mixed: { type: 'array', items: { type: ['string', 'number'], enum: ['a', 1.5] } },
          words: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          flags: { type: 'array', items: { $ref: '#/components/schemas/Flag' } },
          lists: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
          any: { type: 'array' },
          objects: { type: 'array', items: { type: 'object', properties: { 'm~/n': { type: 'string' } } } },
        },
      },
    });
    for (let at = 0; at < 9; at++) {
      for (const wrong of [-1, 10, '1', null, Number.NaN]) {
        const numbers: unknown[] = [0, 1, 2, 3, 4, 5, 6, 7, 9];
        numbers[at] = wrong;
        expect(faults({ numbers })).toHaveLength(1);
        expect(faults({ numbers })[0]).toContain(`/numbers/${at} `);
      }
    }
    expect(faults({ integers: [1, 2, 3, 4.5, -0, 1e300] })).toEqual(['/integers/3 type']);
    expect(faults({ open: [1, -1e300, Number.NEGATIVE_INFINITY, 2] })).toEqual(['/open/2 type', '/open/3 maximum']);
    expect(faults({ above: [0, 1e300, Number.POSITIVE_INFINITY, -1] })).toEqual(['/above/2 type', '/above/3 minimum']);
    expect(faults({ codes: [1, 3, 2, '1', true] })).toEqual(['/codes/1 enum', '/codes/3 type', '/codes/4 type']);
    expect(faults({ mixed: ['a', 1.5, true, 1] })).toEqual(['/mixed/2 type', '/mixed/3 enum']);
    expect(faults({ words: ['a', 'b', 'c', 1] })).toEqual(['/words/2 enum', '/words/3 type']);
    expect(faults({ flags: [true, 0] })).toEqual(['/flags/1 type']);
    expect(faults({ flags: [true, undefined] })).toEqual(['/flags/1 required']);
    expect(faults({ numbers: [1, undefined, 2, -1] })).toEqual(['/numbers/1 required', '/numbers/3 minimum']);
    expect(faults({ words: ['a', undefined, 'a', 'a', 'c', 'b'] })).toEqual(['/words/1 required', '/words/4 enum']);
    expect(faults({ lists: [['x'], [1], 2] })).toEqual(['/lists/1/0 type', '/lists/2 type']);
    expect(faults({ any: [1, null, undefined] })).toEqual([]);
    expect(faults({ any: {} })).toEqual(['/any type']);
    expect(faults({ objects: [{ 'm~/n': 1 }] })).toEqual(['/objects/0/m~0~1n type']);
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

  test('says no more than it must: no rule where there is none, no bound that is open, no import of nothing', async () => {
    const plain = await compile({
      Subject: { type: 'object', properties: { note: { type: 'string' }, count: { type: 'integer' } } },
    });
    expect(plain.source).not.toMatch(/TextRule|, undefined\)|import \{ {2}\}/);
    const limited = await compile({ Subject: { type: 'array', items: { type: 'number', minimum: 1, maximum: 2 } } });
    expect(limited.source).not.toContain('isFinite');
  });

  test('lets an empty text and an integer of any format through where nothing forbids them', async () => {
    const { faults } = await compile({
      Subject: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 0 }, count: { type: 'integer', format: 'int64' } },
      },
    });
    expect(faults({ text: '', count: 2 ** 62 })).toEqual([]);
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

  test('allows everything where one branch of anyOf does', async () => {
    const { faults } = await compile({
      Subject: { anyOf: [{ type: 'string' }, { description: 'anything' }], description: '' },
    });
    expect([faults(1), faults(null), faults({})]).toEqual([[], [], []]);
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
