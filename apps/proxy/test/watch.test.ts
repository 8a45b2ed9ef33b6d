import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { sharedTicker } from '../src/forward/ticker.js';

test('a shared ticker reaches everyone who watches and nobody who has stopped', () => {
  vi.useFakeTimers();
  try {
    const watch = sharedTicker();
    const told: string[] = [];
    const stops = ['a', 'b', 'c', 'd'].map((name) => watch(() => told.push(name)));
    stops[1]?.();
    stops[1]?.();
    stops[3]?.();
    vi.advanceTimersByTime(100);
    expect(told.sort()).toEqual(['a', 'c']);
    for (const stop of stops) stop();
    watch(() => told.push('e'));
    vi.advanceTimersByTime(200);
    expect(told.slice(2)).toEqual(['e', 'e']);
  } finally {
    vi.useRealTimers();
  }
});

test('whoever stops while everyone is told takes nobody else along', () => {
  vi.useFakeTimers();
  try {
    const watch = sharedTicker();
    const told = new Set<number>();
    const stops: (() => void)[] = [];
    for (let name = 0; name < 9; name++) {
      stops.push(
        watch(() => {
          told.add(name);
          if (name % 3 === 0) stops[name]?.();
          if (name === 4) stops[5]?.();
        }),
      );
    }
    vi.advanceTimersByTime(100);
    told.delete(5);
    expect([...told].sort()).toEqual([0, 1, 2, 3, 4, 6, 7, 8]);
    told.clear();
    vi.advanceTimersByTime(100);
    expect([...told].sort()).toEqual([1, 2, 4, 7, 8]);
    for (const stop of stops) stop();
  } finally {
    vi.useRealTimers();
  }
});

test('calls that are over are not held by those that came after them', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;
  const watch = sharedTicker();
  const underWay: (() => void)[] = [];
  const come = () => {
    const held = new Array<number>(100).fill(0.5);
    underWay.push(watch(() => void held.length));
  };
  for (let call = 0; call < 32; call++) come();
  collect({ type: 'major' });
  const beforeBytes = process.memoryUsage().heapUsed;
  for (let call = 1; call <= 20_000; call++) {
    come();
    underWay.shift()?.();
    if (call % 100 === 0) collect({ type: 'minor' });
  }
  const grownBytes = process.memoryUsage().heapUsed - beforeBytes;
  for (const stop of underWay) stop();
  expect(grownBytes).toBeLessThan(2_000_000);
});
