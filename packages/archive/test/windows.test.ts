import { expect, it } from 'vitest';
import { windowsOf } from '../src/windows.js';

const now = Date.UTC(2026, 5, 1);
const daysOf = (windows: ReturnType<typeof windowsOf>) => windows.map(({ from, to }) => `${from}/${to.slice(8)}`);

it('windows are as short as the contract wants them, and no longer than eight days', () => {
  expect(daysOf(windowsOf('2026-03-27', '2026-04-01', now, 3))).toEqual([
    '2026-03-25/28',
    '2026-03-29/31',
    '2026-04-01/04',
  ]);
  expect(windowsOf('2026-03-01', '2026-03-31', now, 14)).toEqual(windowsOf('2026-03-01', '2026-03-31', now, 7));
});
