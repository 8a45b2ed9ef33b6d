// The program under test: as a process of its own where one is killed, drained or races with others, and within the test where only what a
// command does, prints and returns is looked at. Both are the same code from `runCommand` on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runCommand } from '../../dist/command/run-command.js';

type Environment = Readonly<Record<string, string>>;

/** What a command has left. */
export interface Ended {
  /** `null` where its process was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts a command in a process, which the end of the test kills. */
export function startProcess(command: readonly string[], env: Environment) {
  // The embedded database is WebAssembly: what optimizing it costs, these processes do not live to gain.
  const args = ['--liftoff-only', pathOf('../../dist/main.js'), ...command];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err, closed] = [text(child.stdout), text(child.stderr), once(child, 'close')];
  const ended = async (): Promise<Ended> => {
    const [code] = await closed;
    return { code: typeof code === 'number' ? code : null, out: await out, err: await err };
  };
  return { child, ended: ended() };
}

/** Runs a command in this process until it ends: no signal reaches it. */
export async function runHere(command: readonly string[], env: Environment): Promise<Ended> {
  let [out, err] = ['', ''];
  const { signal } = new AbortController();
  const code = await runCommand(
    command,
    { ...process.env, ...env },
    {
      stdout: { write: (part) => (out += part) },
      stderr: { write: (part) => (err += part) },
      signals: () => ({ stop: signal, abort: signal }),
    },
  );
  return { code, out, err };
}

/** Starts the sandbox with so many vehicles in a process of its own. Returns its address and what ends it. */
export async function startSandbox(vehicles: number) {
  const args = [pathOf('../../../sandbox/dist/node.js'), '--port', '0', '--vehicles', `${vehicles}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  while (!/http:\S+\s/.test(printed)) printed += String((await once(child.stdout, 'data'))[0]);
  return {
    url: /http:\S+/.exec(printed)?.[0] ?? '',
    async stop() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}
