import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Whether a program of the system is installed; tests that need one that is not are skipped. */
export function isInstalled(program: string, flag = '--version'): boolean {
  const found = spawnSync(program, [flag]).error === undefined;
  if (!found) console.warn(`the tests with ${program} are skipped: it is not installed`);
  return found;
}

/** Starts a program that ends with this one, and keeps what it prints. */
export function run([program = '', ...flags]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, flags, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  /** What it has printed so far. */
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const exit = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  return { process: child, output, exit };
}

/** Starts a program, and waits until it listens on these ports. */
export async function startListening(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  ports: readonly number[],
) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment };
  const { process: child, output, exit } = run(command, env);
  const printed = () => output.stdout + output.stderr;
  for (const port of ports)
    for (let round = 0; !(await accepts(port)); round++) {
      if (child.exitCode !== null || round === 1500)
        throw new Error(`${command.join(' ')} does not listen: ${printed()}`);
      await wait(10);
    }
  /** Ends it at once, without a goodbye. */
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { pid: child.pid ?? 0, kill, output: printed };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}
