// The program as it is installed; other tests start a bundle of it.
import { spawnSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { SocketTransport } from '../src/forward/transport/socket/socket-transport.js';
import { createProxy } from '../src/index.js';
import { maxConnectionsWith } from '../src/node/descriptors.js';
import { isOwnPath } from '../src/response/pages.js';
import { newFile, program, runProgram, runToEnd, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { clientOf, connectTo, startProxy } from './support/set-up.ts';

const upstream = 'http://127.0.0.1:9';
const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'secret-7' };

it('the program starts from the environment alone, prints one line, serves and ends with 0 on SIGTERM', async () => {
  const { url, port, output, stop } = await startProgram({ VDS_UPSTREAM_URL: upstream }, [], [], program);
  expect(output.stdout).toBe(`proxy listening on ${url}\n`);
  for (const path of ['/healthz', '/readyz', '/openapi.yaml']) expect((await fetch(url + path)).status, path).toBe(200);
  for (const name of ['VDS_PORT', 'VDS_ADMIN_PORT', 'VDS_PROBE_PORT']) {
    const taken = { VDS_UPSTREAM_URL: upstream, ...own, VDS_PORT: '0', [name]: String(port) };
    const run = await runToEnd(taken, [], program);
    expect(run).toMatchObject({ code: 1, stderr: `vds-proxy: ${name}: the port is already in use\n` });
  }
  expect(await stop()).toMatchObject({ code: 0 });
});

it('the program that cannot start for a reason that nobody foresaw says where, and quotes nothing', async () => {
  const fault = 'globalThis.setInterval = () => { throw new TypeError("zeb" + "ra") }';
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(fault)}`];
  const { exit, output } = runProgram({ VDS_UPSTREAM_URL: upstream, VDS_PORT: '0' }, [], flags, program);
  expect(await exit).toBe(1);
  expect(output.stderr).toMatch(/^vds-proxy: the proxy cannot start: TypeError at .* at .*\n$/);
  expect(output.stderr).not.toContain('zebra');
});

it('a result that standard output does not take is a failure, in a sentence', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const run = spawnSync(process.execPath, [program, '--version'], {
    encoding: 'utf8',
    stdio: ['ignore', full.fd, 'pipe'],
  });
  expect(run).toMatchObject({ status: 1, stderr: 'vds-proxy: standard output cannot be written\n' });
});

it('flags win over variables; docs and contract can be switched off', async () => {
  const { url } = await startUpstream();
  const flags = ['--upstream', url, '--brands=alpha,beta', '--allow-stop-all', '--docs=false'];
  const { call } = await startProgram({ VDS_UPSTREAM_URL: upstream, VDS_DOCS: 'true' }, flags);
  expect((await call(undefined, { brand: 'alpha' })).status).toBe(200);
  expect((await call()).status).toBe(400);
  for (const path of ['/docs', '/docs/', '/openapi.json', '/openapi.yaml', '/llms.txt'])
    expect(await call(path)).toMatchObject({ status: 404, code: 'no-such-operation' });
});

it('a brand can have its own upstream authentication, with tokens from a token endpoint', async () => {
  const service = await startUpstream();
  const fetched = { body: '{"access_token":"fetched-1","expires_in":3600}' };
  // The query of a token endpoint is kept: https://www.rfc-editor.org/rfc/rfc6749#section-3.2
  const issuer = await startUpstream(({ url }) => (url === '/token?policy=secret-7' ? fetched : { status: 404 }));
  const file = newFile('config.json');
  const client = { 'client-id': 'me', 'client-secret': 'x' };
  const brandA = { 'upstream-auth': 'token-endpoint', 'token-url': `${issuer.url}/token?policy=secret-7`, ...client };
  await writeFile(file, JSON.stringify({ 'by-brand': { brand_a: brandA } }));
  const environment = { VDS_UPSTREAM_URL: service.url, VDS_CONFIG_FILE: file };
  const { call } = await startProgram(environment);
  for (const brand of ['brand_a', 'brand_b']) await call(undefined, { brand });
  expect(service.tokens()).toEqual(['fetched-1', 'of-the-client']);
  const stdout = 'settings: good\nVDS_UPSTREAM_URL: reached\nVDS_TOKEN_URL: reached\n';
  expect(await runToEnd(environment, ['check'])).toMatchObject({ code: 0, stdout });
  const shown = `VDS_TOKEN_URL=${issuer.url}/token?(set, not shown)\n`;
  expect((await runToEnd(environment, ['--print-config'])).stdout).toContain(shown);
});

it.each(['-h', '--help'])('%s shows how to use the program', async (flag) => {
  expect(await runToEnd({}, [flag], program)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage: vds-proxy /),
  });
});

it('--print-config shows the settings without starting, and no secret', async () => {
  const file = newFile('config.json');
  const brandB = { 'upstream-auth': 'static', 'access-token': 'secret-7-of-brand-b' };
  await writeFile(file, JSON.stringify({ 'by-brand': { brand_b: brandB } }));
  const { code, stdout } = await runToEnd(own, ['--print-config', '--upstream', upstream, '--config-file', file]);
  expect(code).toBe(0);
  expect(stdout).toContain(`VDS_UPSTREAM_URL=${upstream}\n`);
  expect(stdout.split('VDS_ACCESS_TOKEN=(set, not shown)\n')).toHaveLength(3);
  expect(stdout).not.toContain('secret-7');
});

it('a page is read once', async () => {
  const pages = vi.fn(async () => ({ contentType: 'text/html', gzip: async () => new Uint8Array(gzipSync('page')) }));
  const { request } = createProxy({ upstreamUrl: upstream }, { pages });
  for (let turn = 0; turn < 2; turn++) expect(await (await request('/docs/')).text()).toBe('page');
  expect(pages).toHaveBeenCalledOnce();
});

it.each(['/docs/../v1/vehicles', '/docs/./x', '/docs/%2e%2e/secret', '/docs/a\\..\\b', '/docsx', '/doc'])(
  'the docs site does not take %s for its own',
  (path) => expect(isOwnPath(path)).toBe(false),
);

/** An address of this machine that is none of its loopback addresses. */
const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (outside === undefined)
  console.warn('connections per address are not tested: this machine has loopback addresses only');

it.skipIf(outside === undefined)(
  'one address cannot use up the connections of others, nor those of probes',
  async () => {
    const program = await startProgram({
      VDS_UPSTREAM_URL: upstream,
      VDS_HOST: '0.0.0.0',
      VDS_CLIENT_AUTH: 'jwt',
      VDS_JWKS_URL: 'http://127.0.0.1:9/keys',
      VDS_JWT_ISSUER: 'issuer',
      VDS_JWT_AUDIENCE: 'proxy',
      VDS_MAX_CONNECTIONS_PER_ADDRESS: '5',
      VDS_ADMIN_PORT: '0',
      ...own,
    });
    const clients = Array.from({ length: 12 }, () => connectTo(program.port, outside));
    await expect.poll(() => clients.filter(({ ending }) => ending !== 'open').length).toBe(7);
    expect(await program.adminPage('/metrics')).toContain(
      'vds_proxy_connections_refused_total{reason="too-many-of-address"} 7\n',
    );
    expect(program.output.stderr).toContain(
      'connection refused: their address has as many as VDS_MAX_CONNECTIONS_PER_ADDRESS',
    );
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
    // Without good credentials a client does not keep its connection.
    const client = clients.find(({ ending }) => ending === 'open');
    client?.send('GET /v1/vehicles/consent HTTP/1.1\r\nHost: localhost\r\nBrand: brand_a\r\n\r\n');
    expect(await client?.ended()).toBe('closed');
    expect(client?.received.toString().toLowerCase()).toMatch(/^http\/1.1 401.*connection: close/s);
    for (const each of clients) each.close();
    const call = clientOf(`http://${outside}:${program.port}`);
    await expect.poll(async () => (await call('/healthz').catch(() => null))?.status).toBe(200);
  },
);

