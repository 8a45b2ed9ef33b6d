import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { run, type Streams } from '../../src/run.ts';

export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const firstVin = 'SANDB0XA000000001';
export const week = '--from 2026-03-02 --to 2026-03-08';

/** Texts that are typed, each once what it waits for is on the terminal. */
type Typed = readonly (readonly [waitsFor: string, text: string])[];

/** Streams of a run in this process, with pipes. */
export const streamsOf = (more: Partial<Pick<Streams, 'stdin' | 'env' | 'signal'>> = {}) => ({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  signal: new AbortController().signal,
  ...more,
});

/** What a run of `vds` with pipes printed: as text, as JSON values, and the error on the last line of stderr. */
export function printedBy(code: number | null, stdout: string, stderr: string) {
  const valuesOf = (text: string) => text.trim().split('\n').map(parsed);
  return { code, stdout, stderr, json: valuesOf(stdout), error: valuesOf(stderr).at(-1)?.error };
}

function parsed(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A server in place of the service, and its address. It keeps no process alive. */
export async function upstreamOf(listener?: RequestListener) {
  const server = createServer(listener).unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

/** A service that returns these data, whatever is asked for, and its address. */
export const upstreamWith = (data: object, onRequest: RequestListener = () => {}) =>
  upstreamOf((request, response) => {
    onRequest(request, response);
    const meta = { code: 200, message: 'ok', success: 'true', timestamp: '2026-03-02T00:00:00Z', requestId: 'r' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, meta }));
  });

const endWithParent = new URL('../../../../scripts/end-with-parent.js', import.meta.url).href;

/** The address of the sandbox of this worker, once it was asked for. */
let sandbox: Promise<string> | undefined;

/** Starts the sandbox by `vds sandbox`. It ends with the worker, whose files use it one after the other. */
async function startSandbox(): Promise<string> {
  const child = spawn(process.execPath, ['--import', endWithParent, program, 'sandbox'], {
    env: { HOME: tmpdir(), VDS_SANDBOX_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  let printed = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [address] = /http:\S+(?=\s)/.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the sandbox ended with code ${code}`)));
  });
}

/** Calls a control of the sandbox, on a connection of its own: one that was idle may be closed from the other side meanwhile. */
async function control(url: string, method: string, body = ''): Promise<void> {
  const called = request(url, { method, agent: false, headers: { 'content-type': 'application/json' } }).end(body);
  const [response]: IncomingMessage[] = await once(called, 'response');
  if (response?.statusCode !== 200) throw new Error(`${method} ${url}: HTTP ${response?.statusCode}`);
  await response.resume().toArray();
}

/** A sandbox that is as it was started, and a folder with `vds` on the path and its configuration: for the tests of a file. */
export async function startWorld() {
  sandbox ??= startSandbox();
  const baseUrl = await sandbox;
  await control(`${baseUrl}/sandbox/reset`, 'POST', '{}');
  const folder = await mkdtemp(join(tmpdir(), 'vds-'));
  const shim = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(join(folder, 'vds'), shim, { mode: 0o755 });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const { NODE_COMPILE_CACHE } = process.env;
  const env: NodeJS.ProcessEnv = {
    PATH: `${folder}:${process.env['PATH']}`,
    // Programs that are started read what others have compiled.
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    HOME: folder,
    VDS_CONFIG_DIR: join(folder, 'config'),
    VDS_BASE_URL: baseUrl,
    VDS_BRAND: 'brand_a',
    VDS_ACCESS_TOKEN: 'demo-access-token',
    TERM: 'xterm',
  };

  /** The words of a line. Double quotes keep several together. */
  const wordsOf = (line: string) => line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];

  /** Runs a line of `vds` in this process with pipes, as a script does. */
  async function vds(line: string, options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {}) {
    const stdin = new PassThrough().end(options.input);
    const streams = streamsOf({ stdin, env: { ...env, ...options.env } });
    const printed = [text(streams.stdout), text(streams.stderr)] as const;
    const code = await run(wordsOf(line), streams);
    streams.stdout.end();
    streams.stderr.end();
    return printedBy(code, await printed[0], await printed[1]);
  }

  /** Starts `vds` as a program of its own, with pipes, until the test ends. */
  function start(line: string, more: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [program, ...wordsOf(line)], { env: { ...env, ...more } });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  /** Runs a shell command in a pseudo-terminal of 100 columns, and types each text once what it waits for is there. */
  async function session(command: string, typed: Typed = []) {
    const shell = ['-qefc', `stty cols 100 rows 40; ${command}`, '/dev/null'];
    const child = spawn('script', shell, { env, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    // One that waits for ever would keep the test's own process, too.
    onTestFinished(() => void child.kill('SIGKILL'));
    const left = [...typed];
    let [stdout, since] = ['', ''];
    // A character may come in two chunks.
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      since += chunk;
      if (left[0] === undefined || !since.includes(left[0][0])) return;
      child.stdin.write(left.shift()?.[1] ?? '');
      since = '';
    });
    const [code]: (number | null)[] = await once(child, 'close');
    return { code, stdout };
  }

  /**
   * What a line of `vds` sends to a terminal, run in this process, which types as `session` does. Outside a question, Ctrl-C is a signal, and
   * the terminal echoes it. `terminal.test.ts` and a question of `commands.test.ts` show that a real one gets the same.
   */
  async function screen(
    line: string,
    { columns = 100, typed = [], more = {} }: { columns?: number; typed?: Typed; more?: NodeJS.ProcessEnv } = {},
  ) {
    const pressing = new AbortController();
    const tty = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns });
    let isRaw = false;
    const setRawMode = (mode: boolean) => {
      isRaw = mode;
    };
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
    const left = [...typed];
    let [stdout, since] = ['', ''];
    tty.on('data', (chunk: string) => {
      stdout += chunk.replaceAll('\n', '\r\n');
      since += chunk;
      if (left[0] === undefined || !since.includes(left[0][0])) return;
      const [, text] = left.shift() ?? ['', ''];
      since = '';
      // Nobody types while a text is being written.
      if (isRaw || text !== '\u0003') return void setImmediate(() => stdin.write(text));
      stdout += '^C';
      pressing.abort();
    });
    const streams = { stdin, stdout: tty, stderr: tty, env: { ...env, ...more }, signal: pressing.signal };
    const code = await run(wordsOf(line), streams);
    await once(tty.end(), 'end');
    return { code, stdout };
  }

  /** Makes the sandbox fail in some way, until the test ends. */
  async function addFault(fault: object) {
    const faults = `${env['VDS_BASE_URL']}/sandbox/faults`;
    await control(faults, 'POST', JSON.stringify(fault));
    onTestFinished(() => control(faults, 'DELETE'));
  }

  return { folder, env, vds, start, session, screen, addFault };
}
