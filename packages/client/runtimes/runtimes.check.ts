// The packed libraries on Deno, Bun and workerd; the client behind corporate proxies, and in Jest. Installs them first: npm run test:runtimes
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expected, respondToExercise } from '../test/packed/exercise-service.ts';
import { link, packageFolder, packedProject, run } from '../test/packed/packed-project.ts';
import { listen, startHttpService, success } from '../test/service.ts';

const modules = join(packageFolder, 'runtimes/node_modules');
const bin = join(modules, '.bin');
const project = await packedProject();
// The network alone: the packages need neither files nor the environment.
const denoFlags = ['run', '--no-prompt', '--allow-net', '--node-modules-dir=manual'];

test.for([
  { runtime: 'Deno', program: 'deno', flags: denoFlags, results: expected },
  // Its stacks end within the SDK.
  { runtime: 'Bun', program: 'bun', flags: [], results: { ...expected, stack: false } },
])('a runtime does what Node does: $runtime', async ({ program, flags, results }) => {
  const service = await startHttpService(respondToExercise);
  const { stdout } = await run(join(bin, program), [...flags, 'run.js', service.url], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(results);
  // Their own fetch would send it again after each connection that breaks.
  expect(service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('workerd does what Node does', async () => {
  const service = await startHttpService(respondToExercise);
  const handler = `import { exercise } from './exercise.js';
    export default { fetch: async () => Response.json(await exercise('${service.url}')) };`;
  const bundle = { bundle: true, minify: true, format: 'esm', outfile: join(project, 'worker.js') } as const;
  await build({ stdin: { contents: handler, resolveDir: project }, ...bundle });
  await writeFile(
    join(project, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  );
  const flags = ['serve', '--control-fd=1', 'worker.capnp'];
  const child = spawn(join(bin, 'workerd'), flags, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes));
  const portIn = () => /"port":\s*(\d+)/.exec(said)?.[1];
  await expect.poll(portIn, { timeout: 30_000 }).toBeDefined();
  const response = await fetch(`http://127.0.0.1:${portIn()}/`);
  expect(await response.json()).toEqual(expected);
});

/** An HTTP proxy that forwards by CONNECT and by absolute addresses, and counts its connections. */
async function startCorporateProxy() {
  let connections = 0;
  const server = createServer(async (request, response) => {
    const { brand = '' } = request.headers;
    const upstream = await fetch(`${request.url}`, { headers: { brand: `${brand}` } });
    response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(await upstream.text());
  });
  server.on('connection', () => (connections += 1));
  server.on('connect', ({ url = '' }, socket) => {
    const [host, port] = url.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return { url: await listen(server, () => server.closeAllConnections()), connections: () => connections };
}

const undici = `import { fetch, ProxyAgent } from ${JSON.stringify(join(modules, 'undici/index.js'))};`;
const corporate = [
  {
    runtime: 'Node',
    program: process.execPath,
    flags: [],
    imports: undici,
    option: 'dispatcher',
    agent: 'new ProxyAgent(address)',
  },
  { runtime: 'Bun', program: join(bin, 'bun'), flags: [], imports: '', option: 'proxy', agent: 'address' },
  {
    runtime: 'Deno',
    program: join(bin, 'deno'),
    flags: denoFlags,
    imports: '',
    option: 'client',
    agent: 'Deno.createHttpClient({ proxy: { url: address } })',
  },
];
test.for(corporate)('a runtime calls through the corporate proxy of its recipe: $runtime', async (recipe) => {
  const { program, flags, imports, option, agent } = recipe;
  const service = await startHttpService((_, response) => void response.end(success({ vehicles: [] })));
  const proxy = await startCorporateProxy();
  await writeFile(
    join(project, 'corporate.js'),
    `${imports}
import process from 'node:process';
import { createVehicleDataClient } from '@vehicle-data/client';
const [, , baseUrl, address] = process.argv;
const agent = ${agent};
const transport = (url, init) => fetch(url, { ...init, ${option}: agent });
const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', fetch: transport });
for (let call = 0; call < 4; call += 1) console.log(JSON.stringify(await client.listVehicles()));
process.exit(0);
`,
  );
  const { stdout } = await run(program, [...flags, 'corporate.js', service.url, proxy.url], { cwd: project });
  expect(stdout).toBe('{"vehicles":[]}\n'.repeat(4));
  expect(service.requests[0]?.headers['brand']).toBe('brand_a');
  // An agent for each call would make one for each.
  expect([1, 2, 3]).toContain(proxy.connections());
});

describe('Jest loads the package', () => {
  // An older one than that of the workspace, where the system has one.
  const systemNode = ['/usr/bin/node', process.execPath].find(existsSync) ?? 'node';
  const program = `const { createLocationRecord, fakeClient, serviceError } = require('@vehicle-data/client/testing');
const vin = 'SANDB0XA000000001';

test('the code under test reads a location, trips and an error', async () => {
  const client = fakeClient({
    getLocation: () => createLocationRecord(),
    getDrivingData: () => ({ trips: [{ triggerStartTime: '2026-03-02T08:00:00.000Z', tripLength: 1 }] }),
    getCurrentStatus: () => {
      throw serviceError('5006');
    },
  });
  expect((await client.getLocation({ vin })).location).toBeDefined();
  await expect(client.getCurrentStatus({ vin })).rejects.toMatchObject({ name: 'ConsentError', code: '5006' });
  const starts = [];
  for await (const trip of client.trips.driving({ vin, from: '20260302', to: '20260302' })) starts.push(trip.triggerStartTime);
  expect(starts).toEqual(['2026-03-02T08:00:00.000Z']);
});
`;
  const babel = JSON.stringify({ presets: [['@babel/preset-env', { targets: { node: 'current' } }]] });
  const transformed = { transformIgnorePatterns: ['node_modules/(?!(@vehicle-data|openapi-fetch)/)'] };

  const ways = [
    {
      way: 'as it is, with --experimental-vm-modules',
      node: process.execPath,
      flags: ['--experimental-vm-modules'],
      options: {},
    },
    { way: 'with Babel', node: systemNode, flags: [], options: transformed },
  ];
  test.for(ways)('$way', async ({ node, flags, options }) => {
    await writeFile(join(project, 'sample.test.cjs'), program);
    await writeFile(join(project, 'jest.config.cjs'), `module.exports = ${JSON.stringify(options)};`);
    if ('transformIgnorePatterns' in options) {
      await link(project, modules, '@babel');
      await writeFile(join(project, 'babel.config.json'), babel);
      onTestFinished(() => rm(join(project, 'babel.config.json')));
    }
    const jest = [...flags, join(modules, 'jest/bin/jest.js'), '--testMatch', '**/*.test.cjs'];
    const { stderr } = await run(node, jest, { cwd: project }).catch((error: { stderr: string }) => error);
    expect(stderr).toContain('1 passed, 1 total');
  });
});
