import { PassThrough, Writable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startProgress } from '../src/output/progress.ts';

it('without a terminal, progress is one line every ten seconds on stderr, and nothing on stdout', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const printed: [string, string][] = [];
  const to = (name: string) =>
    new Writable({
      write: (chunk, _, done) => {
        printed.push([name, String(chunk)]);
        done();
      },
    });
  const [stdout, stderr] = [to('stdout'), to('stderr')];
  const streams = { stdin: new PassThrough(), stdout, stderr, env: {}, signal: new AbortController().signal };
  const [loud, quiet] = [false, true].map((isQuiet) => startProgress(streams, isQuiet));
  for (let second = 1; second <= 35; second += 1) {
    vi.advanceTimersByTime(1000);
    const progress = { windowsDone: second, windowsTotal: 48, trips: 0, bytes: second * 1e6 };
    loud?.update(progress);
    quiet?.update(progress);
  }
  expect(printed).toEqual([
    ['stderr', '10 of 48 windows, 10.0 MB\n'],
    ['stderr', '20 of 48 windows, 20.0 MB\n'],
    ['stderr', '30 of 48 windows, 30.0 MB\n'],
  ]);
});
