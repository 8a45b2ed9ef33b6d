import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Processor of the origin and of the load generator, and the one of the proxy under test. */
export const loadCore = 0;
export const proxyCore = 1;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A command and what it needs in its environment. */
export interface Command {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program on one processor and waits until it listens; its error output goes to a file. It ends with this process. */
export async function startPinned(core: number, { command, environment }: Command, port: number, logFile: string) {
  const child = spawn('taskset', ['-c', String(core), ...command], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'ignore', openSync(logFile, 'w')],
  });
  running.add(child);
  for (let round = 0; !(await accepts(port)); round++) {
    if (child.exitCode !== null || round === 300)
      throw new Error(`${command.join(' ')} does not start; see ${logFile}`);
    await wait(50);
  }
  const stop = async () => {
    running.delete(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

/** Time that all threads of a process have spent on a processor, in microseconds. */
export function cpuMicroseconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) => {
    // A thread can have ended meanwhile.
    const text = readIfThere(`/proc/${pid}/task/${task}/schedstat`);
    return Number(text.split(' ')[0]);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Resident memory of a process at its peak, in megabytes. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '0';
  }
}
