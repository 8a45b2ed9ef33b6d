import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Whether a program of the system is installed; tests that need one that is not are skipped. */
export function isInstalled(program: string): boolean {
  const found = spawnSync(program, ['--version']).error === undefined;
  if (!found) console.warn(`the tests with ${program} are skipped: it is not installed`);
  return found;
}

/** Starts a program that ends with this one, and waits until it listens on these ports. */
export async function startListening(
  [program = '', ...flags]: readonly string[],
  environment: Readonly<Record<string, string>>,
  ports: readonly number[],
) {
  const child = spawn(program, flags, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  for (const port of ports)
    for (let round = 0; !(await accepts(port)); round++) {
      if (hasEnded() || round === 1500) throw new Error(`${[program, ...flags].join(' ')} does not listen: ${output}`);
      await wait(10);
    }
  /** Ends it at once, without a goodbye. */
  const kill = async () => {
    if (hasEnded()) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, kill, output: () => output };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}
