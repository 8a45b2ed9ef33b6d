import type { ExportProgress } from '@vehicle-data/archive';
import { SingleBar } from 'cli-progress';
import type { Streams } from '../streams.js';

const lineEveryMs = 10_000;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const nothing = () => {};

/** Progress on stderr: a bar on a terminal, one line every ten seconds elsewhere. */
export function startProgress({ stderr }: Streams, isQuiet: boolean) {
  if (isQuiet) return { update: nothing, stop: nothing };
  const startedMs = Date.now();
  let saidMs = startedMs;
  if (stderr.isTTY !== true) {
    const update = ({ windowsDone, windowsTotal, bytes }: ExportProgress) => {
      if (Date.now() - saidMs < lineEveryMs) return;
      saidMs = Date.now();
      stderr.write(`${windowsDone} of ${windowsTotal} windows, ${megabytes(bytes)}\n`);
    };
    return { update, stop: nothing };
  }
  const bar = new SingleBar({
    format: '{bar} {value}/{total} windows | {written} | {rate} windows/s | {eta_formatted} left',
    stream: stderr,
    // Cut to the width instead: nothing has to be restored where a second Ctrl-C ends the program at once.
    linewrap: true,
    etaBuffer: 50,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  return {
    update: ({ windowsDone, windowsTotal, bytes }: ExportProgress) => {
      const seconds = Math.max(0.1, (Date.now() - startedMs) / 1000);
      const shown = { written: megabytes(bytes), rate: (windowsDone / seconds).toFixed(1) };
      if (bar.isActive) bar.update(windowsDone, shown);
      else bar.start(windowsTotal, windowsDone, shown);
    },
    stop: () => {
      if (bar.isActive) bar.stop();
    },
  };
}
