import { readFileSync } from 'node:fs';
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
  // After the name in parentheses; the time as user and that in the kernel are in hundredths of a second. `man 5 proc_pid_stat`
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Resident memory of a process at its peak, in megabytes. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
