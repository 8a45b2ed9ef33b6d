import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { startListening } from '../test/support/listening.ts';

/** The runtimes of the suite: `createProxy` on a plain `@hono/node-server` with either transport, and the others. */
export const runtimeNames = ['hono-sockets', 'hono-fetch', 'workerd', 'deno', 'bun'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** One proxy that a runtime serves. */
export interface ServedProxy {
  readonly port: number;
  readonly config: {
    readonly upstreamUrl: string;
    readonly upstreamAuth: { readonly kind: 'forward' } | { readonly kind: 'static'; readonly accessToken: string };
    readonly allowStopAll: boolean;
    readonly validateResponses: 'off';
    readonly deadlineMs?: number;
    readonly totalDeadlineMs?: number | null;
  };
}

/** A proxy on a free port. */
export async function servedOn(upstreamUrl: string, more: Partial<ServedProxy['config']>): Promise<ServedProxy> {
  const usual = { upstreamAuth: { kind: 'forward' }, allowStopAll: false, validateResponses: 'off' } as const;
  return { port: await getPort(), config: { upstreamUrl, ...usual, ...more } };
}

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(here, '.cache');

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
function workerdConfiguration(list: readonly ServedProxy[]): string {
  const services = list.map(({ port }) => `(name = "${port}", worker = .worker${port})`);
  const sockets = list.map(
    ({ port }) => `(name = "${port}", address = "127.0.0.1:${port}", http = (), service = "${port}")`,
  );
  const workers = list.map(
    ({ port, config }) => `const worker${port} :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "workerd.js")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "CONFIG", text = ${quoted(JSON.stringify(config))})],
);
`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(', ')}, (name = "internet", network = (allow = ["private"]))],
  sockets = [${sockets.join(', ')}],
);
${workers.join('')}`;
}

function commandFor(name: RuntimeName, list: readonly ServedProxy[]): readonly string[] {
  if (name === 'deno')
    return [binary('@deno/*/deno'), 'run', '--allow-net', '--allow-env', '--no-config', join(cache, 'deno-bun.js')];
  if (name === 'bun') return [binary('@oven/*/bin/bun'), 'run', join(cache, 'deno-bun.js')];
  if (name !== 'workerd') return [process.execPath, join(here, 'entries/node.ts')];
  const file = join(cache, 'workerd.capnp');
  writeFileSync(file, workerdConfiguration(list));
  return [binary('@cloudflare/workerd-*/bin/workerd'), 'serve', file];
}

/** Starts a runtime with its proxies and waits until all of them listen. */
export function startRuntime(name: RuntimeName, list: readonly ServedProxy[]) {
  const environment = { PROXIES: JSON.stringify(list), RUNTIME: name };
  return startListening(
    commandFor(name, list),
    environment,
    list.map(({ port }) => port),
  );
}
