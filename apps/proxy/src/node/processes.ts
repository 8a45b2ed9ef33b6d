import cluster, { type Worker } from 'node:cluster';
import { beatMs, ServiceManager, watchdogMs } from './service-manager.js';
import { say } from './terminal.js';

const indexVariable = 'PROXY_PROCESS_INDEX';

/** The place of this process among its replicas, from 0; each needs a port of its own for its metrics. */
export function processIndex(): number {
  return Number(process.env[indexVariable] ?? 0);
}

/** What a process sends when it listens on all of its ports. */
export const startedMessage = 'started';
/** What a process sends again and again while the service manager has a watchdog. */
export const aliveMessage = 'alive';

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
  const manager = new ServiceManager();
  let isReady = false;
  /** The processes that listen, each with the time of its last sign of life. */
  const running = new Map<Worker, number>();

  const end = () => {
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(exitCode);
  };
  const start = (index: number) => {
    const startedMs = performance.now();
    const replica = cluster.fork({ [indexVariable]: String(index) });
    replica.on('message', (message) => {
      if (message === startedMessage || running.has(replica)) running.set(replica, performance.now());
      if (message !== startedMessage) return;
      if (!isReady && running.size === count) {
        isReady = true;
        manager.ready();
      }
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
    manager.stopping();
    for (const replica of Object.values(cluster.workers ?? {})) replica?.process.kill('SIGTERM');
    end();
  };

  for (const signal of ['SIGTERM', 'SIGQUIT', 'SIGINT'] as const) process.on(signal, stop);
  // One that starts reads the settings anyway.
  process.on('SIGHUP', () => {
    for (const replica of running.keys()) replica.process.kill('SIGHUP');
  });
  const timeoutMs = watchdogMs(process.env);
  // systemd watches the first process alone, which watches the others.
  if (timeoutMs !== null)
    setInterval(() => {
      for (const [replica, aliveMs] of running) {
        if (stopping || performance.now() - aliveMs < timeoutMs) continue;
        say('a process hangs and is killed');
        running.set(replica, performance.now());
        replica.process.kill('SIGKILL');
      }
    }, beatMs(timeoutMs)).unref();
  start(0);
}
