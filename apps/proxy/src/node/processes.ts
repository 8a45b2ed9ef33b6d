import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import type { ServerOptions } from '../config/program-options.js';
import { FirstProcess, isFree } from './first-process.js';
import { listensAlone, replicaEnvironment, startedPort } from './replica.js';
import { beatMs, ServiceManager, watchdogMs } from './service-manager.js';
import { say } from './terminal.js';

const firstPauseMs = 200;
const maxPauseMs = 10_000;
/** A process that ran this long was well: the next one starts after the shortest pause again. */
const wellAfterMs = 10_000;
/** Time for processes of an earlier first one to be seen on a port that is in use, in milliseconds. They look five times a second. */
const followersMs = 5000;

/**
 * Takes the ports, so that two programs never share them by mistake: a port that each process listens on by itself is not refused to
 * another one of the same user.
 *
 * @returns what tells the processes of a first one that was killed that others serve; `null` when the port is a free one
 * @throws {Error} with a line for the operator
 */
async function takePorts({ host, port, probePort, adminHost, adminPort, workers }: ServerOptions) {
  const inUse = (name: string) => new Error(`${name}: the port is already in use`);
  const first = port === 0 ? null : await FirstProcess.claim(host, port);
  if (port !== 0 && first === null) throw inUse('VDS_PORT');
  // Then the ports are those of its own kind, which leave them.
  if (first !== null && !(await isFree(host, port))) {
    if (!(await first.hasFollower(followersMs))) throw inUse('VDS_PORT');
    return first;
  }
  if (probePort && !(await isFree(host, probePort))) throw inUse('VDS_PROBE_PORT');
  for (let index = 0; adminPort && index < workers; index++)
    if (!(await isFree(adminHost, adminPort + index))) throw inUse('VDS_ADMIN_PORT');
  return first;
}

/**
 * Runs the program in several processes that share the port, and restarts a crashed one with exponential backoff. The processes share
 * nothing else: what must hold for all of them goes through Redis.
 *
 * @throws {Error} with a line for the operator when they cannot start
 */
export async function runProcesses(options: ServerOptions): Promise<void> {
  const count = options.workers;
  if (!listensAlone)
    say(
      `VDS_WORKERS: on ${process.platform} the processes end with the first one, when that is killed; on Linux they go on`,
    );
  const first = listensAlone ? await takePorts(options).catch((error: unknown) => rethrow(error)) : null;
  let stopping = false;
  let exitCode = 0;
  let crashes = 0;
  let started = 1;
  let port = 0;
  const manager = new ServiceManager();
  let isReady = false;
  const replicas = new Set<ChildProcess>();
  /** The processes that listen, each with the time of its last sign of life. */
  const running = new Map<ChildProcess, number>();

  const end = () => {
    if (replicas.size === 0) process.exit(exitCode);
  };
  /** Starts another process in the place of one that crashed after so long, or could not be started. */
  const startLater = (index: number, ranMs: number, what: string) => {
    crashes = ranMs >= wellAfterMs ? 1 : crashes + 1;
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (crashes - 1));
    say(`${what}; another one starts in ${pauseMs / 1000} s`);
    setTimeout(() => {
      if (!stopping) start(index);
    }, pauseMs);
  };
  const start = (index: number) => {
    const startedMs = performance.now();
    const notStarted = (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
      startLater(index, 0, `a process could not be started (${code})`);
    };
    let replica: ChildProcess;
    try {
      replica = startReplica(replicaEnvironment(index, port));
    } catch (error) {
      return notStarted(error);
    }
    replicas.add(replica);
    replica.on('error', (error) => {
      // Of one that runs, it is a message or a signal that failed.
      if (replica.pid !== undefined || !replicas.delete(replica)) return;
      if (stopping) end();
      else notStarted(error);
    });
    replica.on('message', (message) => {
      const taken = startedPort(message);
      if (taken !== null || running.has(replica)) running.set(replica, performance.now());
      if (taken === null) return;
      port = taken;
      if (!isReady && running.size === count) {
        isReady = true;
        manager.ready();
        first?.ready();
      }
      // One alone first: what keeps it from starting is then said once.
      while (started < count) start(started++);
    });
    replica.on('exit', (code, signal) => {
      if (!replicas.delete(replica)) return;
      if (stopping) return end();
      if (!running.delete(replica) && crashes === 0 && signal === null) {
        // It said itself why it cannot start.
        exitCode = code || 1;
        return stop();
      }
      startLater(index, performance.now() - startedMs, `a process ended (${signal ?? code})`);
    });
  };
  const stop = () => {
    // Whoever asks twice is in haste; each process then ends at once.
    stopping = true;
    manager.stopping();
    for (const replica of replicas) replica.kill('SIGTERM');
    end();
  };

  for (const signal of ['SIGTERM', 'SIGQUIT', 'SIGINT'] as const) process.on(signal, stop);
  // One that starts reads the settings anyway.
  process.on('SIGHUP', () => {
    for (const replica of running.keys()) replica.kill('SIGHUP');
  });
  const timeoutMs = watchdogMs(process.env);
  // systemd watches the first process alone, which watches the others.
  if (timeoutMs !== null)
    setInterval(() => {
      for (const [replica, aliveMs] of running) {
        if (stopping || performance.now() - aliveMs < timeoutMs) continue;
        say('a process hangs and is killed');
        running.set(replica, performance.now());
        replica.kill('SIGKILL');
      }
    }, beatMs(timeoutMs)).unref();
  start(0);
}

/** Starts the program once more, with the flags of this one. */
function startReplica(environment: Readonly<Record<string, string>>): ChildProcess {
  // What is an error of its process is one of the cluster's, too.
  if (!listensAlone) return cluster.fork(environment).on('error', () => {}).process;
  const [, program = '', ...flags] = process.argv;
  return fork(program, flags, { env: { ...process.env, ...environment } });
}

/** What keeps a port from being listened on, in the words of the settings. */
function rethrow(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('VDS_')) throw error;
  throw new Error('VDS_HOST, VDS_PORT: this address cannot be listened on');
}
