// What a lock file needs to know about processes.
import { readlinkSync } from 'node:fs';
import process from 'node:process';

/** On Linux, the namespace in which a process number means this process: each container has one. `null` elsewhere. */
export function processNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** Whether no process of this machine has a number. One that may not be signaled exists. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
