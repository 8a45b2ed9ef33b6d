import { describe, expect, it, onTestFinished } from 'vitest';
import { anonymous } from '../src/auth/client.js';
import { check } from '../src/node/check.js';
import { openLimits } from '../src/node/open-parts.js';
import { openStore } from '../src/store/open-store.js';
import { startProgram } from './support/program.ts';
import { hasRedis, startRedis, startSentinel } from './support/redis-server.ts';
import { type Call, startEndpoint, startUpstream, startUpstreamFor, statusesOf } from './support/set-up.ts';
import { settingsOf } from './support/settings.ts';
import { oauthResponse } from './support/token-endpoint.ts';

const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;
/** Calls two processes in turns. */
const both = (one: Call, two: Call, times: number) => statusesOf(times, (index) => (index % 2 === 0 ? one : two)());
const statusOf = async (call: Call) => (await call()).status;

/** The settings of a process with this Redis and, where there is one, this token endpoint. */
function environmentFor(upstreamUrl: string, redisUrl: string, tokenUrl?: string): Record<string, string> {
  const store = { VDS_UPSTREAM_URL: upstreamUrl, VDS_STORE: 'redis', VDS_REDIS_URL: redisUrl };
  if (tokenUrl === undefined) return store;
  return { ...store, VDS_UPSTREAM_AUTH: 'token-endpoint', VDS_TOKEN_URL: `${tokenUrl}/token`, VDS_CLIENT_ID: 'me' };
}

