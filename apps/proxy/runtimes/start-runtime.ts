import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import type { ProxyConfig } from '../dist/index.js';
import { startListening } from '../test/support/listening.ts';
import { cache } from './bundle.ts';

/**
 * The runtimes of the suite: the server of the program on the Node of the system, `createProxy` on a plain `@hono/node-server` with either
 * transport, and the others.
 */
export const runtimeNames = ['system-node', 'hono-sockets', 'hono-fetch', 'workerd', 'deno', 'bun'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** One proxy that a runtime serves. */
export interface ServedProxy {
  readonly port: number;
  readonly config: ProxyConfig;
}

/** A proxy on a free port. */
export async function servedOn(config: ProxyConfig): Promise<ServedProxy> {
  return { port: await reservedPort(), config: { validateResponses: 'off', ...config } };
}

/** The Node that the system has beside that of the workspace, and that may be as old as the proxy supports. */
export const systemNode = process.env['PATH']
  ?.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

const here = fileURLToPath(new URL('.', import.meta.url));

/** The program itself: the scripts in `.bin` start it as a child that would outlive them. */
export function binary(pattern: string): string {
  const [found] = globSync(join(here, 'node_modules', pattern));
  if (found === undefined) throw new Error(`${pattern} is not installed`);
  return found;
}

/** A Worker of a bundle, and the port of its socket. */
interface Worker {
  readonly port: number;
  readonly bundle: string;
  readonly bindings: readonly string[];
  /** Further fields in workerd's words, such as those of its Durable Objects. */
  readonly more?: string;
}

/** Starts workerd with Workers, each a service that is named after its port, and with further services. */
export async function startWorkerd(workers: readonly Worker[], further: readonly string[] = []) {
  const ports = workers.map(({ port }) => port);
  const internet = '(name = "internet", network = (allow = ["private"]))';
  const services = [...ports.map((port) => `(name = "${port}", worker = .worker${port})`), internet, ...further];
  const sockets = ports.map(
    (port) => `(name = "${port}", address = "127.0.0.1:${port}", http = (), service = "${port}")`,
  );
  const constants = workers.map(
    ({ port, bundle, bindings, more = '' }) => `const worker${port} :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${bundle}")],
  compatibilityDate = "2026-11-01",
  bindings = [${bindings.join(', ')}],
  ${more}
);
`,
  );
  const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [${services.join(', ')}], sockets = [${sockets.join(', ')}]);
${constants.join('')}`;
  // Beside the bundles: it names them by their place next to it.
  const file = join(cache, `${ports[0]}.capnp`);
  writeFileSync(file, configuration);
  const workerd = binary('@cloudflare/workerd-*/bin/workerd');
  const started = await startListening([workerd, 'serve', '--experimental', file], {}, ports);
  onTestFinished(started.kill);
  rmSync(file);
  return started;
}

function commandFor(name: RuntimeName): readonly string[] {
  if (name === 'deno')
    return [binary('@deno/*/deno'), 'run', '--allow-net', '--allow-env', '--no-config', join(cache, 'deno-bun.js')];
  if (name === 'bun') return [binary('@oven/*/bin/bun'), 'run', join(cache, 'deno-bun.js')];
  if (name === 'system-node') return [systemNode ?? '', join(here, 'entries/own-server.js')];
  return [process.execPath, join(here, 'entries/node.ts')];
}

/** Starts a runtime with its proxies and waits until all of them listen. It ends with the test. */
export async function startRuntime(name: RuntimeName, list: readonly ServedProxy[]) {
  if (name === 'workerd') {
    const binding = ({ config }: ServedProxy) => `(name = "CONFIG", text = ${JSON.stringify(JSON.stringify(config))})`;
    return startWorkerd(list.map((each) => ({ port: each.port, bundle: 'workerd.js', bindings: [binding(each)] })));
  }
  const environment = { PROXIES: JSON.stringify(list), RUNTIME: name };
  const ports = list.map(({ port }) => port);
  const started = await startListening(commandFor(name), environment, ports);
  onTestFinished(started.kill);
  return started;
}
