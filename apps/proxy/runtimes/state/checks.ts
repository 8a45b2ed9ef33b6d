import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { printKeys } from '../../dist/auth/key-record.js';
import { listen } from '../../test/support/listen.ts';
import { successBody } from '../../test/support/recording-upstream.ts';
import { oauthAnswer, startTokenEndpoint, type TokenBehaviour } from '../../test/support/token-endpoint.ts';
import { newDisk, type RunningWorker, startWorker, type WorkerAnswer } from './start-worker.ts';

/** What a check opens and has to be closed after it. */
type CleanUp = (() => unknown)[];

const vin = 'TESTVEHCLE0000001';
const location = `/v1/vehicles/${vin}/locations`;

/** A service that keeps the tokens it saw; what it does with a call can be changed. */
async function startService(cleanUp: CleanUp) {
  const service = {
    url: '',
    tokens: [] as string[],
    /** `fail`: the connection is broken off; `reject`: the token is called bad. */
    behave: (_token: string): 'answer' | 'fail' | 'reject' => 'answer',
  };
  const server = await listen((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    service.tokens.push(token);
    const way = service.behave(token);
    if (way === 'fail') response.destroy();
    else if (way === 'answer') response.writeHead(200, { 'content-type': 'application/json' }).end(successBody());
    else {
      const error = { code: '4011', message: 'm', details: [], timestamp: '', requestId: 'r' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    }
  });
  cleanUp.push(server.close);
  service.url = server.url;
  return service;
}

async function startEndpoint(behave: TokenBehaviour, cleanUp: CleanUp) {
  const endpoint = await startTokenEndpoint(behave);
  cleanUp.push(endpoint.close);
  return endpoint;
}

async function worker(settings: Record<string, string>, cleanUp: CleanUp, disk = newDisk(), keysPort?: number) {
  const common = { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object', VDS_LOG_LEVEL: 'silent' };
  const started = await startWorker({ ...common, ...settings }, disk, keysPort);
  cleanUp.push(started.kill);
  return started;
}

function fetched(serviceUrl: string, endpointUrl: string): Record<string, string> {
  return {
    VDS_UPSTREAM_URL: serviceUrl,
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: endpointUrl,
    VDS_CLIENT_ID: 'me',
    VDS_CLIENT_SECRET: 'x',
  };
}

/** As many calls at once, in turns at the two isolates. */
function callBoth({ isolates }: RunningWorker, times: number, path?: string): Promise<WorkerAnswer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => (isolates[index % 2] ?? isolates[0])(path)));
}