describe.skipIf(!hasRedis)('two processes with Redis', () => {
  it('share a limit, count alone while Redis is dead, and share again when it is back', async () => {
    const redis = await startRedis();
    const { url } = await startUpstream();
    // A busy machine is not a Redis that is away.
    const more = { VDS_LIMIT_PER_CLIENT: '40/600s', VDS_REDIS_TIMEOUT_MS: '5000' };
    const environment = { ...environmentFor(url, redis.url), ...more };
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    const round = () => both(one.call, two.call, 60);
    expect(count(await round(), 200)).toBe(40);
    expect(count(await round(), 200)).toBe(0);
    await redis.kill();
    expect(count(await round(), 200)).toBe(60);
    await redis.start();
    for (const { call } of [one, two]) await expect.poll(() => statusOf(call)).toBe(429);
  });

  it('respond while Redis is stopped, each request waiting no longer than a command may take', async () => {
    const redis = await startRedis();
    const { url } = await startUpstream();
    const { call } = await startProgram({ ...environmentFor(url, redis.url), VDS_LIMIT_PER_CLIENT: '10/600s' });
    expect(await statusOf(call)).toBe(200);
    redis.process().kill('SIGSTOP');
    const statuses = await statusesOf(30, () => call());
    redis.process().kill('SIGCONT');
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([10, 20]);
  });

  it('send one token request for 1,000 requests without a token, also with a clock that is a day off', async () => {
    const redis = await startRedis();
    const upstream = await startUpstream();
    const issuer = await startEndpoint((_, number) => ({ ...oauthResponse(`token-${number}`), delayMs: 300 }));
    const more = { VDS_CLIENT_SECRET: 'secret-7', VDS_REDIS_TIMEOUT_MS: '2000', VDS_DEADLINE_MS: '30000' };
    const environment = { ...environmentFor(upstream.url, redis.url, issuer.url), ...more };
    const startWithClock = (days: number) => {
      const shift = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${days * 86_400_000}`;
      return startProgram(environment, [], ['--import', shift]);
    };
    const [one, two] = await Promise.all([startProgram(environment), startWithClock(1)]);
    expect(count(await both(one.call, two.call, 1000), 200)).toBe(1000);
    const behind = await startWithClock(-1);
    expect(count(await statusesOf(5, () => behind.call()), 200)).toBe(5);
    expect(issuer.requests).toHaveLength(1);
    expect(new Set(upstream.tokens())).toEqual(new Set(['token-1']));
    expect(one.output.stderr + two.output.stderr).not.toMatch(/token-1|secret-7/);
  });

  it('replace a rejected token with one request, and a dead Redis does not lose the refresh token', async () => {
    const redis = await startRedis();
    let good = 'access-1';
    let valid = 'first';
    const { url } = await startUpstreamFor((token) => token === good);
    const issuer = await startEndpoint((request, number) => {
      const sent = new URLSearchParams(request.body).get('refresh_token');
      // For one use only: an old refresh token is rejected.
      if (sent !== valid) return { status: 400, body: '{"error":"invalid_grant"}' };
      valid = `refresh-${number}`;
      good = `access-${number}`;
      return oauthResponse(good, { refresh_token: valid });
    });
    const grant = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'first' };
    const environment = { ...environmentFor(url, redis.url, issuer.url), ...grant };
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    const statuses = async () => [await statusOf(one.call), await statusOf(two.call)];
    expect(await statuses()).toEqual([200, 200]);
    expect(issuer.requests).toHaveLength(1);
    await redis.kill();
    good = 'revoked';
    // A token younger than ten seconds is not replaced.
    expect(await statuses()).toEqual([503, 503]);
    await redis.start();
    await expect.poll(statuses).toEqual([200, 200]);
    const sent = issuer.requests.map(({ body }) => new URLSearchParams(body).get('refresh_token'));
    expect(sent).toEqual(['first', 'refresh-1']);
  });

  it('have vds-proxy check print whether it can be reached', async () => {
    const redis = await startRedis();
    const settings = settingsOf(environmentFor('http://127.0.0.1:9', redis.url));
    const lines: string[] = [];
    await check(settings, (line) => lines.push(line));
    await redis.kill();
    await check(settings, (line) => lines.push(line));
    expect(lines).toContain('VDS_REDIS_URL: reached\n');
    expect(lines.at(-1)).toMatch(/^VDS_REDIS_URL: cannot be reached/);
  });
});

const upstreamUrl = 'https://vehicle-data.invalid';

it.skipIf(!hasRedis)('a Redis Cluster keeps state and counts', async () => {
  const redis = await startRedis(['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']);
  await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await expect.poll(() => redis.command('CLUSTER', 'INFO')).toContain('cluster_state:ok');
  // Time for the slots to be found.
  const more = { VDS_REDIS_CLUSTER: 'true', VDS_LIMIT_PER_CLIENT: '2/60s', VDS_REDIS_TIMEOUT_MS: '2000' };
  const { values } = settingsOf({ ...environmentFor(upstreamUrl, redis.url), ...more });
  const { store, counting } = await openStore(values);
  onTestFinished(() => store.close());
  await store.write('token', 'kept');
  expect(await redis.command('GET', 'vds:token')).toBe('kept');
  const unlock = await store.lock('token', 5000);
  expect(await store.lock('token', 5000)).toBeNull();
  await unlock?.();
  expect(await store.lock('token', 5000)).not.toBeNull();
  let failures = 0;
  const limits = openLimits(values, counting, () => failures++);
  const kinds = [];
  for (let round = 0; round < 3; round++) kinds.push((await limits?.take(anonymous, 'brand_a', ''))?.kind);
  expect([kinds, failures]).toEqual([['pass', 'pass', 'reject'], 0]);
});

it.skipIf(!hasRedis)('Redis behind Sentinel is found again on another server after a failover', async () => {
  const [primary, replica] = await Promise.all([startRedis(), startRedis()]);
  await replica.command('REPLICAOF', '127.0.0.1', String(primary.port));
  const sentinel = await startSentinel(primary.port);
  const more = { VDS_REDIS_SENTINELS: `127.0.0.1:${sentinel.port}` };
  const { store } = await openStore(
    settingsOf({ ...environmentFor(upstreamUrl, 'redis://mymaster/0'), ...more }).values,
  );
  onTestFinished(() => store.close());
  await store.write('token', 'kept');
  await expect.poll(() => replica.command('GET', 'vds:token')).toBe('kept');
  await primary.kill();
  const write = () =>
    store.write('token', 'newer').then(
      () => 'written',
      () => 'failed',
    );
  await expect.poll(write).toBe('written');
  expect(await replica.command('GET', 'vds:token')).toBe('newer');
});
