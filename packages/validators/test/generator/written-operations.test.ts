import { describe, expect, test } from 'vitest';
import { createValidator } from '../../src/validator.js';
import { drop, read, schemas } from './small-contract.ts';
import { complaints, run, written } from './written-files.ts';

const parts = { path: { code: '007' }, query: 'from=20240228&to=20240301', headers: { Colour: 'red' } };

function placesOf(result: { readonly ok: boolean; readonly issues?: readonly object[] }): readonly unknown[] {
  return result.issues ?? [];
}

describe('the request validator of an operation', () => {
  test('reads every parameter where the contract has it, with its default', async () => {
    const { readThingRequest } = await run('operations');
    expect(readThingRequest?.validate(parts)).toEqual({
      ok: true,
      value: {
        path: { code: '007' },
        query: { from: '20240228', to: '20240301', 'zone-id': 'UTC' },
        headers: { Colour: 'red' },
      },
    });
  });

  test('checks every parameter by its own schema, and asks for those that are required', async () => {
    const { readThingRequest } = await run('operations');
    const wrong = { path: { code: 'x' }, query: 'from=1&to=2&zone-id=3', headers: { Colour: 'x', Shape: 'y' } };
    expect(placesOf(readThingRequest?.validate(wrong, { maxIssues: 9 }) ?? { ok: true })).toMatchObject([
      { in: 'header', name: 'Colour', rule: 'enum', message: 'Colour must be one of "red", "blue"' },
      { in: 'header', name: 'Shape', rule: 'enum', message: 'Shape must be one of "round", "flat"' },
      { in: 'path', name: 'code', rule: 'pattern' },
      { in: 'query', name: 'from', rule: 'format' },
      { in: 'query', name: 'to', rule: 'format' },
      { in: 'query', name: 'zone-id', rule: 'format' },
    ]);
    const missing = readThingRequest?.validate({ path: {}, query: '', headers: {} }, { maxIssues: 9 });
    expect(placesOf(missing ?? { ok: true })).toMatchObject([
      { name: 'Colour', rule: 'required' },
      { name: 'code', rule: 'required' },
      { name: 'from', rule: 'required' },
      { name: 'to', rule: 'required' },
    ]);
  });

  test('has the range of days and the wide effect of its operation, and of no other', async () => {
    const { readThingRequest, dropThingsRequest } = await run('operations');
    const far = { ...parts, query: 'from=20240228&to=20240302' };
    expect(placesOf(readThingRequest?.validate(far) ?? { ok: true })).toMatchObject([{ rule: 'dateRange' }]);
    const nothing = { path: {}, query: '?', headers: {} };
    expect(placesOf(dropThingsRequest?.validate(nothing) ?? { ok: true })).toMatchObject([{ rule: 'emptyQuery' }]);
    expect(dropThingsRequest?.validate({ ...nothing, query: '' })).toMatchObject({ ok: true });
    expect(placesOf(readThingRequest?.validate(nothing) ?? { ok: true })).toMatchObject([{ rule: 'required' }]);
  });

  test('can have both', async () => {
    const wideEffect = { parameter: 'from', narrow: 'one', wide: 'all', confirm: 'Colour' };
    const { readThingRequest } = await run('operations', written(schemas, [{ ...read, wideEffect }]));
    const bare = readThingRequest?.validate({ ...parts, query: '?' }, { maxIssues: 9 });
    expect(placesOf(bare ?? { ok: true })).toMatchObject([
      { rule: 'required' },
      { rule: 'required' },
      { rule: 'emptyQuery' },
    ]);
    const far = { ...parts, query: 'from=20240228&to=20240302' };
    expect(placesOf(readThingRequest?.validate(far) ?? { ok: true })).toMatchObject([{ rule: 'dateRange' }]);
  });

  test('takes other values for an enumeration by an option named after it', async () => {
    const { readThingRequest } = await run('operations');
    const other = { ...parts, headers: { Colour: 'green', Shape: 'cube' } };
    expect(readThingRequest?.is(other)).toBe(false);
    expect(readThingRequest?.is(other, { colours: ['green'], shapes: ['cube'] })).toBe(true);
    expect(readThingRequest?.is(other, { colours: ['green'] })).toBe(false);
    expect(readThingRequest?.is({ ...parts, path: { code: 'x' } }, { codes: ['x'] })).toBe(false);
  });
});

