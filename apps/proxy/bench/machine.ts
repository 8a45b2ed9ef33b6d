import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** The machine and the programs of a run. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly kernel: string;
  /** Processes that wanted a core in the minute before, on average: more than the cores means that others worked too. */
  readonly load: number;
  readonly programs: Readonly<Record<string, string>>;
}

function version(command: string, flag: string, pattern: RegExp): string {
  try {
    // Some programs print their version to the error output.
    const output = execFileSync('sh', ['-c', `${command} ${flag} 2>&1 || true`]).toString();
    return pattern.exec(output)?.[1] ?? 'unknown';
  } catch {
    return 'missing';
  }
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    load: loadavg()[0] ?? 0,
    programs: {
      Node: process.version.slice(1),
      nginx: version('nginx', '-v', /nginx\/(\S+)/),
      haproxy: version('haproxy', '-v', /version (\d+\.\d+\.\d+)/),
      wrk: version('wrk', '-v', /wrk (\S+)/),
    },
  };
}
