import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { run } from '../../src/run.ts';

export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for configuration, with `vds` on the path, and a sandbox. */
export interface World {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly baseUrl: string;
  /** Runs a line of `vds` in this process with pipes, as a script does. Double quotes keep words together. */
  vds(line: string, options?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv }): Promise<Finished>;
  /** Runs `vds` in a pseudo-terminal of 100 columns and types the lines of `input`. */
  terminal(line: string, input?: string): Promise<Finished>;
  /** Runs a shell command in a pseudo-terminal, and types each text once what it waits for is there. */
  session(command: string, typed?: readonly (readonly [waitsFor: string, text: string])[]): Promise<Finished>;
}

function collect(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk));
  return once(child, 'close').then(([code]) => ({ code: typeof code === 'number' ? code : null, stdout, stderr }));
}

/** Starts a sandbox for the tests of a file, and gives each file a configuration folder of its own. */
export function useWorld(): World {
  let sandbox: ChildProcess;
  let folder = '';
  let baseUrl = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vds-'));
    const shim = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
    await writeFile(join(folder, 'vds'), shim, { mode: 0o755 });
    const entry = fileURLToPath(new URL('./node.js', import.meta.resolve('@vehicle-data/sandbox')));
    sandbox = spawn(process.execPath, [entry], {
      env: { VDS_SANDBOX_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    baseUrl = await new Promise<string>((resolve, reject) => {
      sandbox.stdout?.on('data', (chunk: Buffer) => {
        const address = /(http:\S+)/.exec(String(chunk))?.[1];
        if (address !== undefined) resolve(address);
      });
      sandbox.once('exit', () => reject(new Error('the sandbox ended')));
    });
  });
  afterAll(async () => {
    sandbox.kill();
    await rm(folder, { recursive: true, force: true });
  });
  const world: World = {
    get folder() {
      return folder;
    },
    get baseUrl() {
      return baseUrl;
    },
    get env() {
      return {
        PATH: `${folder}:${process.env['PATH']}`,
        HOME: folder,
        VDS_CONFIG_DIR: join(folder, 'config'),
        VDS_BASE_URL: baseUrl,
        VDS_BRAND: 'brand_a',
        VDS_ACCESS_TOKEN: 'demo-access-token',
        TERM: 'xterm',
      };
    },
    vds: async (line, { input = '', env = {} } = {}) => {
      const parameters = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const printed = Promise.all([text(stdout), text(stderr)]);
      const code = await run(parameters, {
        stdin: Readable.from([Buffer.from(input)]),
        stdout,
        stderr,
        env: { ...world.env, ...env },
        signal: new AbortController().signal,
      });
      stdout.end();
      stderr.end();
      const [out, err] = await printed;
      return { code, stdout: out, stderr: err };
    },
    terminal: (line, input) => world.session(`exec vds ${line}`, input === undefined ? [] : [[': ', `${input}\r`]]),
    session: async (command, typed = []) => {
      const child = spawn('script', ['-qefc', `stty cols 100 rows 40; ${command}`, '/dev/null'], {
        env: world.env,
        cwd: folder,
      });
      const left = [...typed];
      let since = '';
      child.stdout.on('data', (chunk: Buffer) => {
        since += chunk;
        const [next] = left;
        if (next === undefined || !since.includes(next[0])) return;
        left.shift();
        since = '';
        child.stdin.write(next[1]);
      });
      return collect(child);
    },
  };
  return world;
}

export const firstVin = 'SANDB0XA000000001';
export const week = '--from 2026-03-02 --to 2026-03-08';
