import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../apps/sandbox/dist/node.js', import.meta.url));

/** The sandbox as a process of its own, spoken to over HTTP like the service. */
export interface RunningSandbox {
  readonly url: string;
  /** Calls one of the sandbox's own controls, under `/sandbox`. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startSandbox(): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [program, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await addressOf(child);
  return {
    url,
    async control(method, path, body) {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await fetch(`${url}/sandbox${path}`, { method, ...init });
      if (!response.ok) throw new Error(`${method} /sandbox${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      printed += bytes;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (address) resolve(address);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the sandbox ended with code ${code}: ${printed}`)));
  });
}
