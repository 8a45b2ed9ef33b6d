// Where drills happen: a folder that is deleted afterwards, stand-ins for the upstream and the token endpoint on this machine, and the program
// itself with the settings of an operator, as far as they name nothing outside.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drillEnvironment } from '../../config/drill-environment.js';
import type { Settings } from '../../config/settings.js';
import { brandHeader } from '../../contract.js';

export interface ScratchOptions {
  /** File of the program. Default: this one. */
  readonly program?: string;
  /** Time for anything that a drill waits for, in milliseconds. Default: a minute. */
  readonly patienceMs?: number;
}

export type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A running copy of the program. */
export interface ScratchProgram {
  readonly port: number;
  readonly pid: number;
  /** Sends a request. Gives its status, or 0 when there was no response. */
  call(method: string, path: string, brand: string): Promise<number>;
  /** Ends it with a signal. Gives its exit code, or `null` when it was killed. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export class Scratch {
  readonly settings: Settings;
  readonly folder: string;
  readonly #program: string;
  readonly #patienceMs: number;
  readonly #ends: (() => void)[] = [];

  private constructor(settings: Settings, folder: string, { program, patienceMs = 60_000 }: ScratchOptions) {
    this.settings = settings;
    this.folder = folder;
    this.#program = program ?? fileURLToPath(new URL('../../node.js', import.meta.url));
    this.#patienceMs = patienceMs;
  }

  static async open(settings: Settings, options: ScratchOptions): Promise<Scratch> {
    return new Scratch(settings, await mkdtemp(join(tmpdir(), 'vds-drill-')), options);
  }

  /** The audit log of the scratch copy, where the operator has one. */
  get auditFile(): string {
    return join(this.folder, 'audit.ndjson');
  }

  /** Ends all programs and stand-ins, and deletes the folder. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Starts a server that stands in for another one; gives its address. */
  async standIn(respond: Respond): Promise<string> {
    const server = createServer(async (request, response) => {
      const pieces = await request.toArray().catch(() => []);
      respond(request, response, Buffer.concat(pieces).toString());
    });
    this.#ends.push(() => server.close().closeAllConnections());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** @param readsLog whether somebody reads the log @throws {Error} when the program does not start */
  async start(upstream: string, more: Readonly<Record<string, string>>, readsLog = true): Promise<ScratchProgram> {
    const child = spawn(process.execPath, [this.#program], {
      env: { ...drillEnvironment(this.settings, upstream, this.auditFile), ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ends.push(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
    if (readsLog) child.stderr.resume();
    const exit = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
    await this.until(() => /listening on \S+:\d+\n/.test(output) || child.exitCode !== null);
    const port = Number(/listening on \S+:(\d+)\n/.exec(output)?.[1]);
    if (child.exitCode !== null || !(port > 0)) throw new Error('the scratch copy does not start');
    return {
      port,
      pid: child.pid ?? 0,
      call: (method, path, brand) =>
        statusOf(`http://127.0.0.1:${port}${path}`, { method, brand, patienceMs: this.#patienceMs }),
      end: (signal) => {
        child.kill(signal);
        const late = setTimeout(() => child.kill('SIGKILL'), this.#patienceMs);
        return exit.finally(() => clearTimeout(late));
      },
    };
  }

  /** Waits until something is so. Gives whether it was, in time. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
    const endMs = performance.now() + this.#patienceMs;
    while (performance.now() < endMs) {
      if (await isSo()) return true;
      await wait(20);
    }
    return false;
  }
}

/** Limits how far any file of a process can grow, as if the disk were full. @throws {Error} where the system has no `prlimit` */
export async function limitFiles(pid: number, bytes: number | 'unlimited'): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    execFile('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], (error) => (error ? reject(error) : resolve())),
  );
}

async function statusOf(
  url: string,
  { method, brand, patienceMs }: { readonly method: string; readonly brand: string; readonly patienceMs: number },
): Promise<number> {
  const headers = { [brandHeader]: brand, authorization: 'Bearer drill' };
  try {
    const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(patienceMs) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
