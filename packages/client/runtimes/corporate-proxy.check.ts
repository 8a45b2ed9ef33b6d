// The recipes of the guide for corporate proxies, on each runtime. Installs them first: npm run test:runtimes
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reply, startHttpService, success } from '../test/http-service.ts';
import { packageFolder, packedProject, run } from '../test/packed/install-packed.ts';

const modules = join(packageFolder, 'runtimes/node_modules');
const project = packedProject();

/** An HTTP proxy that forwards by CONNECT and by absolute addresses, and counts what it forwards. */
async function startCorporateProxy() {
  let forwarded = 0;
  const server = createServer(async (request, response) => {
    forwarded += 1;
    const { brand = '' } = request.headers;
    const upstream = await fetch(`${request.url}`, { headers: { brand: `${brand}` } });
    response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(await upstream.text());
  });
  server.on('connect', ({ url = '' }, socket) => {
    forwarded += 1;
    const [host, port] = url.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forwarded: () => forwarded };
}

test.each([
  [
    'Node',
    process.execPath,
    ['run.js'],
    `import { fetch, ProxyAgent } from ${JSON.stringify(join(modules, 'undici/index.js'))};`,
    '{ ...init, dispatcher: new ProxyAgent(address) }',
  ],
  ['Bun', join(modules, '.bin/bun'), ['run.js'], '', '{ ...init, proxy: address }'],
  [
    'Deno',
    join(modules, '.bin/deno'),
    ['run', '--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual', 'run.js'],
    '',
    '{ ...init, client: Deno.createHttpClient({ proxy: { url: address } }) }',
  ],
])('%s sends calls through the proxy of its recipe', async (_, program, args, imports, init) => {
  const service = await startHttpService((_, response) => reply(response, 200, success({ vehicles: [] })));
  const proxy = await startCorporateProxy();
  await writeFile(
    join(project.folder, 'run.js'),
    `${imports}
import process from 'node:process';
import { createVehicleDataClient } from '@vehicle-data/client';
const [, , baseUrl, address] = process.argv;
const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', fetch: (url, init) => fetch(url, ${init}) });
console.log(JSON.stringify(await client.listVehicles()));
process.exit(0);
`,
  );
  const { stdout } = await run(program, [...args, service.url, proxy.url], { cwd: project.folder });
  expect(JSON.parse(stdout)).toEqual({ vehicles: [] });
  expect(service.requests[0]?.headers['brand']).toBe('brand_a');
  expect(proxy.forwarded()).toBe(1);
});
