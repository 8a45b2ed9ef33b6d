import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { printKeys } from '../dist/auth/key-record.js';
import { apiKey, recordOf } from '../test/support/api-key.ts';
import { newFile } from '../test/support/program.ts';
import { oauthResponse } from '../test/support/servers.ts';
import { locationOf, startUpstream } from '../test/support/set-up.ts';
import { type RunningWorker, startWorker } from './start-worker.ts';

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

/** So many requests at once, to the two isolates in turns. */
function callBoth({ isolates }: RunningWorker, times: number, path?: string) {
  return Promise.all(Array.from({ length: times }, (_, index) => (isolates[index % 2] ?? isolates[0])(path)));
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
  expect(statusCounts(await callBoth(before, 30, location))).toEqual({ 200: 15, 429: 15 });
  expect(statusCounts(await callBoth(before, 30))).toEqual({ 200: 10, 429: 20 });
  expect(upstream.seen.length).toBe(25);
  const rejected = await before.isolates[1]();
  expect(String(rejected.headers['ratelimit'])).toMatch(/^"client";r=0;t=3[56]\d\d$/);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3000);
  // Longer than an idle object stays in memory.
  await wait(12_000);
  expect(statusCounts(await callBoth(before, 10))).toEqual({ 429: 10 });
  await before.kill();
  const after = await startWorker(settings, disk);
  expect(statusCounts(await callBoth(after, 10))).toEqual({ 429: 10 });
});

it('1,000 requests without a token cause one token request of two isolates', async () => {
  const upstream = await startUpstream();
  const endpoint = await startUpstream((_, count) => ({ ...oauthResponse(`token-${count}`), delayMs: 300 }));
  const both = await startWorker({ ...fetched(upstream.url, endpoint.url), VDS_DEADLINE_MS: '60000' });
  expect(statusCounts(await callBoth(both, 1000))).toEqual({ 200: 1000 });
  expect(endpoint.seen.length).toBe(1);
  expect(new Set(upstream.tokens())).toEqual(new Set(['token-1']));
});

/**
 * An endpoint whose refresh tokens are good once: an old one is forgotten as soon as the upstream has seen anything of its
 * successor. Each is an access token that the upstream rejects after its first use, so that every request needs a new one.
 */
it('a rotated refresh token is saved before it is used, and survives kill -9', async () => {
  const seen = { used: 0, issued: 0, lost: 0, repeated: 0 };
  let onUse = () => {};
  const upstream = await startUpstream(({ token }) => {
    seen.used = Math.max(seen.used, Number(token.slice(1)));
    onUse();
    return {};
  });
  const endpoint = await startUpstream(({ body }) => {
    const sent = Number(/^r(\d+)$/.exec(new URLSearchParams(body).get('refresh_token') ?? '')?.[1]);
    if (sent < seen.used || Number.isNaN(sent)) {
      seen.lost++;
      return { status: 400, body: '{"error":"invalid_grant"}' };
    }
    if (sent === seen.issued) seen.issued++;
    else seen.repeated++;
    return oauthResponse(`a${seen.issued}`, { refresh_token: `r${seen.issued}`, expires_in: 1 });
  });
  const settings = {
    ...fetched(upstream.url, endpoint.url),
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'r0',
  };
  const disk = newFile('');
  const rounds = 4;
  for (let round = 1; round <= rounds; round++) {
    const both = await startWorker(settings, disk);
    // Killed while the upstream responds, at the first moment at which the new token can be known to be in use.
    onUse = () => void both.kill();
    await callBoth(both, 4).catch(() => {});
    expect(seen.used).toBe(round);
    // However short a life is stated, a token is used for five seconds.
    await wait(5100);
  }
  onUse = () => {};
  const last = await startWorker(settings, disk);
  expect(statusCounts(await callBoth(last, 4))).toEqual({ 200: 4 });
  expect(seen).toEqual({ used: rounds + 1, issued: rounds + 1, lost: 0, repeated: 0 });
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
  const { isolates } = await startWorker(settings, newFile(''), Number(new URL(namespace.url).port));
  const [one, two] = isolates;
  expect((await one()).status).toBe(401);
  expect((await one(undefined, { 'x-api-key': `${apiKey.slice(0, -1)}x` })).status).toBe(401);
  expect((await two(location, { 'x-api-key': apiKey })).status).toBe(403);
  const responses = [];
  for (let round = 0; round < 3; round++)
    responses.push(await one(undefined, { 'x-api-key': apiKey }), await two(undefined, { 'x-api-key': apiKey }));
  expect(statusCounts(responses)).toEqual({ 200: 4, 429: 2 });
});
