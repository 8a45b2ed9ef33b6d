import type { ExportProgress } from '@vehicle-data/archive';
import { SingleBar } from 'cli-progress';
import type { Streams } from '../streams.js';

const lineEveryMs = 10_000;

/** Progress on stderr: a bar on a terminal, one line every ten seconds elsewhere. */
interface Progress {
  readonly update: (progress: ExportProgress) => void;
  readonly stop: () => void;
}

export function startProgress(streams: Streams, isQuiet: boolean): Progress {
  if (isQuiet) return { update: () => {}, stop: () => {} };
  return streams.stderr.isTTY === true ? bar(streams) : lines(streams);
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function bar(streams: Streams): Progress {
  const startedMs = Date.now();
  const single = new SingleBar({
    format: '{bar} {value}/{total} windows | {written} | {rate} windows/s | {eta_formatted} left',
    stream: streams.stderr,
    hideCursor: true,
    etaBuffer: 50,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  return {
    update: ({ windowsDone, windowsTotal, bytes }) => {
      const seconds = Math.max(0.1, (Date.now() - startedMs) / 1000);
      const shown = { written: megabytes(bytes), rate: (windowsDone / seconds).toFixed(1) };
      if (single.isActive) single.update(windowsDone, shown);
      else single.start(windowsTotal, windowsDone, shown);
    },
    stop: () => {
      if (single.isActive) single.stop();
    },
  };
}

function lines(streams: Streams): Progress {
  let saidMs = Date.now();
  return {
    update: ({ windowsDone, windowsTotal, bytes }) => {
      if (Date.now() - saidMs < lineEveryMs) return;
      saidMs = Date.now();
      streams.stderr.write(`${windowsDone} of ${windowsTotal} windows, ${megabytes(bytes)}\n`);
    },
    stop: () => {},
  };
}
