import { deepEqual, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { unstable_startWorker } from 'wrangler';

type Get = (
  path: string,
  headers?: Record<string, string>,
  method?: 'GET' | 'HEAD',
) => Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }>;

const built = (name: string) => readFile(new URL(`../../docs/dist/${name}`, import.meta.url));
const gzip = { 'accept-encoding': 'gzip' };

async function pagesArrive(get: Get): Promise<void> {
  const { status, headers, body } = await get('/docs/', gzip);
  deepEqual([status, headers['content-type'], headers['content-encoding']], [200, 'text/html; charset=utf-8', 'gzip']);
  // Compressed once: what a browser decompresses is the page.
  ok(gunzipSync(body).equals(await built('index.html')), 'other bytes than those of the built page');
  const contract = JSON.parse(String(gunzipSync((await get('/openapi.json', gzip)).body)));
  const published = JSON.parse(String(await built('openapi.json')));
  deepEqual(contract, { ...published, servers: [contract.servers[0], ...published.servers] });
  deepEqual(contract.servers[0].url, '/');
}

async function readerHasThePage(get: Get): Promise<void> {
  for (const path of ['/docs/', '/openapi.json']) {
    const head = await get(path, gzip, 'HEAD');
    const etag = String(head.headers['etag']);
    match(etag, /^"[0-9a-f]{24}-gzip"$/);
    const again = await get(path, { ...gzip, 'if-none-match': etag });
    deepEqual([head.body.length, again.status, again.body.length, again.headers['etag']], [0, 304, 0, etag]);
  }
}

/** Every kind of file has its address, and nothing outside `/docs/` is a file of the site. */
async function filesArrive(get: Get): Promise<void> {
  for (const path of ['/docs/guides/errors/', '/docs/guides/errors.md', '/docs/pictures/trip-log.svg', '/llms.txt'])
    deepEqual([path, (await get(path)).status], [path, 200]);
  for (const path of ['/index.html', '/', '/guides/errors.md', '/docs/missing.html'])
    deepEqual([path, (await get(path)).status], [path, 404]);
}

export const docsChecks: readonly (readonly [string, (get: Get) => Promise<void>])[] = [
  ['/docs/ is the built page and /openapi.json the contract, compressed once', pagesArrive],
  ['a reader who has a page gets 304 without a body', readerHasThePage],
  ['files of the site are served below /docs/ only', filesArrive],
];

/**
 * Runs the published Worker by its own configuration, with the docs site as its assets, as Cloudflare's tools serve them
 * in workerd. Returns what does not hold.
 */
export async function runDocsChecks(): Promise<string[]> {
  // Else wrangler asks Cloudflare where this machine is.
  Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' });
  const worker = await unstable_startWorker({
    config: fileURLToPath(new URL('../wrangler.json', import.meta.url)),
    bindings: { VDS_HOST: { type: 'plain_text', value: '127.0.0.1' } },
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      logLevel: 'none',
      watch: false,
      persist: false,
    },
  });
  try {
    const get = getterOf(await worker.url);
    const run = ([sentence, check]: (typeof docsChecks)[number]) =>
      check(get).then(
        () => [],
        (error: unknown) => [`${sentence}: ${(error instanceof Error ? error.message : 'failed').slice(0, 500)}`],
      );
    return (await Promise.all(docsChecks.map(run))).flat();
  } finally {
    await worker.dispose();
  }
}

/** Sends requests whose responses are not decoded on the way. */
function getterOf(address: URL): Get {
  return async (path, headers = {}, method = 'GET') => {
    const sent = request(new URL(path, address), { method, headers, signal: AbortSignal.timeout(20_000) }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = Buffer.concat(await response.toArray());
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  };
}
