import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A process that the bench has started, with what it started itself. */
export interface Started {
  readonly pid: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Processor of the origin and of the load generator, and the one of the proxy under test. */
export const loadCore = 0;
export const proxyCore = 1;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

/** Starts a program on one processor. Its error output goes to a file. */
export function startPinned(
  core: number,
  command: readonly string[],
  environment: Record<string, string>,
  logFile: string,
): Started {
  const child = spawn('taskset', ['-c', String(core), ...command], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'ignore', openSync(logFile, 'w')],
  });
  running.add(child);
  const stop = async () => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.race([ended, wait(1500, undefined, { ref: false })]);
    child.kill('SIGKILL');
  };
  return { pid: child.pid ?? 0, process: child, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

/** Waits until a port accepts connections; `false` after 15 seconds or when the process has ended. */
export async function listening(port: number, started: Started): Promise<boolean> {
  for (let round = 0; round < 300; round++) {
    if (started.process.exitCode !== null) return false;
    if (await accepts(port)) return true;
    await wait(50);
  }
  return false;
}

function family(pid: number): number[] {
  const found = [pid];
  for (const parent of found) {
    try {
      for (const task of readdirSync(`/proc/${parent}/task`)) {
        const children = readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim();
        if (children !== '') found.push(...children.split(' ').map(Number));
      }
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** Time that all threads of a process and of its children have spent on a processor, in nanoseconds. */
export function cpuNanoseconds(pid: number): number {
  let sum = 0;
  for (const each of family(pid)) {
    try {
      for (const task of readdirSync(`/proc/${each}/task`))
        sum += Number(readFileSync(`/proc/${each}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}

/** Resident memory of a process and its children, now and at its peak, in megabytes. */
export function residentMegabytes(pid: number): { readonly now: number; readonly peak: number } {
  let now = 0;
  let peak = 0;
  for (const each of family(pid)) {
    try {
      const status = readFileSync(`/proc/${each}/status`, 'utf8');
      now += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
      peak += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      // It has ended meanwhile.
    }
  }
  return { now, peak };
}
