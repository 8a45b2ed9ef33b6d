import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WindowCounter } from '../src/limits/window-counter.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a span begins with the first call of its key and ends after its time, whatever other keys do meanwhile', () => {
  const counter = new WindowCounter({ calls: 2, seconds: 10 });
  counter.take('early');
  vi.advanceTimersByTime(7000);
  expect(counter.take('late')).toEqual({ allowed: true, left: 1, resetSeconds: 10 });
  vi.advanceTimersByTime(2000);
  expect(counter.take('early')).toEqual({ allowed: true, left: 0, resetSeconds: 1 });
  expect(counter.take('early').allowed).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(counter.take('early')).toEqual({ allowed: true, left: 1, resetSeconds: 10 });
  vi.advanceTimersByTime(6000);
  expect(counter.take('late')).toEqual({ allowed: true, left: 0, resetSeconds: 1 });
  expect(counter.take('late').allowed).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(counter.take('late').left).toBe(1);
});

test('many keys are counted at a time, and far more of them do not fill the memory', () => {
  vi.useRealTimers();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const counter = new WindowCounter({ calls: 1, seconds: 3600 });
  collect();
  const beforeBytes = process.memoryUsage().heapUsed;
  for (let key = 0; key < 100_000; key++) counter.take(`key-${key}`);
  expect(counter.take('key-0').allowed).toBe(false);
  for (let key = 0; key < 500_000; key++) counter.take(`more-${key}`);
  collect();
  expect(counter.take('more-499999').allowed).toBe(false);
  expect(counter.take('key-0').allowed).toBe(true);
  expect(process.memoryUsage().heapUsed - beforeBytes).toBeLessThan(50_000_000);
});
