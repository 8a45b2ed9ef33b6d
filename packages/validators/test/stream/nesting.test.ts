import { describe, expect, test } from 'vitest';
import { Nesting } from '../../src/stream/nesting.js';

describe('open brackets', () => {
  test('are remembered one by one, however many', () => {
    const nesting = new Nesting();
    const isObject = (level: number) => level % 3 === 0 || level % 7 === 2;
    for (let level = 0; level < 1000; level++) {
      expect(nesting.open(isObject(level))).toBe(true);
      expect(nesting.isObject).toBe(isObject(level));
    }
    for (let level = 999; level >= 0; level--) {
      expect(nesting.isObject).toBe(isObject(level));
      nesting.depth--;
    }
    for (let level = 0; level < 1000; level++) {
      nesting.open(!isObject(level));
      expect(nesting.isObject).toBe(!isObject(level));
    }
  });

  test('are at most 1,048,576', () => {
    const nesting = new Nesting();
    let opened = 0;
    while (opened < 1_100_000 && nesting.open(false)) opened++;
    expect([opened, nesting.depth]).toEqual([1_048_576, 1_048_576]);
  });
});
