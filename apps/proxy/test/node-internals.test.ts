import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';

const script = fileURLToPath(new URL('../runtimes/node-internals.js', import.meta.url));

/** The Node of the system beside that of the workspace: in CI, each version that the proxy promises. */
const systemNode = process.env['PATH']
  ?.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

if (systemNode === undefined) console.log('not tried on the Node of the system: there is none on the PATH');
const nodes = [{ name: 'the Node of the workspace', path: process.execPath }];
if (systemNode !== undefined) nodes.push({ name: 'the Node of the system', path: systemNode });

it.for(nodes)('the internals of Node that the server uses are there on $name', async ({ path }) => {
  const { stdout } = await promisify(execFile)(path, [script], { timeout: 60_000 });
  expect(stdout.trim().split('\n')).toHaveLength(5);
});

it('the program serves on a Node without a listener of connections, half-open clients and the size of a write queue', async () => {
  const gone = `import { Server, ServerResponse } from 'node:http';
    import { Socket } from 'node:net';
    const { listeners } = Server.prototype;
    Server.prototype.listeners = function (name) { return name === 'connection' ? [] : listeners.call(this, name); };
    Object.defineProperty(Server.prototype, 'httpAllowHalfOpen', { get: () => undefined, set() {} });
    const { get } = Reflect;
    Reflect.get = (from, name) => (from instanceof Socket && name === '_handle' ? undefined : get(from, name));`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(gone)}`];
  const upstream = await startUpstream();
  const { url, stop } = await startProgram({ VDS_UPSTREAM_URL: upstream.url }, [], flags);
  for (const path of ['/healthz', '/v1/vehicles/consent', '/v1/vehicles/consent']) {
    const response = await fetch(url + path, { headers: { Brand: 'brand_a', Authorization: 'Bearer token' } });
    expect([path, response.status]).toEqual([path, 200]);
    await response.text();
  }
  expect(await stop()).toMatchObject({ code: 0 });
});
