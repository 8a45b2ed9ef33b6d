import { describe, expect, test } from 'vitest';
import { isAtLeast, isAtMost } from '../src/formats/text-length.js';

describe('the length of a text', () => {
  test.each(['', 'a', 'abc', '😀', 'a😀', '😀😀😀', '\uD83D', '\uDE00\uD83D', 'e\u0301'])(
    '%j is counted in code points',
    (text) => {
      const length = [...text].length;
      for (let count = 0; count < 8; count++) {
        expect(isAtLeast(text, count)).toBe(length >= count);
        expect(isAtMost(text, count)).toBe(length <= count);
      }
    },
  );
});
