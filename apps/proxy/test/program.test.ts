// The program as it is installed; other tests start a bundle of it.
import { spawnSync } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../src/app.js';
import { SocketTransport } from '../src/forward/transport/socket/socket-transport.js';
import { createProxy } from '../src/index.js';
import { maxConnectionsWith } from '../src/node/descriptors.js';
import { pagesFromDisk } from '../src/node/pages-from-disk.js';
import { isOwnPath } from '../src/response/pages.js';
import { lastingPort, newFile, program, runProgram, runToEnd, startProgram } from './support/program.ts';
import { requestTo, startUpstream } from './support/servers.ts';
import { clientOf, connectTo, startProxy } from './support/set-up.ts';

const upstream = 'http://127.0.0.1:9';
const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'secret-7' };

it('the program starts from the environment alone, prints one line, serves and ends with 0 on SIGTERM', async () => {
  const { url, port, output, stop } = await startProgram({ VDS_UPSTREAM_URL: upstream }, [], [], program);
  expect(output.stdout).toBe(`proxy listening on ${url}\n`);
  for (const path of ['/healthz', '/readyz', '/docs/', '/openapi.yaml', '/llms.txt'])
    expect((await fetch(url + path)).status, path).toBe(200);
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

/** A proxy in this process with docs and contract. */
const startWithPages = () =>
  startProxy({ upstreamUrl: upstream, makeApp: (pipeline) => createApp(pipeline, pagesFromDisk()) });

const gzip = { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' };

it('docs and contract are compressed for clients that accept it, not sent again to those who have them, and known to HEAD', async () => {
  const { url } = await startWithPages();
  for (const path of ['/openapi.json', '/openapi.yaml', '/docs/']) {
    const plain = await requestTo(url + path);
    const compressed = await requestTo(url + path, gzip);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(compressed.body.length),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept, accept-encoding',
    });
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 3);
    expect(
      (await requestTo(url + path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
    ).toBeUndefined();

    const etag = compressed.headers['etag'] ?? '';
    const again = await requestTo(url + path, { ...gzip, 'if-none-match': `"another", W/${etag}` });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
    // The two forms differ in their bytes, so their tags differ.
    expect((await requestTo(url + path, { 'if-none-match': etag })).status).toBe(200);

    const head = await requestTo(url + path, gzip, 'HEAD');
    expect(head.body).toHaveLength(0);
    for (const name of ['etag', 'content-length', 'content-type', 'content-encoding'])
      expect(head.headers[name]).toBe(compressed.headers[name]);
  }
});

const built = (file: string) => readFile(new URL(`../../docs/dist/${file}`, import.meta.url));
const html = 'text/html; charset=utf-8';

it('a client that accepts Markdown gets pages of the docs as Markdown', async () => {
  const { url } = await startWithPages();
  const markdown = await built('guides/errors.md');
  for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.5', 'text/html;q=0.5,text/markdown;q=0.9']) {
    const { headers, body } = await requestTo(`${url}/docs/guides/errors/`, { accept });
    expect(headers['content-type'], accept).toBe('text/markdown; charset=utf-8');
    expect(body.equals(markdown)).toBe(true);
  }
  for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/markdown;q=0', 'text/*'])
    expect((await requestTo(`${url}/docs/guides/errors/`, { accept })).headers['content-type'], accept).toBe(html);
  // What has no Markdown stays as it is.
  expect((await requestTo(`${url}/docs/`, { accept: 'text/markdown' })).headers['content-type']).toBe(html);
});

it('the docs site has an address for each of its files, and a page for what it does not have', async () => {
  const { url } = await startWithPages();
  const plain = 'text/plain; charset=utf-8';
  for (const { path, status, type, file } of [
    { path: '/docs/', status: 200, type: html, file: 'index.html' },
    { path: '/docs/guides/errors/', status: 200, type: html, file: 'guides/errors/index.html' },
    {
      path: '/docs/guides/errors.md',
      status: 200,
      type: 'text/markdown; charset=utf-8',
      file: 'guides/errors.md',
    },
    { path: '/llms.txt', status: 200, type: plain, file: 'llms.txt' },
    { path: '/docs/llms.txt', status: 200, type: plain, file: 'llms.txt' },
    { path: '/docs/moon/', status: 404, type: html, file: '404.html' },
  ]) {
    const { headers, body, ...response } = await requestTo(url + path);
    expect([path, response.status, headers['content-type']]).toEqual([path, status, type]);
    expect(body.equals(await built(file))).toBe(true);
  }
  for (const [path, location] of [
    ['/docs', '/docs/'],
    ['/docs/guides/errors', '/docs/guides/errors/'],
    ['/docs/latest/guides/errors/', '/docs/guides/errors/'],
  ])
    expect(await requestTo(url + path)).toMatchObject({ status: 308, headers: { location } });
  for (const path of ['/llms.txt', '/docs/llms-full.txt']) {
    // Links of the one file are absolute, to the proxy that `npm start` starts.
    const text = String((await requestTo(url + path)).body).replaceAll('](http://127.0.0.1:8787/', '](/');
    const links = text.matchAll(/\]\((?!https?:)([^)#\s]+)/g);
    const linked = new Set(Array.from(links, ([, link = '']) => new URL(link, url + path).href));
    expect(linked.size).toBeGreaterThan(50);
    for (const link of linked) expect([link, (await requestTo(link)).status]).toEqual([link, 200]);
  }
  expect((await requestTo(`${url}/docs/`, {}, 'POST')).status).toBe(405);
  // Its name changes with its content.
  const [asset = ''] = /\/docs\/assets\/[\w.-]+/.exec(String(await built('index.html'))) ?? [];
  expect((await requestTo(url + asset)).headers['cache-control']).toContain('immutable');
});

it('the proxy is the first server of the contract that it serves', async () => {
  const proxy = createProxy({ upstreamUrl: upstream }, { pages: pagesFromDisk() });
  const text = async (path: string) => (await proxy.request(path)).text();
  const { servers } = JSON.parse(String(await built('openapi.json')));
  expect(JSON.parse(await text('/openapi.json')).servers).toMatchObject([{ url: '/' }, ...servers]);
  expect(await text('/docs/openapi.yaml')).toMatch(/^servers:\n {2}- url: \/\n.*\n {2}- url: '\{baseUrl\}'/m);
});

it('a page is read once', async () => {
  const pages = vi.fn(pagesFromDisk());
  const { fetch } = createProxy({ upstreamUrl: upstream }, { pages });
  for (let turn = 0; turn < 2; turn++) expect((await fetch(new Request('http://proxy/docs/'))).status).toBe(200);
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
  const ports = { VDS_ADMIN_PORT: '0', VDS_PROBE_PORT: String(await lastingPort()) };
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