function statusCounts(answers: readonly WorkerAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function limitsHold(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const settings = {
    VDS_UPSTREAM_URL: service.url,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_LIMIT_PER_CLIENT: '40/3600s',
    VDS_LIMIT_PER_VEHICLE: '15/3600s',
  };
  const disk = newDisk();
  const before = await worker(settings, cleanUp, disk);
  deepEqual(statusCounts(await callBoth(before, 30, location)), { 200: 15, 429: 15 });
  deepEqual(statusCounts(await callBoth(before, 30)), { 200: 10, 429: 20 });
  equal(service.tokens.length, 25);
  const refused = await before.isolates[1]();
  match(String(refused.headers['ratelimit']), /^"client";r=0;t=3[56]\d\d$/);
  ok(Number(refused.headers['retry-after']) > 3000);
  // Longer than an object that nobody asks stays in memory.
  await wait(12_000);
  deepEqual(statusCounts(await callBoth(before, 10)), { 429: 10 });
  await before.kill();
  const after = await worker(settings, cleanUp, disk);
  deepEqual(statusCounts(await callBoth(after, 10)), { 429: 10 });
}

async function limitEnds(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const settings = { VDS_UPSTREAM_URL: service.url, VDS_LIMIT_PER_CLIENT: '3/2s' };
  const both = await worker(settings, cleanUp);
  deepEqual(statusCounts(await callBoth(both, 6)), { 200: 3, 429: 3 });
  await wait(2500);
  deepEqual(statusCounts(await callBoth(both, 6)), { 200: 3, 429: 3 });
}

async function oneTokenRequest(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const endpoint = await startEndpoint((_, count) => ({ ...oauthAnswer(`token-${count}`), delayMs: 300 }), cleanUp);
  const both = await worker(fetched(service.url, endpoint.url), cleanUp);
  deepEqual(statusCounts(await callBoth(both, 1000)), { 200: 1000 });
  equal(endpoint.requests.length, 1);
  deepEqual(new Set(service.tokens), new Set(['token-1']));
}

/**
 * An endpoint whose refresh tokens are good once: an old one is forgotten as soon as the service has seen anything of its
 * successor. Each is an access token that the service rejects after its first use, so that every call needs a new one.
 */
async function rotatedTokenSurvives(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const seen = { used: 0, issued: 0, lost: 0, repeated: 0 };
  const endpoint = await startEndpoint(({ body }) => {
    const sent = Number(/^r(\d+)$/.exec(new URLSearchParams(body).get('refresh_token') ?? '')?.[1]);
    if (sent < seen.used || Number.isNaN(sent)) {
      seen.lost++;
      return { status: 400, body: '{"error":"invalid_grant"}' };
    }
    if (sent === seen.issued) seen.issued++;
    else seen.repeated++;
    return oauthAnswer(`a${seen.issued}`, { refresh_token: `r${seen.issued}`, expires_in: 1 });
  }, cleanUp);
  const settings = {
    ...fetched(service.url, endpoint.url),
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'r0',
  };
  const disk = newDisk();
  const rounds = 4;
  for (let round = 1; round <= rounds; round++) {
    const both = await worker(settings, cleanUp, disk);
    // Killed while the service answers, at the first moment at which the new token can be known to be in use.
    service.behave = (token) => {
      seen.used = Math.max(seen.used, Number(token.slice(1)));
      void both.kill();
      return 'answer';
    };
    await callBoth(both, 4).catch(() => {});
    equal(seen.used, round);
    // However short a life is stated, a token is used for five seconds.
    await wait(5100);
  }
  service.behave = () => 'answer';
  const last = await worker(settings, cleanUp, disk);
  deepEqual(statusCounts(await callBoth(last, 4)), { 200: 4 });
  deepEqual(seen, { used: rounds, issued: rounds + 1, lost: 0, repeated: 0 });
}

async function tokenSurvives(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const endpoint = await startEndpoint((_, count) => oauthAnswer(`token-${count}`), cleanUp);
  const disk = newDisk();
  for (let round = 0; round < 3; round++) {
    const both = await worker(fetched(service.url, endpoint.url), cleanUp, disk);
    deepEqual(statusCounts(await callBoth(both, 4)), { 200: 4 });
    await both.kill();
  }
  equal(endpoint.requests.length, 1);
}

async function rejectedTokenIsReplaced(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const endpoint = await startEndpoint((_, count) => oauthAnswer(`token-${count}`), cleanUp);
  const both = await worker(fetched(service.url, endpoint.url), cleanUp);
  deepEqual(statusCounts(await callBoth(both, 4)), { 200: 4 });
  // A token that is younger than ten seconds is not taken to be at fault.
  await wait(10_500);
  service.behave = (token) => (token === 'token-1' ? 'reject' : 'answer');
  deepEqual(statusCounts(await callBoth(both, 50)), { 200: 50 });
  equal(endpoint.requests.length, 2);
}

async function failsClosed(behave: TokenBehaviour | 'dead', cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const endpoint = await startEndpoint(behave === 'dead' ? () => null : behave, cleanUp);
  if (behave === 'dead') await endpoint.close();
  const both = await worker({ ...fetched(service.url, endpoint.url), VDS_TOKEN_TIMEOUT_MS: '300' }, cleanUp);
  for (let round = 0; round < 3; round++) {
    const startMs = performance.now();
    const answers = await callBoth(both, 40);
    ok(performance.now() - startMs < 5000, 'calls wait for the token request');
    deepEqual(statusCounts(answers), { 503: 40 });
    for (const { body, headers } of answers) {
      match(body, /"code":"upstream-credentials-unavailable"/);
      ok(Number(headers['retry-after']) >= 1);
    }
  }
  equal(service.tokens.length, 0);
  ok(endpoint.requests.length <= 4, `${endpoint.requests.length} token requests for 120 calls`);
}

async function keysAreBound(cleanUp: CleanUp): Promise<void> {
  const service = await startService(cleanUp);
  const key = `vds_abcdefghij_${'k'.repeat(43)}`;
  const record = {
    id: 'abcdefghij',
    hash: createHash('sha256').update(key).digest('hex'),
    name: '',
    created: '2026-01-01T00:00:00.000Z',
    expires: null,
    brands: null,
    operations: ['listVehicles'],
    vehicles: null,
    revoked: null,
    rate: { calls: 4, seconds: 60 },
  };
  const namespace = await listen((request, response) => {
    const good = new URL(request.url ?? '', 'http://kv').pathname === '/keys.json';
    response.writeHead(good ? 200 : 404).end(good ? printKeys([record]) : '');
  });
  cleanUp.push(namespace.close);
  const settings = {
    VDS_HOST: '0.0.0.0',
    VDS_UPSTREAM_URL: service.url,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: 'keys.json',
  };
  const { isolates } = await worker(settings, cleanUp, newDisk(), Number(new URL(namespace.url).port));
  const [one, two] = isolates;
  equal((await one()).status, 401);
  equal((await one(undefined, { 'x-api-key': `${key.slice(0, -1)}x` })).status, 401);
  equal((await two(location, { 'x-api-key': key })).status, 403);
  const answers: WorkerAnswer[] = [];
  for (let round = 0; round < 3; round++)
    answers.push(await one(undefined, { 'x-api-key': key }), await two(undefined, { 'x-api-key': key }));
  deepEqual(statusCounts(answers), { 200: 4, 429: 2 });
}

const slow: TokenBehaviour = () => ({ ...oauthAnswer('late'), delayMs: 2000 });
const page: TokenBehaviour = () => ({ type: 'text/html', body: '<html>zebra</html>' });

/** What must hold of a Worker with real Durable Objects, each as a sentence and the check of it. */
export const stateChecks: readonly (readonly [string, (cleanUp: CleanUp) => Promise<void>])[] = [
  ['limits hold across two isolates, when their objects are put away, and over a restart', limitsHold],
  ['a limit has room again when its span is over', limitEnds],
  ['1,000 calls at two isolates with no token cause one token request', oneTokenRequest],
  ['a rotated refresh token is saved before it is used, and survives kill -9', rotatedTokenSurvives],
  ['an access token survives kill -9', tokenSurvives],
  ['a token that the service rejects at 50 calls is replaced with one request', rejectedTokenIsReplaced],
  ['calls get 503 while the token endpoint is dead', (cleanUp) => failsClosed('dead', cleanUp)],
  ['calls get 503 while the token endpoint is slow', (cleanUp) => failsClosed(slow, cleanUp)],
  ['calls get 503 while the token endpoint answers with a page', (cleanUp) => failsClosed(page, cleanUp)],
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
