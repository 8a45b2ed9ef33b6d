import { readdirSync, readFileSync } from 'node:fs';
import { startListening } from '../test/support/listening.ts';

/** Processor of the origin and of the load generator, and the one of the proxy under test. */
export const loadCore = 0;
export const proxyCore = 1;

/** A command and what it needs in its environment. */
export interface Command {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program on one processor and waits until it listens. It ends with this process. */
export function startPinned(core: number, { command, environment }: Command, port: number) {
  return startListening(['taskset', '-c', String(core), ...command], { NODE_ENV: 'production', ...environment }, [
    port,
  ]);
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