it.skipIf(outside === undefined)('connections of own proxies in front are not limited by their address', async () => {
  const { pipeline, server, port } = await startProxy({
    upstreamUrl: upstream,
    trustedHops: 1,
    maxPerAddress: 2,
    host: outside ?? '',
  });
  const clients = Array.from({ length: 6 }, () => connectTo(port, outside));
  await expect.poll(() => server.open).toBe(6);
  pipeline.use({ upstreamUrl: upstream }, { transport: new SocketTransport(upstream) });
  const further = Array.from({ length: 6 }, () => connectTo(port, outside));
  await expect.poll(() => further.filter(({ ending }) => ending !== 'open').length).toBe(4);
  expect(server.refused.counts).toMatchObject({ 'too-many': 0, 'too-many-of-address': 4, 'not-accepted': 0 });
  expect(clients.every(({ ending }) => ending === 'open')).toBe(true);
});

it('clients that take all connections a low limit of open files allows leave probes and operators theirs', async () => {
  const ports = { VDS_ADMIN_PORT: '0', VDS_PROBE_PORT: String(await reservedPort()) };
  const started = await startProgram({ VDS_UPSTREAM_URL: upstream, ...ports }, [], [], undefined, 128);
  expect(started.output.stderr).toContain('clients may have 32 connections, because of the limit of open files');
  const clients = Array.from({ length: 300 }, () => connectTo(started.port));
  await expect.poll(() => clients.filter(({ ending }) => ending !== 'open').length).toBe(268);
  expect((await fetch(`http://127.0.0.1:${ports.VDS_PROBE_PORT}/healthz`)).status).toBe(200);
  const metrics = await started.adminPage('/metrics');
  expect(metrics).toContain('vds_proxy_connections_refused_total{reason="too-many"} 268\n');
  expect(metrics).toContain('vds_proxy_connections_limit 32\n');
  expect(started.output.stderr).toContain('connection refused: there are as many as the process has room for');
  for (const each of clients) each.close();
  await expect.poll(async () => (await started.call('/healthz').catch(() => null))?.status).toBe(200);
});

it.each([
  { descriptors: 1_048_576, maxInFlight: 1024, connections: 16_384 },
  { descriptors: null, maxInFlight: 1024, connections: 16_384 },
  { descriptors: 4096, maxInFlight: 1024, connections: 3008 },
  { descriptors: 1024, maxInFlight: 1024, connections: 480 },
  { descriptors: 128, maxInFlight: 64, connections: 32 },
  { descriptors: 20, maxInFlight: 64, connections: 1 },
])(
  'descriptors and requests in flight leave room for connections: $descriptors, $maxInFlight, $connections',
  ({ descriptors, maxInFlight, connections }) => expect(maxConnectionsWith(maxInFlight, descriptors)).toBe(connections),
);
