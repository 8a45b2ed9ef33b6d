import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, onTestFinished } from 'vitest';

export const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
export const accessToken = 'demo-access-token';
export const run = promisify(execFile);

export type App = Awaited<ReturnType<typeof startApp>>;

/** Starts a built app of a repository on a free port; it is stopped when the test has finished, or when `atEnd` says. */
export const startApp = (
  name: 'sandbox' | 'proxy',
  environment: Record<string, string>,
  root = repository,
  atEnd?: (stop: () => Promise<void>) => void,
) => startProgram([`${root}/apps/${name}/dist/node.js`, '--port', '0'], environment, atEnd);

/** Starts a program that says where it listens. */
export async function startProgram(
  program: readonly string[],
  environment: Record<string, string> = {},
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
) {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  atEnd(() => stopProcess(child));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      const found = /listening on (http:\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${program[0]} ended with code ${code}: ${printed}`)));
  });
  return {
    /** Base address, for example `http://127.0.0.1:43121`. */
    address,
    /** Everything it has printed so far. */
    output: () => printed,
  };
}

/**
 * A sandbox, and a proxy in front of it that forwards the client's token: one of each for the tests of a file. Every test finds the
 * sandbox as if it had just started.
 */
export async function startService(settings: Record<string, string> = {}) {
  const sandbox = await startApp('sandbox', {}, repository, afterAll);
  const environment = { VDS_UPSTREAM_URL: sandbox.address, ...settings };
  const proxy = await startApp('proxy', environment, repository, afterAll);
  beforeEach(async () => void (await control(sandbox, 'reset')));
  return { sandbox, proxy };
}

/** Calls the service without the SDK; gives the status and the envelope. */
export async function call({ address }: Pick<App, 'address'>, path: string, brand = 'brand_a') {
  const headers = { Brand: brand, Authorization: `Bearer ${accessToken}`, 'X-Request-Id': 'this-call' };
  const response = await fetch(`${address}/v1/vehicles/${path}`, { headers });
  const envelope: { data?: object; meta?: object; error?: { code: string; message: string } } = await response.json();
  return { status: response.status, ...envelope };
}

/** Calls one of the sandbox's own controls, on a connection of its own: one that was idle may be closed from the other side meanwhile. */
export async function control({ address }: Pick<App, 'address'>, name: string, body: object = {}): Promise<Response> {
  const settings = { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } } as const;
  const called = request(`${address}/sandbox/${name}`, settings).end(JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(called, 'response');
  if (response === undefined) throw new Error(`${name}: no response`);
  return new Response(await text(response), { status: response.statusCode ?? 500 });
}

/** Asks a process to end and waits until it has. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Serves on a free port until the test has finished. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A folder outside of the repository; it goes when the test has finished. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vehicle-data-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the command line as a program `vds` into a folder, for its PATH. */
export async function writeVds(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${repository}/packages/cli/dist/main.js' "$@"\n`;
  await writeFile(`${folder}/vds`, program, { mode: 0o755 });
}
