import { describe, expect, test } from 'vitest';
import { ContractPlace, type Json } from '../../build/contract-place.ts';
import { stringWords } from '../../build/pattern-words.ts';
import { keywordsFor } from '../../build/supported-keywords.ts';
import { packTimeZones } from '../../build/time-zones.ts';
import { compile, read } from './compiled-schema.ts';

describe('a construct that the generator does not understand stops it, with file and pointer', () => {
  const refused: readonly (readonly [name: string, schema: Json, reason: string])[] = [
    [
      'an unknown keyword',
      { type: 'object', additionalProperties: false },
      '/additionalProperties: "additionalProperties" is not understood',
    ],
    ['a keyword of another type', { type: 'string', minimum: 1 }, '/minimum: "minimum" is not understood'],
    ['a keyword without a type', { minimum: 1 }, '/minimum: "minimum" is not understood'],
    ['an unknown type', { type: 'null' }, '/type: is not a type'],
    ['an empty list of types', { type: [] }, '/type: at least one type'],
    ['an object among several types', { type: ['object', 'string'] }, '/type: several types'],
    ['a list among several types', { type: ['string', 'array'] }, '/type: several types'],
    ['an unknown format of text', { type: 'string', format: 'email' }, '/format: is not a format'],
    ['a format that every object inherits', { type: 'string', format: 'toString' }, '/format: is not a format'],
    ['an unknown format of integers', { type: 'integer', format: 'int32' }, '/format: is not a format of integers'],
    ['a pattern without anchors', { type: 'string', pattern: 'a' }, '/pattern: a pattern must be anchored'],
    ['a pattern without its beginning', { type: 'string', pattern: 'a$' }, '/pattern: a pattern must be anchored'],
    ['a pattern that is none with the u flag', { type: 'string', pattern: '^\\-$' }, '/pattern: is not a regular'],
    ['a pattern without its end', { type: 'string', pattern: '^a' }, '/pattern: a pattern must be anchored'],
    ['a broken pattern', { type: 'string', pattern: '^($' }, '/pattern: is not a regular expression'],
    ['a pattern that is no text', { type: 'string', pattern: 1 }, '/pattern: expected a string'],
    [
      'a reference with neighbours',
      { $ref: '#/components/schemas/Subject', description: '' },
      ': "$ref" is understood alone',
    ],
    ['a reference elsewhere', { $ref: '#/components/parameters/X' }, '/$ref: a reference to a component schema'],
    ['a reference to nothing', { $ref: '#/components/schemas/Nothing' }, ': refers to the component schema Nothing'],
    [
      'a reference to itself',
      { type: 'array', items: { $ref: '#/components/schemas/Subject' } },
      ': a schema that contains itself',
    ],
    [
      'a member that leads back to its object',
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { $ref: '#/components/schemas/Subject' } } } },
      },
      ': a schema that contains itself',
    ],
    [
      'anyOf that decides something',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      '/anyOf: "anyOf" is understood only',
    ],
    ['anyOf with neighbours', { anyOf: [{}], type: 'string' }, '/type: is not understood beside'],
    ['anyOf beside oneOf', { anyOf: [{}], oneOf: [] }, '/oneOf: is not understood beside'],
    ['a required member that is not described', { type: 'object', required: ['a'] }, '/required/0: a required member'],
    ['an empty enumeration', { type: 'string', enum: [] }, '/enum: an enumeration needs'],
    ['a value of another type', { type: 'string', enum: ['a', 1] }, '/enum/1: is not of the type'],
    ['a number among texts', { type: 'string', enum: [1] }, '/enum/0: is not of the type'],
    ['a boolean among texts', { type: 'string', enum: [true] }, '/enum/0: is not of the type'],
    ['a text among booleans', { type: 'boolean', enum: [true, 'true'] }, '/enum/1: is not of the type'],
    ['null among booleans', { type: 'boolean', enum: [null] }, '/enum/0: is not of the type'],
    ['a fraction among integers', { type: 'integer', enum: [1.5] }, '/enum/0: is not of the type'],
    [
      'a rule beside an enumeration',
      { type: 'string', enum: ['a'], pattern: '^a$' },
      '/pattern: is not understood beside',
    ],
    ['a format beside an enumeration', { type: 'string', enum: ['a'], format: 'date-time' }, '/format: is not'],
    ['a length beside an enumeration', { type: 'string', enum: ['a'], minLength: 1 }, '/minLength: is not'],
    ['a limit of length beside an enumeration', { type: 'string', enum: ['a'], maxLength: 1 }, '/maxLength: is not'],
    ['a least value beside an enumeration', { type: 'integer', enum: [1], minimum: 1 }, '/minimum: is not'],
    ['a greatest value beside an enumeration', { type: 'integer', enum: [1], maximum: 1 }, '/maximum: is not'],
    ['a length that is no count', { type: 'string', minLength: -1 }, '/minLength: expected a whole number'],
    ['a length with a fraction', { type: 'string', maxLength: 1.5 }, '/maxLength: expected a whole number'],
    ['a bound that is no number', { type: 'number', minimum: '1' }, '/minimum: expected a number'],
    ['a schema that is no object', [], ': expected an object'],
    ['a schema that is null', null, ': expected an object'],
    ['a schema that is a number', 1, ': expected an object'],
    ['a list that is no list', { type: 'string', enum: {} }, '/enum: expected a list'],
    [
      'something deep inside',
      { type: 'object', properties: { 'a/b': { type: 'array', items: { oneOf: [] } } } },
      '/properties/a~1b/items/oneOf: "oneOf" is not understood',
    ],
  ];
  test.each(refused)('%s', (_, schema, reason) => {
    expect(() => read({ Subject: schema })).toThrow(`contract.json#/components/schemas/Subject${reason}`);
  });
});

