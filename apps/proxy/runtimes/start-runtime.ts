import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RuntimeName } from './exceptions.ts';
import { type ServedProxy, settingsOf } from './served-proxy.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(here, '.cache');
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

const outputs = new Map<ChildProcess, string>();

/** What a program has written so far. */
function outputOf(child: ChildProcess): string {
  return outputs.get(child) ?? '';
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** Starts a program that ends with this one. */
export function start(command: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const [program = '', ...flags] = command;
  const child = spawn(program, flags, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  outputs.set(child, '');
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => outputs.set(child, outputOf(child) + text.toString()));
  children.add(child);
  return child;
}

/** The program itself: the scripts in `.bin` start it as a child that would outlive them. */
export function binary(pattern: string): string {
  const [found] = globSync(join(here, 'node_modules', pattern));
  if (found === undefined) throw new Error(`${pattern} is not installed`);
  return found;
}

/** A text of workerd's configuration. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Configuration of workerd: one Worker and one socket for each proxy. */
function workerdConfiguration(list: readonly ServedProxy[], file: string): string {
  const workers = list.map((proxy) => {
    // The bundle of the suite takes its configuration as one text, the published Worker takes settings.
    const texts = Object.entries({ ...settingsOf(proxy), CONFIG: JSON.stringify(proxy.config) });
    const bindings = texts.map(([name, text]) => `(name = ${quoted(name)}, text = ${quoted(text)})`);
    const name = `worker${proxy.port}`;
    return {
      service: `(name = ${quoted(name)}, worker = .${name})`,
      socket: `(name = ${quoted(name)}, address = "127.0.0.1:${proxy.port}", http = (), service = ${quoted(name)})`,
      worker: `const ${name} :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed ${quoted(file)})],
  compatibilityDate = "2026-11-01",
  bindings = [${bindings.join(', ')}],
);`,
    };
  });
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${workers.map(({ service }) => service).join(', ')}, (name = "internet", network = (allow = ["private"]))],
  sockets = [${workers.map(({ socket }) => socket).join(', ')}],
);
${workers.map(({ worker }) => worker).join('\n')}
`;
}

/** Starts a runtime with its proxies and waits until all of them listen. */
export async function startRuntime(
  name: RuntimeName,
  list: readonly ServedProxy[],
  workerFile = 'workerd.js',
): Promise<{ stop(): void; output(): string }> {
  const started: ChildProcess[] = [];
  const PROXIES = JSON.stringify(list);
  if (name === 'node') {
    started.push(start([process.execPath, join(here, 'entries/node.ts')], { PROXIES }));
  } else if (name === 'hono-sockets' || name === 'hono-fetch') {
    started.push(start([process.execPath, join(here, 'entries/hono.ts')], { PROXIES, TRANSPORT: name }));
  } else if (name === 'workerd') {
    const file = join(cache, 'workerd.capnp');
    writeFileSync(file, workerdConfiguration(list, workerFile));
    started.push(start([binary('@cloudflare/workerd-*/bin/workerd'), 'serve', file]));
  } else if (name === 'deno') {
    const deno = binary('@deno/*/deno');
    started.push(
      start([deno, 'run', '--allow-net', '--allow-env', '--no-config', join(cache, 'deno.js')], { PROXIES }),
    );
  } else {
    started.push(start([binary('@oven/*/bin/bun'), 'run', join(cache, 'bun.js')], { PROXIES }));
  }
  for (const { port } of list) await listening(port, started);
  return {
    stop() {
      for (const child of started) child.kill('SIGKILL');
    },
    output: () => started.map(outputOf).join(''),
  };
}

/** Waits until something takes connections on a port. */
export async function listening(port: number, started: readonly ChildProcess[]): Promise<void> {
  for (let round = 0; round < 1500; round++) {
    if (started.some((child) => child.exitCode !== null))
      throw new Error(`a runtime ended before it listened: ${started.map(outputOf).join('')}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
    });
    if (open) return;
    await wait(10);
  }
  throw new Error('a runtime does not listen after 15 s');
}
