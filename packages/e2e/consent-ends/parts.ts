// Processes that are killed and started again, and what they have printed over all their lives.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Front } from './front.ts';

/** One process of the drill. */
export class Part {
  readonly name: string;
  readonly #command: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #front: Front | undefined;
  #child: ChildProcess | null = null;
  output = '';
  kills = 0;
  /** Where it listens, as it last said. */
  port = 0;

  /** @param front leads to it wherever it listens */
  constructor(name: string, command: readonly string[], env: Readonly<Record<string, string>>, front?: Front) {
    this.name = name;
    this.#command = command;
    this.#env = env;
    this.#front = front;
  }

  /** Resolves when it says where it listens. */
  async start(): Promise<void> {
    const [program = '', ...more] = this.#command;
    const child = spawn(program, more, {
      env: { PATH: process.env['PATH'], ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const from = this.output.length;
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        this.output += chunk;
        const [, port] =
          /(?:listening on|metrics are at) http:\/\/127\.0\.0\.1:(\d+)\s/.exec(this.output.slice(from)) ?? [];
        if (port === undefined) return;
        this.port = Number(port);
        resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`${this.name} ended with ${signal ?? code}: ${this.output.slice(from)}`)),
      );
    });
    if (this.#front) this.#front.targetPort = this.port;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    this.kills++;
    if (this.#front) this.#front.targetPort = null;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Kills it, and starts it again after a pause. One that the kill hits at its start is started once more. */
  async killAndStart(pauseMs: number): Promise<void> {
    await this.kill();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await this.start();
  }
}
