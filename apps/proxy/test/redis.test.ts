import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { anonymous } from '../src/auth/client.js';
import { storeOptionsFrom } from '../src/config/program-options.js';
import { CountedLimits } from '../src/limits/rate-limits.js';
import { check } from '../src/node/check.js';
import { openStore } from '../src/node/open-store.js';
import { isInstalled, startListening } from './support/listening.ts';
import { newFile, startProgram } from './support/program.ts';
import { startRedis } from './support/redis.ts';
import { oauthResponse, portOf, startUpstream } from './support/servers.ts';
import { type Call, count, fakeClocks, statusesOf } from './support/set-up.ts';
import { settingsOf } from './support/settings.ts';

const hasRedis = isInstalled('redis-server');

/** Starts a Sentinel that alone decides when a primary is down; gives its port. */
async function startSentinel(primaryPort: number): Promise<number> {
  const [port, file] = [await reservedPort(), newFile('sentinel.conf')];
  const lines = [
    `port ${port}`,
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 1`,
    // A primary that is killed is down after this time; one that a busy machine holds up must not be.
    'sentinel down-after-milliseconds mymaster 3000',
    'sentinel failover-timeout mymaster 5000',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { kill } = await startListening(['redis-server', file, '--sentinel'], {}, [port]);
  onTestFinished(kill);
  return port;
}

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
    const round = async () => count(await both(one.call, two.call, 60), 200);
    expect([await round(), await round()]).toEqual([40, 0]);
    await redis.kill();
    expect(await round()).toBe(60);
    await redis.start();
    for (const { call } of [one, two]) await expect.poll(() => statusOf(call)).toBe(429);
  });

  it('respond while Redis is stopped, each request waiting no longer than a command may take', async () => {
    const redis = await startRedis();
    const { url } = await startUpstream();
    const more = { VDS_LIMIT_PER_CLIENT: '10/600s', VDS_REDIS_TIMEOUT_MS: '1000' };
    const environment = { ...environmentFor(url, redis.url), ...more };
    const { call } = await startProgram(environment);
    expect(await statusOf(call)).toBe(200);
    redis.signal('SIGSTOP');
    const statuses = await statusesOf(30, () => call());
    redis.signal('SIGCONT');
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([10, 20]);
  });

  it('send one token request for 200 requests without a token, also with a clock that is a day off', async () => {
    const redis = await startRedis();
    const upstream = await startUpstream();
    const issuer = await startUpstream((_, number) => ({ ...oauthResponse(`token-${number}`), delayMs: 300 }));
    const more = { VDS_CLIENT_SECRET: 'secret-7', VDS_REDIS_TIMEOUT_MS: '5000', VDS_DEADLINE_MS: '30000' };
    const environment = { ...environmentFor(upstream.url, redis.url, issuer.url), ...more };
    const startWithClock = (days: number) => {
      const shift = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${days * 86_400_000}`;
      return startProgram(environment, [], ['--import', shift]);
    };
    const [one, ahead, behind] = await Promise.all([startProgram(environment), startWithClock(1), startWithClock(-1)]);
    expect(count(await both(one.call, ahead.call, 200), 200)).toBe(200);
    expect(count(await statusesOf(5, () => behind.call()), 200)).toBe(5);
    expect(issuer.seen).toHaveLength(1);
    expect(new Set(upstream.tokens())).toEqual(new Set(['token-1']));
    expect(one.output.stderr + ahead.output.stderr).not.toMatch(/token-1|secret-7/);
  });
});

/** Starts a token endpoint of rotating refresh tokens; gives what it was sent. */
async function startRotatingEndpoint() {
  const { url, seen } = await startUpstream((_, count) =>
    oauthResponse(`a${count}`, { expires_in: 3600, refresh_token: `r${count}` }),
  );
  return { url, sent: () => seen.map(({ body }) => new URLSearchParams(body).get('refresh_token')) };
}

it.skipIf(!hasRedis)(
  'a used refresh token is not sent again when Redis is emptied and a new process starts',
  async () => {
    const redis = await startRedis();
    const [upstream, issuer] = await Promise.all([startUpstream(), startRotatingEndpoint()]);
    const grant = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'seed', VDS_BRANDS: 'brand_a' };
    // The shorter a token request may take, the sooner a new process may use its first refresh token.
    const more = { VDS_TOKEN_TIMEOUT_MS: '6000', VDS_REDIS_TIMEOUT_MS: '5000', VDS_DEADLINE_MS: '60000' };
    const environment = { ...environmentFor(upstream.url, redis.url, issuer.url), ...grant, ...more };
    const one = await startProgram(environment);
    expect(await statusOf(one.call)).toBe(200);
    for (let round = 0; round < 2; round++) {
      await redis.send('FLUSHALL');
      const next = await startProgram(environment);
      expect(await statusOf(next.call)).toBe(200);
      expect(await statusOf(one.call)).toBe(200);
      expect(issuer.sent()).toEqual(['seed']);
    }
    await redis.send('FLUSHALL');
    await expect.poll(() => redis.send('KEYS', 'vds:token-*')).toHaveLength(1);
  },
);

