import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for configuration, and a sandbox. */
export interface World {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly baseUrl: string;
  /** Runs `vds` with pipes, as a script does. */
  vds(
    parameters: readonly string[],
    options?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv },
  ): Promise<Finished>;
  /** Runs `vds` in a pseudo-terminal of 100 columns and types the lines of `input`. */
  terminal(line: string, input?: string): Promise<Finished>;
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
        PATH: process.env['PATH'],
        HOME: folder,
        VDS_CONFIG_DIR: join(folder, 'config'),
        VDS_BASE_URL: baseUrl,
        VDS_BRAND: 'brand_a',
        VDS_ACCESS_TOKEN: 'demo-access-token',
        TERM: 'xterm',
      };
    },
    vds: async (parameters, { input = '', env = {} } = {}) => {
      const child = spawn(process.execPath, [program, ...parameters], { env: { ...world.env, ...env }, cwd: folder });
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      return collect(child);
    },
    terminal: async (line, input) => {
      const command = `stty cols 100 rows 40; exec '${process.execPath}' '${program}' ${line}`;
      const child = spawn('script', ['-qefc', command, '/dev/null'], { env: world.env, cwd: folder });
      const finished = collect(child);
      if (input !== undefined) {
        // Typed once the question is there.
        child.stdout.on('data', (chunk: Buffer) => {
          if (String(chunk).includes(': ')) child.stdin.write(`${input}\r`);
        });
      }
      return finished;
    },
  };
  return world;
}

export const firstVin = 'SANDB0XA000000001';
export const week = ['--from', '2026-03-02', '--to', '2026-03-08'] as const;
