import { describe, expect, test } from 'vitest';
import { areChoices, isListOf } from '../src/value-checks.js';

describe('a list whose items are all choices', () => {
  test.each<readonly [readonly unknown[], boolean]>([
    [[], true],
    [['a'], true],
    [['a', 'a', 'b', 'b', 'a'], true],
    [['c'], false],
    [['a', 'a', 'c'], false],
    [['a', 'c', 'c', 'a'], false],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((length) => {
      const run = new Array<string>(length).fill('a');
      return [
        [run, true],
        [[...run, 'b'], true],
        [[...run, 'c'], false],
        [[...run, 'c', 'a', 'a', 'a', 'a'], false],
        [[...run, 'b', 'c', 'a', 'a', 'a', 'a'], false],
      ] as const;
    }),
    [[undefined], false],
  ])('%j: %j', (items, expected) => {
    expect(areChoices(items, ['a', 'b'])).toBe(expected);
  });

  test('has none where there are no choices', () => {
    expect([areChoices([]), areChoices(['a'])]).toEqual([true, false]);
  });
});

describe('a value of which a loop decides', () => {
  const seen: unknown[] = [];
  const loop = (verdict: boolean) => (items: readonly unknown[], choices?: readonly unknown[]) => {
    seen.push([items, choices]);
    return verdict;
  };
  const asked = (value: unknown, verdict: boolean, choices?: readonly string[]) => {
    seen.length = 0;
    return [isListOf(value, loop(verdict), choices), seen.length];
  };

  test('is a list', () => {
    expect(asked({ length: 0 }, true)).toEqual([false, 0]);
    expect(asked([1, 2], true)).toEqual([true, 1]);
    expect(asked([1, 2], false)).toEqual([false, 1]);
  });

  test('is no list of numbers with a null, which would make the loop slower', () => {
    expect(asked([1, null], true)).toEqual([false, 0]);
    expect(asked([1, undefined], false)).toEqual([false, 1]);
  });

  test.each([1, () => true, () => expect.fail('a method of the value was called')])(
    'may have members of its own, which nobody asks: %j',
    (includes) => {
      expect(asked(Object.assign([1, 2], { includes }), true)).toEqual([true, 1]);
    },
  );

  test('may be a list of choices with a null, which makes no difference there', () => {
    expect(asked(['a', null], true, ['a'])).toEqual([true, 1]);
    expect(seen).toEqual([[['a', null], ['a']]]);
  });
});
