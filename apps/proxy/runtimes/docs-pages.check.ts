import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { unstable_startWorker } from 'wrangler';
import { requestTo } from '../test/support/servers.ts';

const built = (name: string) => readFile(new URL(`../../docs/dist/${name}`, import.meta.url));
const gzip = { 'accept-encoding': 'gzip' };

/** Runs the published Worker by its own configuration, with the docs site as its assets, as Cloudflare's tools serve them in workerd. */
async function start(): Promise<string> {
  // Else wrangler asks Cloudflare where this machine is.
  Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' });
  const server = { hostname: '127.0.0.1', port: 0 };
  const worker = await unstable_startWorker({
    config: fileURLToPath(new URL('../wrangler.json', import.meta.url)),
    bindings: { VDS_HOST: { type: 'plain_text', value: '127.0.0.1' } },
    dev: { server, inspector: false, logLevel: 'none', watch: false, persist: false },
  });
  onTestFinished(() => worker.dispose());
  return (await worker.url).origin;
}

it('workerd serves the docs site out of static assets', async () => {
  const origin = await start();
  const [docs, openapi] = [`${origin}/docs/`, `${origin}/openapi.json`];
  const { status, headers, body } = await requestTo(docs, gzip);
  expect([status, headers['content-type'], headers['content-encoding']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'gzip',
  ]);
  // Compressed once: what a browser decompresses is the page.
  expect(gunzipSync(body).equals(await built('index.html'))).toBe(true);
  const contract = JSON.parse(String(gunzipSync((await requestTo(openapi, gzip)).body)));
  const published = JSON.parse(String(await built('openapi.json')));
  expect(contract).toEqual({ ...published, servers: [contract.servers[0], ...published.servers] });
  expect(contract.servers[0].url).toBe('/');
  for (const page of [docs, openapi]) {
    const head = await requestTo(page, gzip, 'HEAD');
    const etag = String(head.headers['etag']);
    expect(etag).toMatch(/^"[0-9a-f]{24}-gzip"$/);
    const again = await requestTo(page, { ...gzip, 'if-none-match': etag });
    expect([head.body.length, again.status, again.body.length, again.headers['etag']]).toEqual([0, 304, 0, etag]);
  }
  // Every kind of file has its address, and nothing outside `/docs/` is a file of the site.
  const there = ['/docs/guides/errors/', '/docs/guides/errors.md', '/docs/pictures/trip-log.svg', '/llms.txt'];
  const notThere = ['/index.html', '/', '/guides/errors.md', '/docs/missing.html'];
  for (const path of [...there, ...notThere])
    expect((await requestTo(origin + path)).status, path).toBe(there.includes(path) ? 200 : 404);
});
