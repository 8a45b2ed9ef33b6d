import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RunState, startProgress, whileShown } from '../src/command/progress.ts';

const counts: RunState['counts'] = {
  accounts: 2,
  accountsPaused: 0,
  accountsParked: 0,
  vehicles: 4,
  windows: 100,
  collected: 0,
  due: 100,
  backfill: 100,
  provisional: 0,
  failing: 0,
  oldestDueSeconds: 0,
  purging: 0,
  oldestPurgeSeconds: 0,
  unconfirmed: 0,
  receipts: 0,
  trips: 0,
  bytes: 1_900_000,
};
const nothing: RunState['waits'] = { rates: [], upstreams: [], parked: [] };

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** What a terminal shows after each of the states, one a second; without columns, what a log gets, one a minute. */
async function shownFor(states: readonly RunState[], columns?: number): Promise<readonly string[]> {
  const lines: string[] = [];
  let next = 0;
  const progress = startProgress(
    { isTTY: columns !== undefined, columns, write: (text) => lines.push(text.replace('\r\u001b[K', '').trimEnd()) },
    async () => {
      const state = states[next++];
      if (state === undefined) throw new Error('the ledger is away');
      return state;
    },
  );
  for (const _ of states) await vi.advanceTimersByTimeAsync(columns === undefined ? 60_000 : 1_000);
  progress.stop();
  return lines.slice(0, states.length);
}

test('a terminal shows a bar, the time left and the rate, which stay while nothing is counted anew', async () => {
  const [begun, later] = [
    { counts, waits: nothing },
    { counts: { ...counts, due: 60 }, waits: nothing },
  ];
  expect(await shownFor([begun, later, later, later], 120)).toEqual([
    `${'░'.repeat(20)} 0 % | 0 of 100 windows | 4 vehicles | 1.9 MB`,
    ...Array<string>(3).fill(
      `${'█'.repeat(8)}${'░'.repeat(12)} 40 % | 2 s left | 40.0 windows/s | 40 of 100 windows | 4 vehicles | 1.9 MB`,
    ),
  ]);
});

test('what stands still is said with its reason, and is the last to go where the terminal is narrow', async () => {
  const state: RunState = {
    counts: { ...counts, due: 60, purging: 1 },
    waits: {
      rates: [
        { name: 'anna', rate: 20, held: 11.2 },
        { name: 'bert', rate: 20, held: 0 },
      ],
      upstreams: [],
      parked: [{ code: '4011', accounts: 2 }],
    },
  };
  const waits = 'the service asks to wait: 12 s | 2 accounts parked: 4011 | 1 vehicle being deleted';
  const bar = `${'█'.repeat(8)}${'░'.repeat(12)} 40 %`;
  expect(await shownFor([state], 160)).toEqual([`${bar} | ${waits} | 40 of 100 windows | 4 vehicles | 1.9 MB`]);
  expect(await shownFor([state], 60)).toEqual([`${bar} | the service asks to wait: 12 s`]);
  expect(await shownFor([state], 20)).toEqual([bar.slice(0, 19)]);
  expect(await shownFor([state])).toEqual([`40 of 100 windows | 4 vehicles | 1.9 MB | ${waits}`]);
});

test.for([
  { where: 'on a terminal', isTTY: true, shown: ['Opening the ledger…', '\r\u001b[K'] },
  { where: 'in a log', isTTY: false, shown: [] },
])('what comes before progress leaves no line behind $where, also when it fails', async ({ isTTY, shown }) => {
  const written: string[] = [];
  const terminal = { isTTY, write: (text: string) => written.push(text) };
  const open = async () => Promise.reject(new Error('another has it'));
  await expect(whileShown(terminal, 'Opening the ledger…', open)).rejects.toThrow('another has it');
  expect(written).toEqual(shown);
});

test('a service that is down is named while one call at a time tries it', async () => {
  const upstreams = (isDown: boolean) => [{ name: 'https://vehicle-data.invalid', failures: 5, isDown }];
  const states = [false, true].map((isDown) => ({ counts, waits: { ...nothing, upstreams: upstreams(isDown) } }));
  const [tried, down] = await shownFor(states);
  expect(tried).not.toContain('does not work');
  expect(down).toContain('the service does not work: one call at a time tries it');
});
