import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { printKeys } from '../../dist/auth/key-record.js';
import { apiKey, recordOf } from '../../test/support/api-key.ts';
import { oauthResponse, type Respond, startServer } from '../../test/support/servers.ts';
import { newDisk, type RunningWorker, startWorker } from './start-worker.ts';

/** What a check opens and has to be closed after it. */
type CleanUp = (() => unknown)[];

const vin = 'TESTVEHCLE0000001';
const location = `/v1/vehicles/${vin}/locations`;

/** Starts a server that is closed after the check. */
async function serve(cleanUp: CleanUp, respond?: Respond) {
  const server = await startServer(respond);
  cleanUp.push(server.close);
  return server;
}

async function worker(settings: Record<string, string>, cleanUp: CleanUp, disk = newDisk(), keysPort?: number) {
  const common = { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object', VDS_LOG_LEVEL: 'silent' };
  const started = await startWorker({ ...common, ...settings }, disk, keysPort);
  cleanUp.push(started.kill);
  return started;
}

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

async function limitsHold(cleanUp: CleanUp): Promise<void> {
  const upstream = await serve(cleanUp);
  const settings = {
    VDS_UPSTREAM_URL: upstream.url,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_LIMIT_PER_CLIENT: '40/3600s',
    VDS_LIMIT_PER_VEHICLE: '15/3600s',
  };
  const disk = newDisk();
  const before = await worker(settings, cleanUp, disk);
  deepEqual(statusCounts(await callBoth(before, 30, location)), { 200: 15, 429: 15 });
  deepEqual(statusCounts(await callBoth(before, 30)), { 200: 10, 429: 20 });
  equal(upstream.seen.length, 25);
  const rejected = await before.isolates[1]();
  match(String(rejected.headers['ratelimit']), /^"client";r=0;t=3[56]\d\d$/);
  ok(Number(rejected.headers['retry-after']) > 3000);
  // Longer than an idle object stays in memory.
  await wait(12_000);
  deepEqual(statusCounts(await callBoth(before, 10)), { 429: 10 });
  await before.kill();
  const after = await worker(settings, cleanUp, disk);
  deepEqual(statusCounts(await callBoth(after, 10)), { 429: 10 });
}

async function oneTokenRequest(cleanUp: CleanUp): Promise<void> {
  const upstream = await serve(cleanUp);
  const endpoint = await serve(cleanUp, (_, count) => ({ ...oauthResponse(`token-${count}`), delayMs: 300 }));
  const both = await worker({ ...fetched(upstream.url, endpoint.url), VDS_DEADLINE_MS: '60000' }, cleanUp);
  deepEqual(statusCounts(await callBoth(both, 1000)), { 200: 1000 });
  equal(endpoint.seen.length, 1);
  deepEqual(new Set(upstream.tokens()), new Set(['token-1']));
}

/**
 * An endpoint whose refresh tokens are good once: an old one is forgotten as soon as the upstream has seen anything of its
 * successor. Each is an access token that the upstream rejects after its first use, so that every request needs a new one.
 */
async function rotatedTokenSurvives(cleanUp: CleanUp): Promise<void> {
  const seen = { used: 0, issued: 0, lost: 0, repeated: 0 };
  let onUse = () => {};
  const upstream = await serve(cleanUp, ({ token }) => {
    seen.used = Math.max(seen.used, Number(token.slice(1)));
    onUse();
    return {};
  });
  const endpoint = await serve(cleanUp, ({ body }) => {
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
  const disk = newDisk();
  const rounds = 4;
  for (let round = 1; round <= rounds; round++) {
    const both = await worker(settings, cleanUp, disk);
    // Killed while the upstream responds, at the first moment at which the new token can be known to be in use.
    onUse = () => void both.kill();
    await callBoth(both, 4).catch(() => {});
    equal(seen.used, round);
    // However short a life is stated, a token is used for five seconds.
    await wait(5100);
  }
  onUse = () => {};
  const last = await worker(settings, cleanUp, disk);
  deepEqual(statusCounts(await callBoth(last, 4)), { 200: 4 });
  deepEqual(seen, { used: rounds + 1, issued: rounds + 1, lost: 0, repeated: 0 });
}

async function keysAreBound(cleanUp: CleanUp): Promise<void> {
  const upstream = await serve(cleanUp);
  const record = recordOf({ operations: ['listVehicles'], rate: { calls: 4, seconds: 60 } });
  const namespace = await serve(cleanUp, ({ url }) =>
    new URL(url, 'http://kv').pathname === '/keys.json' ? { body: printKeys([record]) } : { status: 404, body: '' },
  );
  const settings = {
    VDS_HOST: '0.0.0.0',
    VDS_UPSTREAM_URL: upstream.url,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: 'keys.json',
  };
  const { isolates } = await worker(settings, cleanUp, newDisk(), Number(new URL(namespace.url).port));
  const [one, two] = isolates;
  equal((await one()).status, 401);
  equal((await one(undefined, { 'x-api-key': `${apiKey.slice(0, -1)}x` })).status, 401);
  equal((await two(location, { 'x-api-key': apiKey })).status, 403);
  const responses = [];
  for (let round = 0; round < 3; round++)
    responses.push(await one(undefined, { 'x-api-key': apiKey }), await two(undefined, { 'x-api-key': apiKey }));
  deepEqual(statusCounts(responses), { 200: 4, 429: 2 });
}

/** What must hold of a Worker with real Durable Objects, each as a sentence and the check of it. */
export const stateChecks: readonly (readonly [string, (cleanUp: CleanUp) => Promise<void>])[] = [
  ['limits hold across two isolates, when their objects are evicted, and over a restart', limitsHold],
  ['1,000 requests without a token cause one token request of two isolates', oneTokenRequest],
  ['a rotated refresh token is saved before it is used, and survives kill -9', rotatedTokenSurvives],
  ['API keys out of a KV namespace, with a rate of their own across isolates', keysAreBound],
];

/** Runs every check beside the others; returns what did not hold. */
export async function runStateChecks(): Promise<string[]> {
  const run = async ([sentence, check]: (typeof stateChecks)[number]) => {
    const cleanUp: CleanUp = [];
    try {
      await check(cleanUp);
      return [];
    } catch (error) {
      return [`${sentence}: ${(error instanceof Error ? error.message : 'failed').replaceAll(/\s+/g, ' ')}`];
    } finally {
      for (const undo of cleanUp.reverse()) await undo();
    }
  };
  return (await Promise.all(stateChecks.map(run))).flat();
}
