import getPort from 'get-port';
import { onTestFinished } from 'vitest';
import { newFile } from '../test/support/program.ts';
import { requestTo } from '../test/support/servers.ts';
import { startWorkerd } from './start-runtime.ts';

/** A workerd with the published Worker in two isolates that share their Durable Objects, whose storage is on the disk. */
export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/**
 * Starts workerd. It is killed when the test has finished.
 *
 * @param settings further variables of the Worker
 * @param disk folder where the objects have their storage
 * @param keysPort port of a server that plays the KV namespace `VDS_KEYS`; none without it
 */
export async function startWorker(settings: Record<string, string>, disk = newFile(''), keysPort?: number) {
  const ports = [await getPort(), await getPort()] as const;
  const services = [`(name = "disk", disk = (path = ${JSON.stringify(disk)}, writable = true))`];
  const usual = { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object', VDS_LOG_LEVEL: 'silent' };
  const variables = Object.entries({ ...usual, ...settings });
  const common = variables.map(([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`);
  if (keysPort !== undefined) {
    services.push(`(name = "keys", external = (address = "127.0.0.1:${keysPort}", http = ()))`);
    common.push('(name = "VDS_KEYS", kvNamespace = "keys")');
  }
  const worker = (port: number, state: string, more = '') => {
    const bindings = [...common, `(name = "VDS_STATE", durableObjectNamespace = ${state})`];
    return { port, bundle: 'worker.js', bindings, more };
  };
  const objects = `durableObjectNamespaces = [(className = "ProxyState", uniqueKey = "vds-state", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),`;
  // The objects live in the first Worker; the second has a binding to them, as another isolate of the same Worker has.
  const first = worker(ports[0], '"ProxyState"', objects);
  const second = worker(ports[1], `(className = "ProxyState", serviceName = "${ports[0]}")`);
  const { kill } = await startWorkerd([first, second], services);
  onTestFinished(kill);
  return { isolates: [callAt(ports[0]), callAt(ports[1])] as const, kill };
}

/** Sends requests to a Worker, each on a connection of its own. */
function callAt(port: number) {
  return (path = '/v1/vehicles/consent', headers: Readonly<Record<string, string>> = {}) =>
    requestTo(`http://127.0.0.1:${port}${path}`, { brand: 'brand_a', ...headers });
}
