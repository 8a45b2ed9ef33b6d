import { expect, test } from 'vitest';
import { patternLengths } from '../build/pattern-lengths.ts';

test.for([
  { pattern: '^[0-9]{8}$', least: 8, most: 8 },
  { pattern: '^[0-9]{4}-[0-9]{2}\\.[0-9]{3}Z$', least: 12, most: 12 },
  { pattern: '^[0-9]{2}(\\.[0-9]+)?(Z|[+-]00:00)$', least: 3, most: Number.POSITIVE_INFINITY },
  { pattern: '^(?:a|bc){2,3}d?$', least: 2, most: 7 },
  { pattern: '^a{2,}b*$', least: 2, most: Number.POSITIVE_INFINITY },
  { pattern: '^$', least: 0, most: 0 },
] as const)('lengths follow from a pattern: $pattern', ({ pattern, least, most }) => {
  expect(patternLengths(pattern)).toEqual([least, most]);
});

test.for(['^a|b$', '^[^a]$', '^.*$', '^\\d{3}$', '^(ab$', '^a)$', '^(?!b)[a-z]$', '^(a)\\1$'])(
  'no length is taken from %s, which has more than plain parts',
  (pattern) => {
    expect(patternLengths(pattern)).toBeUndefined();
  },
);
