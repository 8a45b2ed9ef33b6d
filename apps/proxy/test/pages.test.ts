import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../src/index.js';
import { contentTypeOf, isOwnPath, type Pages } from '../src/response/pages.js';
import worker from '../src/worker.js';

const upstreamUrl = 'http://127.0.0.1:9';

/** A docs site in memory, and the paths that were read. */
function siteOf(files: Readonly<Record<string, string>>) {
  const read: string[] = [];
  const pages: Pages = async (path) => {
    read.push(path);
    const text = files[path];
    return text === undefined
      ? undefined
      : { contentType: contentTypeOf(path), gzip: async () => new Uint8Array(gzipSync(text)) };
  };
  const { fetch } = createProxy({ upstreamUrl }, { pages });
  const get = (path: string, init?: RequestInit) => fetch(new Request(`http://proxy${path}`, init));
  return { read, get };
}

describe('the docs site', () => {
  const site = {
    'index.html': 'start',
    'guides/errors/index.html': 'errors',
    'guides/errors.md': '# Errors',
    'llms.txt': 'index',
    'assets/app.1.js': 'script',
    '404.html': 'no such page',
    'openapi.json': '{\n  "servers": [\n    { "url": "https://other" }\n  ]\n}\n',
    'openapi.yaml': 'servers:\n  - url: https://other\n',
  };

  it.for([
    ['/docs/', 'start', 'text/html; charset=utf-8'],
    ['/docs/guides/errors/', 'errors', 'text/html; charset=utf-8'],
    ['/docs/guides/errors.md', '# Errors', 'text/markdown; charset=utf-8'],
    ['/llms.txt', 'index', 'text/plain; charset=utf-8'],
    ['/docs/llms.txt', 'index', 'text/plain; charset=utf-8'],
  ] as const)('%s is a file of the site', async ([path, text, type]) => {
    const response = await siteOf(site).get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toBe(text);
  });

  it.for([
    ['/docs', '/docs/'],
    ['/docs/guides/errors', '/docs/guides/errors/'],
    ['/docs/latest/guides/errors/', '/docs/guides/errors/'],
  ] as const)('%s leads to %s', async ([path, location]) => {
    const response = await siteOf(site).get(path);
    expect([response.status, response.headers.get('location')]).toEqual([308, location]);
  });

  it('responds with its own page and 404 where there is nothing, and takes no other method', async () => {
    const { get } = siteOf(site);
    const response = await get('/docs/moon/');
    expect([response.status, response.headers.get('etag')]).toEqual([404, null]);
    expect(await response.text()).toBe('no such page');
    expect((await get('/docs/', { method: 'POST' })).status).toBe(405);
    const none = await createProxy({ upstreamUrl }).fetch(new Request('http://proxy/docs/'));
    expect(await none.json()).toMatchObject({ error: { code: 'no-such-operation' } });
  });

  it('is read once; files whose names change with their content may be kept, all others are checked', async () => {
    const { get, read } = siteOf(site);
    expect((await get('/docs/assets/app.1.js')).headers.get('cache-control')).toContain('immutable');
    const { headers } = await get('/docs/');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect((await get('/docs/', { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status).toBe(304);
    expect(read).toEqual(['assets/app.1.js', 'index.html']);
  });

  it('names the proxy as the first server of the contract', async () => {
    const { get } = siteOf(site);
    expect(await (await get('/openapi.json')).json()).toMatchObject({
      servers: [{ url: '/' }, { url: 'https://other' }],
    });
    expect(await (await get('/docs/openapi.yaml')).text()).toMatch(
      /^servers:\n {2}- url: \/\n.*\n {2}- url: https:\/\/other/,
    );
  });

  it.for(['/docs/../v1/vehicles', '/docs/./x', '/docs/%2e%2e/secret', '/docs/a\\..\\b', '/docsx', '/doc'])(
    'does not take %s for its own',
    (path) => expect(isOwnPath(path)).toBe(false),
  );
});

it('a Worker serves the site out of its static assets', async () => {
  const assets = {
    fetch: async ({ url }: Request) =>
      new URL(url).pathname === '/guides/errors/' ? new Response('errors') : new Response(null, { status: 404 }),
  };
  const environment = { VDS_UPSTREAM_URL: upstreamUrl, VDS_HOST: '127.0.0.1', ASSETS: assets };
  const get = (path: string) => worker.fetch(new Request(`http://proxy${path}`), environment);
  const response = await get('/docs/guides/errors/');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toBe('errors');
  expect((await get('/docs/guides/')).status).toBe(404);
});
