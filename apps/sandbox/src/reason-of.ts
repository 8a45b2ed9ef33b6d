import type { BaseIssue } from 'valibot';

/** What a value must be, without the value: the messages of valibot repeat it. Our own messages are those of checks and variants. */
export function reasonOf({ type, expected, message }: BaseIssue<unknown>): string {
  if (expected === null || type === 'variant' || type === 'check') return message;
  if (type === 'regex') return `must match ${expected}`;
  if (expected.startsWith('('))
    return `must be one of ${expected.slice(1, -1).replaceAll('"', '').replaceAll(' | ', ', ')}`;
  return /^[<>]/.test(expected) ? `must be ${expected}` : `must be of type ${expected}`;
}
