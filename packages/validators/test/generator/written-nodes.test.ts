import { describe, expect, test } from 'vitest';
import { DocumentChecker } from '../../src/stream/response-checker.js';
import { createValidator } from '../../src/validator.js';
import { run } from './written-files.ts';

const thing = { note: '', any: null };

/** Answers with one deviation each, and some with none. */
const answers: readonly unknown[] = [
  ...[
    {},
    { note: 1 },
    { any: {} },
    { any: 'text' },
    { day: '20240229' },
    { day: '20230229' },
    { main: { code: '007' } },
    { main: { code: '7' } },
    { main: {} },
    { main: [] },
    { main: { code: '007', 'a/b': 1 } },
    { main: { code: '007', valueOf: 1 } },
    { own: {} },
    { own: { zone: 'UTC' } },
    { own: { zone: 'PST' } },
    { own: null },
    { parts: [] },
    { parts: [{ code: '007' }, { code: 'x' }] },
    { parts: [1] },
    { parts: {} },
    { levels: [0, 9.5, 1.25, 3, 4, 5] },
    { levels: [0, 9.6] },
    { levels: [1, 2, 3, 4, 5, -0.1] },
    { levels: ['1'] },
    { levels: 1 },
    { counts: [1, -1e20, 3, 4, 5, 6] },
    { counts: [1, 2, 3, 0.5, 5, 6, 7, 8] },
    { positive: [0, 1e300, 0.5, 7, 8, 9, 10] },
    { positive: [5, 6, 7, 8, -1, 9, 10, 11] },
    { small: [-1e300, 9, 8, 7, 6, 5] },
    { small: [1, 2, 10, 3, 4, 5, 6] },
    { colours: ['red', 'blue', 'red', 'red', 'red', 'red'] },
    { colours: ['red', 'red', 'red', 'green', 'red', 'red', 'red'] },
    { colours: [1] },
    { moments: ['2026-03-02T06:41:07Z'] },
    { moments: ['2026-03-02'] },
    { anything: [1, {}, 'x'] },
    { anything: 'x' },
    { mixed: 3 },
    { mixed: 2 },
    { mixed: 'text' },
    { mixed: [] },
    { short: 'abcd' },
    { short: 'abc' },
    { long: 'a' },
    { sized: 'abcde' },
    { flag: 'true' },
    { flag: 'yes' },
  ].map((more) => ({ data: { ...thing, ...more }, meta: {} })),
  { data: { note: '' }, meta: {} },
  { data: { any: 1 }, meta: {} },
  { data: thing },
  { data: thing, meta: 1 },
  {},
  [],
  1,
];

describe('what the streaming checker is told about an answer', () => {
  test('leads it to the verdict, the issue and the place of the object validator', async () => {
    const { responseNodes } = await run('stream-nodes');
    const { makeResponseChecks } = await run('operation-tables');
    const node = responseNodes['readThing']?.['200'];
    const check = makeResponseChecks()['readThing']?.['200'];
    if (!node || !check) return expect.fail('the answer has no node');
    const verdicts = answers.map((answer) => {
      const bytes = new TextEncoder().encode(JSON.stringify(answer));
      const checker = new DocumentChecker(node);
      checker.write(bytes);
      const found = checker.end();
      const wanted = createValidator(check).validate(answer);
      const text = JSON.stringify(answer);
      expect(found.ok ? undefined : found.issues[0], text).toEqual(wanted.ok ? undefined : wanted.issues[0]);
      return wanted.ok;
    });
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(15);
    expect(verdicts.filter((ok) => !ok).length).toBeGreaterThan(25);
  });

  test('is there for every answer of every operation', async () => {
    const { responseNodes } = await run('stream-nodes');
    expect(Object.keys(responseNodes)).toEqual(['readThing', 'dropThings']);
    expect(Object.keys(responseNodes['dropThings'] ?? {})).toEqual(['200', '404']);
    const members = (status: string) => [...(responseNodes['dropThings']?.[status]?.members?.keys() ?? [])];
    expect([members('200'), members('404')]).toEqual([['done'], ['code']]);
  });

  test('keeps only text that has a rule, so that other text can have any length', async () => {
    const { responseNodes } = await run('stream-nodes');
    const long = 'x'.repeat(70_000);
    const judged = (more: object) => {
      const checker = new DocumentChecker(responseNodes['readThing']?.['200'] ?? {});
      checker.write(new TextEncoder().encode(JSON.stringify({ data: { ...thing, ...more }, meta: {} })));
      const verdict = checker.end();
      return verdict.ok ? '' : verdict.issues[0].rule;
    };
    expect([judged({ note: long }), judged({ any: long }), judged({ mixed: long })]).toEqual(['', '', '']);
    expect(['day', 'flag', 'long', 'short'].map((name) => judged({ [name]: long }))).toEqual(
      Array<string>(4).fill('maxBytes'),
    );
    expect(judged({ moments: [long] })).toBe('maxBytes');
    expect(judged({ own: { zone: long } })).toBe('maxBytes');
    expect(judged({ main: { code: long } })).toBe('maxBytes');
  });

  test('marks lists of numbers and of choices for the fast scans, and no others', async () => {
    const { responseNodes } = await run('stream-nodes');
    const members = responseNodes['readThing']?.['200']?.members?.get('data')?.node.members;
    const scanned = [...(members ?? [])].flatMap(([name, { node }]) =>
      node.numbers ? [`${name}: numbers`] : node.choices ? [`${name}: choices`] : [],
    );
    expect(scanned).toEqual([
      'levels: numbers',
      'counts: numbers',
      'positive: numbers',
      'small: numbers',
      'colours: choices',
    ]);
    expect(members?.get('counts')?.node.numbers?.integer).toBe(true);
    expect(members?.get('levels')?.node.numbers?.integer).toBe(false);
  });
});