describe('a compiled schema', () => {
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
    expect(faults(undefined)).toEqual([' required']);
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

  test('is written once, however many others refer to it, and so is a check of nothing', async () => {
    const { source, issuesOf } = await compile({
      Inner: { type: 'object', properties: { unusual: { type: 'boolean' }, any: {} } },
      Alias: { $ref: '#/components/schemas/Inner' },
      Subject: {
        type: 'object',
        properties: {
          first: { $ref: '#/components/schemas/Inner' },
          second: { $ref: '#/components/schemas/Inner' },
          many: { type: 'array', items: { $ref: '#/components/schemas/Inner' } },
          open: { type: 'array', items: {} },
        },
      },
    });
    expect(source.split('["unusual"]')).toHaveLength(2);
    expect(source).not.toContain('["any"]');
    expect(source.split('["open"]')).toHaveLength(2);
    expect(source).not.toMatch(/item\d/);
    const wrong = {
      first: { unusual: 1 },
      second: { unusual: 1 },
      many: [{ unusual: 1 }, {}, { unusual: 1 }],
      open: [1],
    };
    expect(issuesOf({})).toEqual([]);
    expect(issuesOf(wrong).map(({ message }) => message)).toEqual([
      '/first/unusual must be true or false',
      '/second/unusual must be true or false',
      '/many/0/unusual must be true or false',
      '/many/2/unusual must be true or false',
    ]);
  });

  test('has a loop of its own for every list of numbers, one for all lists of choices, and none for others', async () => {
    const { source, faults } = await compile({
      Level: { type: 'number', minimum: 0 },
      Subject: {
        type: 'object',
        properties: {
          levels: { type: 'array', items: { $ref: '#/components/schemas/Level' } },
          others: { type: 'array', items: { $ref: '#/components/schemas/Level' } },
          shares: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 } },
          words: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          more: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
          flags: { type: 'array', items: { type: 'boolean' } },
        },
      },
    });
    expect(source.match(/^for \(let index = 0; /gm)).toHaveLength(3);
    expect(source.split("typeof item === 'number' && Number.isFinite(item) && item >= 0)")).toHaveLength(3);
    expect(source.split("typeof item === 'number' && item >= 0 && item <= 1)")).toHaveLength(2);
    expect(source.split(', areChoices, choices0)')).toHaveLength(3);
    expect(source.split('["a","b"]')).toHaveLength(2);
    const right = { levels: [0, 1], others: [0.5], shares: [0, 1], words: ['a', 'a', 'b'], more: ['b'], flags: [true] };
    expect(faults(right)).toEqual([]);
    const wrong = {
      levels: [0, -1, '1', 2, Infinity, null],
      others: [-1],
      shares: [2, 1, Number.NaN],
      words: ['a', 'c', 'c', 'b', 1],
    };
    expect(faults({ ...right, ...wrong })).toEqual([
      '/levels/1 minimum',
      '/levels/2 type',
      '/levels/4 type',
      '/levels/5 type',
      '/others/0 minimum',
      '/shares/0 maximum',
      '/shares/2 type',
      '/words/1 enum',
      '/words/2 enum',
      '/words/4 type',
    ]);
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
    expect([faults(1), faults(null), faults(undefined)]).toEqual([[], [], [' required']]);
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

test('the list of time zones is written by region and refuses names that would break it', () => {
  expect(packTimeZones(['UTC', 'Europe/Oslo', 'America/Indiana/Knox', 'Europe/Berlin'])).toBe(
    'America:Indiana/Knox;Europe:Berlin,Oslo;:UTC',
  );
  expect(() => packTimeZones(['a,b'])).toThrow('a,b');
});

test('the keywords of several types stand together', () => {
  expect([...keywordsFor(['boolean'])].toSorted()).toEqual(['deprecated', 'description', 'enum', 'examples', 'type']);
  expect(keywordsFor(['string', 'integer']).has('minimum')).toBe(true);
  expect(keywordsFor(['string']).has('minimum')).toBe(false);
});

test('a failure names its file, its place and what it is', () => {
  const place = new ContractPlace({ a: { 'b/c~d': 1 } }, 'contract.json');
  expect(() => place.fail('is wrong')).toThrow('contract.json#: is wrong');
  expect(() => place.child('a').child('b/c~d').fail('is wrong')).toThrow('contract.json#/a/b~1c~0d: is wrong');
  expect(() => place.child('b')).toThrow('contract.json#: "b" is missing');
  expect(() => place.child('b')).toThrow(expect.objectContaining({ name: 'GeneratorError' }));
});

test('an example is told in the words for text only where it is text', () => {
  const shown = (examples: Json) => {
    const schema = read({ Subject: { type: 'string', pattern: '^a+$', examples } }).get('Subject');
    return schema?.kind === 'string' ? stringWords(schema) : '';
  };
  expect([shown(['aa']), shown([]), shown([1])]).toEqual([
    'of the form aa',
    'text that matches ^a+$',
    'text that matches ^a+$',
  ]);
  const least = { kind: 'string', minLength: 2, maxLength: undefined } as const;
  expect(stringWords({ ...least, pattern: undefined, example: undefined, format: undefined })).toBe(
    'at least 2 characters long',
  );
});
