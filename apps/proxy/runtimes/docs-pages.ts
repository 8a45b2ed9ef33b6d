import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { unstable_startWorker } from 'wrangler';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request whose answer is not decoded on the way. */
type Get = (path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD') => Promise<Answer>;

const deadlineMs = 20_000;
const built = (name: string) => readFile(new URL(`../../docs/dist/${name}`, import.meta.url));
const gzip = { 'accept-encoding': 'gzip' };

async function pageArrives(get: Get): Promise<void> {
  const { status, headers, body } = await get('/docs/', gzip);
  equal(status, 200);
  equal(headers['content-type'], 'text/html; charset=utf-8');
  equal(headers['content-encoding'], 'gzip');
  // Compressed once: what a browser decompresses is the page.
  ok(gunzipSync(body).equals(await built('index.html')), 'other bytes than those of the built page');
}

async function contractArrives(get: Get): Promise<void> {
  const { status, headers, body } = await get('/openapi.json', gzip);
  equal(status, 200);
  equal(headers['content-type'], 'application/json');
  const { servers, ...contract } = JSON.parse(String(gunzipSync(body))) as { servers: { url: string }[] };
  const { servers: stated, ...published } = JSON.parse(String(await built('openapi.json'))) as { servers: unknown[] };
  deepEqual(contract, published);
  deepEqual([servers[0]?.url, servers.slice(1)], ['/', stated]);
}

async function readerHasThePage(get: Get): Promise<void> {
  for (const path of ['/docs/', '/openapi.json']) {
    const head = await get(path, gzip, 'HEAD');
    equal(head.body.length, 0);
    const etag = String(head.headers['etag']);
    match(etag, /^"[0-9a-f]{24}-gzip"$/);
    const again = await get(path, { ...gzip, 'if-none-match': etag });
    deepEqual([again.status, again.body.length, again.headers['etag']], [304, 0, etag]);
    equal((await get(path, { ...gzip, 'if-none-match': '"another"' })).status, 200);
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
  ['/docs/ is the built page, compressed once', pageArrives],
  ['/openapi.json is the contract, with the proxy as its first server', contractArrives],
  ['a reader who has a page gets 304 without a body', readerHasThePage],
  ['files of the site are served below /docs/ only', filesArrive],
];

/**
 * Runs the published Worker by its own configuration, with the docs site as its assets, as Cloudflare's tools serve them
 * in workerd. Tells what does not hold.
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

function getterOf(address: URL): Get {
  return (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(deadlineMs);
      const sent = request(new URL(path, address), { method, headers, signal }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject).end();
    });
}
