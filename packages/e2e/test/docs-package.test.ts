// The docs site is a package of its own: what the proxy serves with it and without it, installed as npm installs them.
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { repository, startApp, startProgram, temporaryFolder } from './apps.ts';

const proxyFolder = join(repository, 'apps/proxy');
const docsFolder = join(repository, 'apps/docs');
const built = (file: string) => readFile(join(docsFolder, 'dist', file));

const upstream = 'http://127.0.0.1:9';
const { address: url } = await startApp('proxy', { VDS_UPSTREAM_URL: upstream }, repository, afterAll);

/** Sends a request on a connection of its own; follows no redirect, and does not decode the body. */
async function requestTo(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const sent = request(target, { method, headers, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error(`${target}: no response`);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) };
}

/** A folder with the proxy in its node_modules, and the docs where `docsIn` says. Gives the program and what it serves. */
async function install(docsIn?: 'flat' | 'nested') {
  const modules = join(await temporaryFolder(), 'node_modules');
  const proxy = join(modules, docsIn === 'nested' ? '@vehicle-data/all/node_modules' : '', '@vehicle-data/proxy');
  await mkdir(dirname(proxy), { recursive: true });
  for (const file of ['package.json', 'dist'])
    await cp(join(proxyFolder, file), join(proxy, file), { recursive: true });
  const link = async (target: string, path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  };
  for (const name of ['openapi', 'validators'])
    await link(join(proxyFolder, 'node_modules/@vehicle-data', name), join(modules, '@vehicle-data', name));
  for (const name of await readdir(join(proxyFolder, 'node_modules')))
    if (!/^(\.|@vehicle-data$)/.test(name)) await link(join(proxyFolder, 'node_modules', name), join(modules, name));
  if (docsIn) {
    const docs = join(modules, '@vehicle-data/docs');
    await mkdir(docs);
    for (const file of ['package.json', 'dist']) await symlink(join(docsFolder, file), join(docs, file));
  }
  return join(proxy, 'dist/node.js');
}

const start = (program: string) => startProgram([program, '--port', '0', '--upstream', upstream]);

it('the docs are served where their package is installed, beside the proxy or above it', async () => {
  const page = String(await built('guides/errors/index.html'));
  for (const docsIn of ['flat', 'nested'] as const) {
    const { address } = await start(await install(docsIn));
    expect(await (await fetch(`${address}/docs/guides/errors/`)).text(), docsIn).toBe(page);
    expect((await fetch(`${address}/llms.txt`)).status).toBe(200);
  }
});

it('without the package of the docs, the contract is served all the same, and the proxy is 3 MB at most', async () => {
  const program = await install();
  const { address } = await start(program);
  for (const path of ['/docs/', '/llms.txt']) expect((await fetch(address + path)).status, path).toBe(404);
  expect(await (await fetch(`${address}/openapi.json`)).json()).toHaveProperty('openapi');
  const { files }: { files: readonly string[] } = JSON.parse(await readFile(join(proxyFolder, 'package.json'), 'utf8'));
  const sizes = await Promise.all(
    files.map(async (name) => {
      const entries = await readdir(join(proxyFolder, name), { recursive: true, withFileTypes: true }).catch(() => []);
      const read = entries.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name)));
      return (await Promise.all(read)).reduce((sum, { length }) => sum + length, 0);
    }),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(3_000_000);
});

const gzip = { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' };

it('docs and contract are compressed for clients that accept it, not sent again to those who have them, and known to HEAD', async () => {
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

const html = 'text/html; charset=utf-8';

it('a client that accepts Markdown gets pages of the docs as Markdown', async () => {
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
  const text = async (path: string) => (await fetch(url + path)).text();
  const { servers } = JSON.parse(String(await built('openapi.json')));
  expect(JSON.parse(await text('/openapi.json')).servers).toMatchObject([{ url: '/' }, ...servers]);
  expect(await text('/docs/openapi.yaml')).toMatch(/^servers:\n {2}- url: \/\n.*\n {2}- url: '\{baseUrl\}'/m);
});
