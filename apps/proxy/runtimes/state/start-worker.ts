import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { startListening } from '../../test/support/listening.ts';
import { requestTo } from '../../test/support/servers.ts';
import { binary, quoted } from '../start-runtime.ts';

const cache = fileURLToPath(new URL('../.cache', import.meta.url));

/** A workerd with the published Worker in two isolates that share their Durable Objects, whose storage is on the disk. */
export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/** Makes a folder for the storage of Durable Objects. */
export function newDisk(): string {
  return mkdtempSync(join(tmpdir(), 'vds-objects-'));
}

/**
 * Starts workerd.
 *
 * @param settings the variables of the Worker
 * @param disk folder where the objects have their storage
 * @param keysPort port of a server that plays the KV namespace `VDS_KEYS`; none without it
 */
export async function startWorker(settings: Record<string, string>, disk: string, keysPort: number | null = null) {
  const ports = [await getPort(), await getPort()] as const;
  // Beside the bundle: a file of workerd's configuration names others by their place next to it.
  const file = join(cache, `state-${ports[0]}.capnp`);
  writeFileSync(file, configuration(settings, disk, ports, keysPort));
  const command = [binary('@cloudflare/workerd-*/bin/workerd'), 'serve', '--experimental', file];
  const { kill } = await startListening(command, {}, ports);
  rmSync(file);
  return {
    isolates: [callAt(ports[0]), callAt(ports[1])] as const,
    kill,
  };
}

/** The objects live in the first Worker; the second has a binding to them, as another isolate of the same Worker has. */
function configuration(
  settings: Record<string, string>,
  disk: string,
  [first, second]: readonly [number, number],
  keysPort: number | null,
): string {
  const texts = Object.entries(settings).map(([name, text]) => `(name = ${quoted(name)}, text = ${quoted(text)})`);
  if (keysPort !== null) texts.push('(name = "VDS_KEYS", kvNamespace = "keys")');
  const bindings = (state: string) => [...texts, `(name = "VDS_STATE", durableObjectNamespace = ${state})`].join(', ');
  const code = `modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-11-01"`;
  const services = [
    '(name = "first", worker = .first)',
    '(name = "second", worker = .second)',
    `(name = "disk", disk = (path = ${quoted(disk)}, writable = true))`,
    '(name = "internet", network = (allow = ["private"]))',
    ...(keysPort === null ? [] : [`(name = "keys", external = (address = "127.0.0.1:${keysPort}", http = ()))`]),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(', ')}],
  sockets = [
    (name = "first", address = "127.0.0.1:${first}", http = (), service = "first"),
    (name = "second", address = "127.0.0.1:${second}", http = (), service = "second"),
  ],
);
const first :Workerd.Worker = (
  ${code},
  bindings = [${bindings('"ProxyState"')}],
  durableObjectNamespaces = [(className = "ProxyState", uniqueKey = "vds-state", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
const second :Workerd.Worker = (
  ${code},
  bindings = [${bindings('(className = "ProxyState", serviceName = "first")')}],
);
`;
}

/** Sends requests to a Worker, each on a connection of its own. */
function callAt(port: number) {
  return (path = '/v1/vehicles/consent', headers: Readonly<Record<string, string>> = {}) =>
    requestTo(`http://127.0.0.1:${port}${path}`, { brand: 'brand_a', ...headers });
}
