import { SingleBar } from 'cli-progress';
import type { Streams } from '../streams.js';

const lineEveryMs = 10_000;

/** Progress on stderr: a bar on a terminal, one line every ten seconds elsewhere. */
export interface Progress {
  update(done: number, total: number, bytes: number): void;
  stop(): void;
}

export function startProgress(streams: Streams, { quiet }: { readonly quiet: boolean }): Progress {
  if (quiet) return { update: () => {}, stop: () => {} };
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
  let isStarted = false;
  return {
    update: (done, total, bytes) => {
      const seconds = Math.max(0.1, (Date.now() - startedMs) / 1000);
      const shown = { written: megabytes(bytes), rate: (done / seconds).toFixed(1) };
      if (isStarted) single.update(done, shown);
      else single.start(total, done, shown);
      isStarted = true;
    },
    stop: () => {
      if (isStarted) single.stop();
    },
  };
}

function lines(streams: Streams): Progress {
  let saidMs = Date.now();
  return {
    update: (done, total, bytes) => {
      if (Date.now() - saidMs < lineEveryMs) return;
      saidMs = Date.now();
      streams.stderr.write(`${done} of ${total} windows, ${megabytes(bytes)}\n`);
    },
    stop: () => {},
  };
}
