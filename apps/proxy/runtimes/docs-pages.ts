import { deepEqual, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { unstable_startWorker } from 'wrangler';

const built = (name: string) => readFile(new URL(`../../docs/dist/${name}`, import.meta.url));
const gzip = { 'accept-encoding': 'gzip' };

/** Sends a request whose response is not decoded on the way. */
async function get(url: URL, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(url, { method, headers, signal: AbortSignal.timeout(20_000) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

async function checkPages(address: URL): Promise<void> {
  const [docs, openapi] = [new URL('/docs/', address), new URL('/openapi.json', address)];
  const { status, headers, body } = await get(docs, gzip);
  deepEqual([status, headers['content-type'], headers['content-encoding']], [200, 'text/html; charset=utf-8', 'gzip']);
  // Compressed once: what a browser decompresses is the page.
  ok(gunzipSync(body).equals(await built('index.html')), 'other bytes than those of the built page');
  const contract = JSON.parse(String(gunzipSync((await get(openapi, gzip)).body)));
  const published = JSON.parse(String(await built('openapi.json')));
  deepEqual(contract, { ...published, servers: [contract.servers[0], ...published.servers] });
  deepEqual(contract.servers[0].url, '/');
  for (const page of [docs, openapi]) {
    const head = await get(page, gzip, 'HEAD');
    const etag = String(head.headers['etag']);
    match(etag, /^"[0-9a-f]{24}-gzip"$/);
    const again = await get(page, { ...gzip, 'if-none-match': etag });
    deepEqual([head.body.length, again.status, again.body.length, again.headers['etag']], [0, 304, 0, etag]);
  }
  // Every kind of file has its address, and nothing outside `/docs/` is a file of the site.
  const there = ['/docs/guides/errors/', '/docs/guides/errors.md', '/docs/pictures/trip-log.svg', '/llms.txt'];
  const notThere = ['/index.html', '/', '/guides/errors.md', '/docs/missing.html'];
  for (const path of [...there, ...notThere])
    deepEqual([path, (await get(new URL(path, address))).status], [path, there.includes(path) ? 200 : 404]);
}

/**
 * Runs the published Worker by its own configuration, with the docs site as its assets, as Cloudflare's tools serve them
 * in workerd. Returns what does not hold.
 */
export async function runDocsChecks(): Promise<string[]> {
  // Else wrangler asks Cloudflare where this machine is.
  Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' });
  const server = { hostname: '127.0.0.1', port: 0 };
  const worker = await unstable_startWorker({
    config: fileURLToPath(new URL('../wrangler.json', import.meta.url)),
    bindings: { VDS_HOST: { type: 'plain_text', value: '127.0.0.1' } },
    dev: { server, inspector: false, logLevel: 'none', watch: false, persist: false },
  });
  try {
    await checkPages(await worker.url);
    return [];
  } catch (error) {
    return [(error instanceof Error ? error.message : 'failed').slice(0, 500)];
  } finally {
    await worker.dispose();
  }
}
