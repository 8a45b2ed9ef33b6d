import cluster, { type Worker } from 'node:cluster';
import { say } from './terminal.js';

const indexVariable = 'PROXY_PROCESS_INDEX';

/** The place of this process among its replicas, from 0; each needs a port of its own for its metrics. */
export function processIndex(): number {
  return Number(process.env[indexVariable] ?? 0);
}

/** What a process sends when it listens on all of its ports. */
export const startedMessage = 'started';

const firstPauseMs = 200;
const maxPauseMs = 10_000;
/** A process that ran this long was well: the next one starts after the shortest pause again. */
const wellAfterMs = 10_000;

/**
 * Runs the program in several processes that share the port, and restarts a crashed one with exponential backoff. The processes share
 * nothing else: what must hold for all of them goes through Redis.
 */
export function runProcesses(count: number): void {
  let stopping = false;
  let exitCode = 0;
  let crashes = 0;
  let started = 1;
  const running = new Set<Worker>();

  const end = () => {
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(exitCode);
  };
  const start = (index: number) => {
    const startedMs = performance.now();
    const replica = cluster.fork({ [indexVariable]: String(index) });
    replica.on('message', (message) => {
      if (message !== startedMessage) return;
      running.add(replica);
      // One alone first: what keeps it from starting is then said once.
      while (started < count) start(started++);
    });
    replica.on('exit', (code, signal) => {
      if (stopping) return end();
      if (!running.delete(replica) && crashes === 0 && signal === null) {
        // It said itself why it cannot start.
        exitCode = code === 0 ? 1 : code;
        return stop();
      }
      crashes = performance.now() - startedMs >= wellAfterMs ? 1 : crashes + 1;
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (crashes - 1));
      say(`a process ended (${signal ?? code}); another one starts in ${pauseMs / 1000} s`);
      setTimeout(() => {
        if (!stopping) start(index);
      }, pauseMs);
    });
  };
  const stop = () => {
    // Whoever asks twice is in haste; each process then ends at once.
    stopping = true;
    for (const replica of Object.values(cluster.workers ?? {})) replica?.process.kill('SIGTERM');
    end();
  };

  for (const signal of ['SIGTERM', 'SIGQUIT', 'SIGINT'] as const) process.on(signal, stop);
  // One that starts reads the settings anyway.
  process.on('SIGHUP', () => {
    for (const replica of running) replica.process.kill('SIGHUP');
  });
  start(0);
}
