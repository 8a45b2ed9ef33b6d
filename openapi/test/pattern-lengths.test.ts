import { expect, test } from 'vitest';
import { patternLengths } from '../build/pattern-lengths.ts';

test.for([
  ['^[0-9]{8}$', 8, 8],
  ['^[0-9]{4}-[0-9]{2}\\.[0-9]{3}Z$', 12, 12],
  ['^[0-9]{2}(\\.[0-9]+)?(Z|[+-]00:00)$', 3, Number.POSITIVE_INFINITY],
  ['^(?:a|bc){2,3}d?$', 2, 7],
  ['^a{2,}b*$', 2, Number.POSITIVE_INFINITY],
  ['^$', 0, 0],
] as const)('the lengths of %s follow from it', ([pattern, least, most]) => {
  expect(patternLengths(pattern)).toEqual([least, most]);
});

test.for(['^a|b$', '^[^a]$', '^.*$', '^\\d{3}$', '^(ab$', '^a)$', '^(?!b)[a-z]$', '^(a)\\1$'])(
  'no length is taken from %s, which has more than plain parts',
  (pattern) => {
    expect(patternLengths(pattern)).toBeUndefined();
  },
);
