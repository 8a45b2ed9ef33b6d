import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';

/** A service that counts what reaches it. */
async function startService(): Promise<{ readonly url: string; readonly seen: () => number }> {
  let seen = 0;
  const server = createServer((_, response) => {
    seen++;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"vehicles":[]},"meta":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen: () => seen };
}

/** A fresh isolate: the Worker keeps the proxy that its first request made. */
async function isolate() {
  vi.resetModules();
  const { default: worker } = await import('../src/worker.js');
  return worker;
}

const call = () => new Request('http://proxy/v1/vehicles/consent', { headers: { brand: 'brand_a' } });
const jwt = {
  VDS_CLIENT_AUTH: 'jwt',
  VDS_JWKS_URL: 'https://issuer.invalid/keys',
  VDS_JWT_ISSUER: 'issuer',
  VDS_JWT_AUDIENCE: 'proxy',
};
const fetched = {
  VDS_UPSTREAM_AUTH: 'token-endpoint',
  VDS_TOKEN_URL: 'https://tokens.invalid/token',
  VDS_CLIENT_ID: 'me',
  VDS_CLIENT_SECRET: 'x',
};
const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'made-up' };

it.each([
  ['a check of clients by signed tokens, while their tokens go on', { ...jwt }],
  ['tokens from a token endpoint', { VDS_HOST: '127.0.0.1', ...fetched }],
  ['its state', { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object' }],
  ['an admin port', { VDS_HOST: '127.0.0.1', VDS_ADMIN_PORT: '9000' }],
  ['several processes', { VDS_WORKERS: '2' }],
  ['a check of clients by API keys', { ...own, VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: 'keys.json' }],
  ['a rate limit', { VDS_HOST: '127.0.0.1', VDS_LIMIT_PER_VEHICLE: '6/60s' }],
  ['clients from everywhere', { VDS_UPSTREAM_AUTH: 'forward' }],
])('a Worker that cannot keep %s forwards nothing', async (_, settings) => {
  const service = await startService();
  const worker = await isolate();
  const answer = await worker.fetch(call(), { VDS_UPSTREAM_URL: service.url, ...settings });
  expect(answer.status).toBe(500);
  expect(service.seen()).toBe(0);
});

it('a Worker that can keep its settings forwards', async () => {
  const service = await startService();
  const worker = await isolate();
  const answer = await worker.fetch(call(), { VDS_UPSTREAM_URL: service.url, VDS_HOST: '127.0.0.1' });
  expect(answer.status).toBe(200);
  expect(service.seen()).toBe(1);
});