describe('the answers of an operation', () => {
  test('have a validator of the successful one', async () => {
    const { readThingResponse, dropThingsResponse } = await run('operations');
    expect(dropThingsResponse?.is({ done: true } as never)).toBe(true);
    expect(dropThingsResponse?.is({ done: 1 } as never)).toBe(false);
    expect(readThingResponse?.is({ data: { note: '', any: 1 }, meta: {} } as never)).toBe(true);
    expect(readThingResponse?.is({ data: { note: '' }, meta: {} } as never)).toBe(false);
  });

  test('are found by operationId and status', async () => {
    const { requestValidators, makeResponseChecks } = await run('operation-tables');
    const responseChecks = makeResponseChecks();
    expect(Object.keys(requestValidators)).toEqual(['readThing', 'dropThings']);
    expect(requestValidators['dropThings']).toMatchObject({ validate: expect.any(Function) as unknown });
    const listed = Object.entries(responseChecks).map(([id, statuses]) => `${id} ${Object.keys(statuses).join(' ')}`);
    expect(listed).toEqual(['readThing 200 400', 'dropThings 200 404']);
    const judged = (id: string, status: number, value: unknown) =>
      createValidator(responseChecks[id]?.[status] ?? (() => undefined)).is(value);
    expect([judged('dropThings', 200, { done: true }), judged('dropThings', 404, { done: true })]).toEqual([
      true,
      false,
    ]);
    expect([judged('readThing', 400, { code: '1' }), judged('readThing', 200, { code: '1' })]).toEqual([true, false]);
  });

  test('need one of status 200', () => {
    expect(() => written(schemas, [read, { ...drop, responses: { 404: 'Problem' } }])).toThrow(
      'the operation dropThings has no answer of status 200',
    );
  });
});

describe('the compiler', () => {
  test('has nothing to say about what is written, and knows the types of requests and answers', async () => {
    const use = `
      import type { OperationId, RequestOf, RequestOptions, ResponseOf } from './operation-types.js';
      import { type Code, type Colour, type Day, isCode, type Level, type Note, type Problem, type Shape, type ThingAnswer, type Zone } from './schemas.js';
      import { dropThingsRequest, readThingRequest, readThingResponse } from './operations.js';
      import type { ValidationOptions } from '../validation-result.js';
      import type { components } from './types.js';

      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      function holds<T extends true>(): T | undefined { return undefined; }

      holds<Same<OperationId, 'readThing' | 'dropThings'>>();
      holds<Same<RequestOf<'readThing'>['path'], { readonly code: Code }>>();
      holds<Same<RequestOf<'readThing'>['query'], { readonly from: Day; readonly to: Day; readonly 'zone-id': Zone }>>();
      holds<Same<RequestOf<'readThing'>['headers'], { readonly Colour: Colour; readonly Shape?: Shape }>>();
      holds<Same<RequestOf<'dropThings'>['query'], { readonly code?: Code }>>();
      holds<Same<RequestOf<'dropThings'>['path'], {}>>();
      holds<Same<ResponseOf<'readThing', 200>, ThingAnswer>>();
      holds<Same<ResponseOf<'readThing', 400>, Problem>>();
      holds<Same<ResponseOf<'dropThings', 404>, Problem>>();
      holds<Same<ResponseOf<'dropThings', 500>, unknown>>();
      holds<Same<RequestOptions['colours'], readonly string[] | undefined>>();
      holds<Same<keyof RequestOptions, keyof ValidationOptions | 'colours' | 'shapes'>>();

      // Text has a type that only a check gives; all else is the type of the contract.
      holds<Same<Note extends string ? true : false, true>>();
      holds<Same<Note, string> extends false ? true : false>();
      holds<Same<Level, number>>();
      holds<Same<Colour, components['schemas']['Colour']>>();

      const request = readThingRequest.validate({ path: { code: '' }, query: '', headers: {} }, { colours: [] });
      if (request.ok) holds<Same<typeof request.value, RequestOf<'readThing'>>>();
      const dropped = dropThingsRequest.validate({ path: {}, query: '', headers: {} });
      if (dropped.ok) holds<Same<typeof dropped.value, RequestOf<'dropThings'>>>();
      const answer = readThingResponse.validate(0);
      if (answer.ok) holds<Same<typeof answer.value, ThingAnswer>>();
      const value: unknown = '';
      if (isCode(value)) holds<Same<typeof value, Code>>();
    `;
    expect(await complaints(written(), use)).toBe('');
  });

  test('has nothing to say about a contract without parameters, rules of text or enumerations', async () => {
    const plain = { Done: schemas.Done, Problem: { type: 'object' } };
    const { types: _, ...files } = written(plain, [{ ...drop, parameters: [], wideEffect: null }]);
    expect(await complaints(files)).toBe('');
  });
});