const upstreamUrl = 'https://vehicle-data.invalid';

/** Opens the store of these settings; gives what writes to it, and says whether that went well. */
async function openWriting(environment: Record<string, string>) {
  const { store } = await openStore(storeOptionsFrom(settingsOf(environment).values));
  onTestFinished(() => store.close());
  return (text: string) =>
    store.write('token', text).then(
      () => 'written',
      () => 'failed',
    );
}

it('every read, write, lock and time that Redis fails is counted', async () => {
  fakeClocks({ toFake: ['setInterval'] });
  let failures = 0;
  const { values } = settingsOf(environmentFor(upstreamUrl, `redis://127.0.0.1:${await reservedPort()}`));
  const { store } = await openStore(storeOptionsFrom(values), () => failures++);
  onTestFinished(() => store.close());
  await Promise.allSettled([store.read('token'), store.write('token', 'kept'), store.lock('token', 5000)]);
  expect(failures).toBe(3);
  vi.advanceTimersByTime(30_000);
  await expect.poll(() => failures).toBe(4);
});

it.skipIf(!hasRedis)(
  'check names a Redis that cannot be used, and the proxy never writes to another database',
  async () => {
    const redis = await startRedis();
    const { url } = await startUpstream();
    const linesFor = async (redisUrl: string) => {
      const lines: string[] = [];
      await check(settingsOf(environmentFor(url, redisUrl)), (line) => lines.push(line));
      return lines.join('');
    };
    expect(await linesFor(`${redis.url}/15`)).toContain('VDS_REDIS_URL: reached\n');
    const missing = `${redis.url}/16`;
    expect(await linesFor(missing)).toContain(
      'VDS_REDIS_URL: cannot be reached: the server has no database of that number',
    );
    const write = await openWriting({ ...environmentFor(url, missing), VDS_REDIS_TIMEOUT_MS: '2000' });
    expect(await write('kept')).toBe('failed');
    expect(await redis.send('KEYS', '*')).toEqual([]);
    await redis.send('REPLICAOF', '127.0.0.1', '9');
    expect(await linesFor(redis.url)).toContain('VDS_REDIS_URL: cannot be reached: the server takes no writes');
  },
);

it.skipIf(!hasRedis)('a Redis Cluster keeps state and counts', async () => {
  const redis = await startRedis('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
  await redis.send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await expect.poll(() => redis.send('CLUSTER', 'INFO')).toContain('cluster_state:ok');
  // Time for the slots to be found.
  const more = { VDS_REDIS_CLUSTER: 'true', VDS_REDIS_TIMEOUT_MS: '2000' };
  const { values } = settingsOf({ ...environmentFor(upstreamUrl, redis.url), ...more });
  let failures = 0;
  const { store, counting } = await openStore(storeOptionsFrom(values), () => failures++);
  onTestFinished(() => store.close());
  await store.write('token', 'kept');
  expect(await redis.send('GET', 'vds:token')).toBe('kept');
  const unlock = await store.lock('token', 5000);
  expect(await store.lock('token', 5000)).toBeNull();
  await unlock?.();
  expect(await store.lock('token', 5000)).not.toBeNull();
  const limits = new CountedLimits(counting, { perClient: { calls: 2, seconds: 60 } });
  const take = async () => limits.take(anonymous, 'brand_a', '');
  expect([(await take()).length, (await take()).length]).toEqual([4, 4]);
  await expect(take()).rejects.toMatchObject({ code: 'rate-limited' });
  expect(failures).toBe(0);
});

it.skipIf(!hasRedis)('Redis behind Sentinel is found again on another server after a failover', async () => {
  const [primary, replica] = await Promise.all([startRedis(), startRedis()]);
  await replica.send('REPLICAOF', '127.0.0.1', String(primary.port));
  const sentinels = `127.0.0.1:${await startSentinel(primary.port)}`;
  const more = { VDS_REDIS_SENTINELS: sentinels, VDS_REDIS_TIMEOUT_MS: '2000' };
  const environment = { ...environmentFor(upstreamUrl, 'redis://mymaster/0'), ...more };
  const write = await openWriting(environment);
  expect(await write('kept')).toBe('written');
  await expect.poll(() => replica.send('GET', 'vds:token')).toBe('kept');
  await primary.kill();
  await expect.poll(() => write('newer')).toBe('written');
  expect(await replica.send('GET', 'vds:token')).toBe('newer');
});

it.skipIf(!hasRedis)('Redis is found again after the network dropped a connection without a word', async () => {
  const redis = await startRedis();
  const sockets: Socket[] = [];
  const relay = createServer((client) => {
    const server = connect(redis.port, '127.0.0.1');
    client.pipe(server).pipe(client);
    sockets.push(client, server);
    for (const socket of [client, server]) socket.on('error', () => {});
  });
  const write = await openWriting(environmentFor(upstreamUrl, `redis://127.0.0.1:${await portOf(relay)}`));
  onTestFinished(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  await expect.poll(() => write('kept')).toBe('written');
  for (const socket of sockets) socket.unpipe().pause();
  await expect.poll(() => write('newer')).toBe('written');
});
