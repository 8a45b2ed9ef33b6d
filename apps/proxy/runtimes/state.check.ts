import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { printKeys } from '../dist/auth/key-record.js';
import { apiKey, recordOf } from '../test/support/api-key.ts';
import { newFile } from '../test/support/program.ts';
import { oauthResponse, requestTo, startRotatingIssuer, startUpstream } from '../test/support/servers.ts';
import { consent, locationOf } from '../test/support/set-up.ts';
import { startWorkerd } from './start-runtime.ts';

const location = locationOf();
const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'own' };

function fetched(upstreamUrl: string, endpointUrl: string): Record<string, string> {
  return {
    VDS_UPSTREAM_URL: upstreamUrl,
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: endpointUrl,
    VDS_CLIENT_ID: 'me',
    VDS_CLIENT_SECRET: 'x',
  };
}

/**
 * Starts workerd with the published Worker in two isolates that share their Durable Objects, whose storage is on the disk. It ends with
 * the test.
 *
 * @param settings further variables of the Worker
 * @param disk folder where the objects have their storage
 * @param keysPort port of a server that plays the KV namespace `VDS_KEYS`; none without it
 */
async function startWorker(settings: Record<string, string>, disk = newFile(''), keysPort?: number) {
  const ports = [await reservedPort(), await reservedPort()] as const;
  const services = [`(name = "disk", disk = (path = ${JSON.stringify(disk)}, writable = true))`];
  const usual = { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object', VDS_LOG_LEVEL: 'silent' };
  const variables = Object.entries({ ...usual, ...settings });
  const common = variables.map(([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`);
  if (keysPort !== undefined) {
    services.push(`(name = "keys", external = (address = "127.0.0.1:${keysPort}", http = ()))`);
    common.push('(name = "VDS_KEYS", kvNamespace = "keys")');
  }
  const worker = (port: number, state: string, more = '') => {
    const bindings = [...common, `(name = "VDS_STATE", durableObjectNamespace = ${state})`];
    return { port, bundle: 'worker.js', bindings, more };
  };
  const objects = `durableObjectNamespaces = [(className = "ProxyState", uniqueKey = "vds-state", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),`;
  // The objects live in the first Worker; the second has a binding to them, as another isolate of the same Worker has.
  const first = worker(ports[0], '"ProxyState"', objects);
  const second = worker(ports[1], `(className = "ProxyState", serviceName = "${ports[0]}")`);
  const { kill } = await startWorkerd([first, second], services);
  const [one, two] = [callAt(ports[0]), callAt(ports[1])];
  /** How many responses have which status, of so many requests at once to the two isolates in turns. */
  const counts = async (times: number, path?: string) =>
    statusCounts(await Promise.all(Array.from({ length: times }, (_, index) => (index % 2 === 0 ? one : two)(path))));
  return { one, two, counts, kill };
}

/** Sends requests to a Worker, each on a connection of its own. */
function callAt(port: number) {
  return (path = consent, headers: Readonly<Record<string, string>> = {}) =>
    requestTo(`http://127.0.0.1:${port}${path}`, { brand: 'brand_a', ...headers });
}

function statusCounts(responses: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('limits hold across two isolates, when their objects are evicted, and over a restart', async () => {
  const upstream = await startUpstream();
  const settings = {
    VDS_UPSTREAM_URL: upstream.url,
    ...own,
    VDS_LIMIT_PER_CLIENT: '40/3600s',
    VDS_LIMIT_PER_VEHICLE: '15/3600s',
  };
  const disk = newFile('');
  const before = await startWorker(settings, disk);
  expect(await before.counts(30, location)).toEqual({ 200: 15, 429: 15 });
  expect(await before.counts(30)).toEqual({ 200: 10, 429: 20 });
  expect(upstream.seen.length).toBe(25);
  const rejected = await before.two();
  expect(String(rejected.headers['ratelimit'])).toMatch(/^"client";r=0;t=3[56]\d\d$/);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3000);
  // Longer than an idle object stays in memory.
  await wait(12_000);
  expect(await before.counts(10)).toEqual({ 429: 10 });
  await before.kill();
  const after = await startWorker(settings, disk);
  expect(await after.counts(10)).toEqual({ 429: 10 });
});

it('1,000 requests without a token cause one token request of two isolates', async () => {
  const upstream = await startUpstream();
  const endpoint = await startUpstream((_, count) => ({ ...oauthResponse(`token-${count}`), delayMs: 300 }));
  const both = await startWorker({ ...fetched(upstream.url, endpoint.url), VDS_DEADLINE_MS: '60000' });
  expect(await both.counts(1000)).toEqual({ 200: 1000 });
  expect(endpoint.seen.length).toBe(1);
  expect(new Set(upstream.tokens())).toEqual(new Set(['token-1']));
});

it('a rotated refresh token is saved before it is used, and survives kill -9', async () => {
  const issuer = await startRotatingIssuer();
  let onUse = () => {};
  const upstream = await startUpstream(({ token }) => {
    issuer.use(token);
    onUse();
    return {};
  });
  const settings = {
    ...fetched(upstream.url, issuer.url),
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'r0',
    VDS_BRANDS: 'brand_a',
  };
  const disk = newFile('');
  const rounds = 3;
  for (let round = 1; round <= rounds; round++) {
    const both = await startWorker(settings, disk);
    // Killed while the upstream responds, at the first moment at which the new token can be known to be in use.
    onUse = () => void both.kill();
    await both.counts(4).catch(() => {});
    expect(issuer.seen.used).toBe(round);
    // However short a life is stated, a token is used for five seconds.
    await wait(5100);
  }
  onUse = () => {};
  const last = await startWorker(settings, disk);
  expect(await last.counts(4)).toEqual({ 200: 4 });
  expect(issuer.seen).toEqual({ used: rounds + 1, issued: rounds + 1, lost: 0 });
});

it('API keys out of a KV namespace, with a rate of their own across isolates', async () => {
  const upstream = await startUpstream();
  const record = recordOf({ operations: ['listVehicles'], rate: { calls: 4, seconds: 60 } });
  const namespace = await startUpstream(({ url }) =>
    new URL(url, 'http://kv').pathname === '/keys.json' ? { body: printKeys([record]) } : { status: 404, body: '' },
  );
  const settings = {
    VDS_HOST: '0.0.0.0',
    VDS_UPSTREAM_URL: upstream.url,
    ...own,
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: 'keys.json',
  };
  const { one, two } = await startWorker(settings, newFile(''), Number(new URL(namespace.url).port));
  expect((await one()).status).toBe(401);
  expect((await one(undefined, { 'x-api-key': `${apiKey.slice(0, -1)}x` })).status).toBe(401);
  expect((await two(location, { 'x-api-key': apiKey })).status).toBe(403);
  const responses = [];
  for (let round = 0; round < 3; round++)
    responses.push(await one(undefined, { 'x-api-key': apiKey }), await two(undefined, { 'x-api-key': apiKey }));
  expect(statusCounts(responses)).toEqual({ 200: 4, 429: 2 });
});