test('everything that is written for readers of the types says what it is', () => {
  const files = written();
  for (const name of ['schemas.ts', 'operations.ts', 'operation-types.ts']) {
    const lines = files[name]?.split('\n') ?? [];
    const declared = lines.flatMap((line, index) =>
      /^(export )?(const|function|interface|type) /.test(line) || /^ {2}readonly \w+\?: /.test(line)
        ? [{ line, above: lines[index - 1] ?? '' }]
        : [],
    );
    expect(declared.length).toBeGreaterThan(3);
    for (const { line, above } of declared) expect(above, line).toMatch(/^ *\/\*\* .{30,} \*\/$/);
  }
  expect(files['operations.ts']).toContain('`GET /things/{code}`');
  expect(files['operations.ts']?.split('`DELETE /things`').length).toBe(3);
});

test('a parameter of a schema that does not exist stops the generator', () => {
  const [parameter] = read.parameters;
  if (!parameter) return expect.fail('the operation has no parameter');
  expect(() => written(schemas, [{ ...read, parameters: [{ ...parameter, schema: 'Nothing' }] }])).toThrow(
    'the component schema Nothing does not exist',
  );
});

test('what is written can be read: one declaration a line, with spaces between members', () => {
  const { types: _, ...files } = written();
  for (const [name, source] of Object.entries(files)) {
    for (const line of source.split('\n')) {
      expect(line, name).not.toMatch(/[;}\],](import|export|const|function|interface|readonly|\/\*\*)/);
      expect(line, name).not.toMatch(/^ {2}(readonly|\/\*\*).* {2}(readonly|\/\*\*)/);
      expect(line, name).not.toMatch(/do not edit\..|\*\/ +readonly/i);
    }
  }
});

describe('two things that would be exported under one name stop the generator', () => {
  test.each([
    [
      'a schema and the guard of another',
      { Done: schemas.Done, Problem: schemas.Problem, isDone: schemas.Note },
      'isDone',
    ],
    ['a schema and a validator of an operation', { ...schemas, dropThingsRequest: schemas.Note }, 'dropThingsRequest'],
    ['a schema and the validator of an answer', { ...schemas, dropThingsResponse: schemas.Note }, 'dropThingsResponse'],
    ['a schema and a function of this package', { ...schemas, validateRequest: schemas.Note }, 'validateRequest'],
    [
      'a schema and the other function of this package',
      { ...schemas, validateResponse: schemas.Note },
      'validateResponse',
    ],
  ])('%s', (_, clashing, name) => {
    expect(() => written(clashing, [drop])).toThrow(`two things of the contract would be exported as ${name}`);
  });
});

test('every file says that it is generated', () => {
  const files = written();
  expect(Object.keys(files)).toHaveLength(8);
  for (const source of Object.values(files))
    expect(source).toMatch(/^\/\/ Generated from the contract\. Do not edit\.\n/);
});

test('the list of time zones is written down', async () => {
  expect((await run('time-zone-list')).timeZoneList).toBe('Europe:Berlin,Oslo;:UTC');
});
