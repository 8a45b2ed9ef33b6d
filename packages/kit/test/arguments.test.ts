import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FlagKind, readArguments } from '../src/arguments.ts';

const flags = new Map<string, FlagKind>([
  ['port', 'value'],
  ['token', 'secret'],
  ['json', 'switch'],
  ['docs', 'boolean'],
]);

test.each<{ list: readonly string[]; values: Record<string, string>; words?: readonly string[] }>([
  { list: ['--port', '1', 'list'], values: { port: '1' }, words: ['list'] },
  { list: ['--port=1', '--token=a=b'], values: { port: '1', token: 'a=b' } },
  { list: ['--port='], values: { port: '' } },
  { list: ['--json', 'list'], values: { json: 'true' }, words: ['list'] },
  { list: ['--docs', '--json'], values: { docs: 'true', json: 'true' } },
  { list: ['--docs', 'off'], values: { docs: 'off' } },
])('arguments are read: $list as $values with words $words', ({ list, values, words = [] }) => {
  expect(readArguments(list, flags, true)).toEqual({ values, words, mistakes: [] });
});

test.each<{ list: readonly string[]; mistake: string; takesWords: boolean }>([
  { list: ['--zebra'], mistake: '--zebra: no such flag', takesWords: false },
  { list: ['--zebra'], mistake: 'argument 1: no such flag', takesWords: true },
  { list: ['zebra'], mistake: 'argument 1: not a flag', takesWords: false },
  { list: ['--port'], mistake: '--port: a value is missing', takesWords: false },
  { list: ['--port', '--json'], mistake: '--port: a value is missing', takesWords: true },
  { list: ['--port', '1', '--port', '2'], mistake: '--port: given twice', takesWords: true },
  { list: ['--json=yes'], mistake: '--json: takes no value', takesWords: true },
])('a mistake in arguments is named: $list, words taken $takesWords, $mistake', ({ list, mistake, takesWords }) => {
  expect(readArguments(list, flags, takesWords).mistakes).toEqual([mistake]);
});

test('a token whose flag lost its value is repeated in no message, whatever it looks like', () => {
  const token = fc.stringMatching(/^[a-z][a-z0-9-]{11,40}$/);
  fc.assert(
    fc.property(token, fc.boolean(), (secret, takesWords) => {
      const { mistakes } = readArguments(['--token', `--${secret}`], flags, takesWords);
      expect(mistakes.length).toBeGreaterThan(0);
      expect(mistakes.join()).not.toContain(secret);
    }),
  );
});
