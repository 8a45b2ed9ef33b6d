import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createProxy } from '../src/index.js';
import { contentTypeOf, isOwnPath } from '../src/response/pages.js';

// Compression, HEAD and 304 are in `program.test.ts`; `runtimes/docs-pages.ts` plays the assets of a Worker.

const upstreamUrl = 'http://127.0.0.1:9';
const html = 'text/html; charset=utf-8';
const site: Readonly<Record<string, string>> = {
  'index.html': 'start',
  'guides/errors/index.html': 'errors',
  'guides/errors.md': '# Errors',
  'llms.txt': 'index',
  'assets/app.1.js': 'script',
  '404.html': 'no such page',
  'openapi.json': '{\n  "servers": [\n    { "url": "https://other" }\n  ]\n}\n',
  'openapi.yaml': 'servers:\n  - url: https://other\n',
};

/** A proxy with the docs site in memory, and the paths that were read. */
function start() {
  const read: string[] = [];
  const pages = async (path: string) => {
    read.push(path);
    const text = site[path];
    return text === undefined
      ? undefined
      : { contentType: contentTypeOf(path), gzip: async () => new Uint8Array(gzipSync(text)) };
  };
  const { fetch } = createProxy({ upstreamUrl }, { pages });
  const get = (path: string, init?: RequestInit) => fetch(new Request(`http://proxy${path}`, init));
  return { read, get };
}

describe('the docs site', () => {
  it.each([
    ['/docs/', 200, html, 'start'],
    ['/docs/guides/errors/', 200, html, 'errors'],
    ['/docs/guides/errors.md', 200, 'text/markdown; charset=utf-8', '# Errors'],
    ['/llms.txt', 200, 'text/plain; charset=utf-8', 'index'],
    ['/docs/llms.txt', 200, 'text/plain; charset=utf-8', 'index'],
    ['/docs/moon/', 404, html, 'no such page'],
    ['/docs', 308, null, '/docs/'],
    ['/docs/guides/errors', 308, null, '/docs/guides/errors/'],
    ['/docs/latest/guides/errors/', 308, null, '/docs/guides/errors/'],
  ])('%s gives %i with its type and text, or leads elsewhere', async (path, status, type, text) => {
    const response = await start().get(path);
    const { headers } = response;
    expect(response.status).toBe(status);
    if (status === 308) expect(headers.get('location')).toBe(text);
    else expect([headers.get('content-type'), await response.text()]).toEqual([type, text]);
  });

  it('takes no other method, and is not there where there are no pages', async () => {
    expect((await start().get('/docs/', { method: 'POST' })).status).toBe(405);
    const none = await createProxy({ upstreamUrl }).fetch(new Request('http://proxy/docs/'));
    expect(await none.json()).toMatchObject({ error: { code: 'no-such-operation' } });
  });

  it('is read once; files whose names change with their content may be kept, all others are checked', async () => {
    const { get, read } = start();
    expect((await get('/docs/assets/app.1.js')).headers.get('cache-control')).toContain('immutable');
    for (let turn = 0; turn < 2; turn++) expect((await get('/docs/')).headers.get('cache-control')).toBe('no-cache');
    expect(read).toEqual(['assets/app.1.js', 'index.html']);
  });

  it('names the proxy as the first server of the contract', async () => {
    const { get } = start();
    const servers = [{ url: '/' }, { url: 'https://other' }];
    expect(await (await get('/openapi.json')).json()).toMatchObject({ servers });
    expect(await (await get('/docs/openapi.yaml')).text()).toMatch(
      /^servers:\n {2}- url: \/\n.*\n {2}- url: https:\/\/other/,
    );
  });

  it.each(['/docs/../v1/vehicles', '/docs/./x', '/docs/%2e%2e/secret', '/docs/a\\..\\b', '/docsx', '/doc'])(
    'does not take %s for its own',
    (path) => expect(isOwnPath(path)).toBe(false),
  );
});
