import { afterEach, describe, expect, it } from 'vitest';
import { anonymous } from '../src/auth/client.js';
import { readSettings } from '../src/config/read-settings.js';
import { openLimits } from '../src/limits/open-limits.js';
import { openStore } from '../src/store/open-store.js';
import { listen } from './support/listen.ts';
import { runProgram, startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';
import { hasRedis, startRedis, startSentinel, type TestRedis } from './support/redis-server.ts';
import { oauthAnswer, startTokenEndpoint, type TokenBehaviour } from './support/token-endpoint.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function redisServer(): Promise<TestRedis> {
  const redis = await startRedis();
  cleanUp.push(() => redis.kill());
  return redis;
}

async function service(isGood: (token: string) => boolean = () => true) {
  const tokens: string[] = [];
  const upstream = await listen((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    tokens.push(token);
    const good = isGood(token);
    const error = { code: '4011', message: 'm', details: [], timestamp: '', requestId: 'r' };
    response
      .writeHead(good ? 200 : 400, { 'content-type': 'application/json' })
      .end(good ? successBody() : JSON.stringify({ error }));
  });
  cleanUp.push(upstream.close);
  return { url: upstream.url, tokens };
}

async function endpoint(behave: TokenBehaviour) {
  const started = await startTokenEndpoint(behave);
  cleanUp.push(started.close);
  return started;
}

async function proxy(environment: Record<string, string>, nodeFlags: readonly string[] = []) {
  const program = await startProgram(environment, [], nodeFlags);
  cleanUp.push(() => program.process.kill('SIGKILL'));
  const call = async () => {
    const headers = { brand: 'brand_a', authorization: 'Bearer clients' };
    const answer = await fetch(`http://127.0.0.1:${program.port}/v1/vehicles/consent`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  return { ...program, call };
}

const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

describe.skipIf(!hasRedis)('two processes with Redis', () => {
  it('share a limit, count alone while Redis is dead, and share again when it is back', {
    timeout: 30_000,
  }, async () => {
    const redis = await redisServer();
    const { url } = await service();
    const environment = {
      VDS_UPSTREAM_URL: url,
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_LIMIT_PER_CLIENT: '40/600s',
      // A busy machine is not a Redis that is away.
      VDS_REDIS_TIMEOUT_MS: '5000',
    };
    const [one, two] = await Promise.all([proxy(environment), proxy(environment)]);
    const round = () => Promise.all(Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : two).call()));
    expect(count(await round(), 200)).toBe(40);
    expect(count(await round(), 200)).toBe(0);
    await redis.kill();
    const alone = await round();
    expect(count(alone, 200)).toBe(60);
    expect(count(alone, 429)).toBe(0);
    await redis.start();
    await expect.poll(() => one.call(), { timeout: 8000, interval: 200 }).toBe(429);
    await expect.poll(() => two.call(), { timeout: 8000, interval: 200 }).toBe(429);
  });

  it('answer while Redis is stopped, each call waiting no longer than a command may take', {
    timeout: 30_000,
  }, async () => {
    const redis = await redisServer();
    const { url } = await service();
    const one = await proxy({
      VDS_UPSTREAM_URL: url,
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_LIMIT_PER_CLIENT: '10/600s',
    });
    expect(await one.call()).toBe(200);
    redis.process().kill('SIGSTOP');
    const statuses = await Promise.all(Array.from({ length: 30 }, () => one.call()));
    redis.process().kill('SIGCONT');
    expect(count(statuses, 200)).toBe(10);
    expect(count(statuses, 429)).toBe(20);
  });

  it('ask for one token for 1,000 calls that have none, and use it both', { timeout: 40_000 }, async () => {
    const redis = await redisServer();
    const { url, tokens } = await service();
    const issuer = await endpoint((_, number) => ({ ...oauthAnswer(`token-${number}`), delayMs: 300 }));
    const environment = {
      VDS_UPSTREAM_URL: url,
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_REDIS_TIMEOUT_MS: '2000',
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: `${issuer.url}/token`,
      VDS_CLIENT_ID: 'me',
      VDS_CLIENT_SECRET: 'secret-7',
      VDS_DEADLINE_MS: '30000',
    };
    const [one, two] = await Promise.all([proxy(environment), proxy(environment)]);
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? one : two).call()),
    );
    expect(count(statuses, 200)).toBe(1000);
    expect(issuer.requests).toHaveLength(1);
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    expect(one.output.stderr + two.output.stderr).not.toMatch(/token-1|secret-7/);
  });

  it('replace a rejected token with one request, and a dead Redis does not lose the refresh token', {
    timeout: 40_000,
  }, async () => {
    const redis = await redisServer();
    let good = 'access-1';
    let valid = 'first';
    const { url } = await service((token) => token === good);
    const issuer = await endpoint((request, number) => {
      const sent = new URLSearchParams(request.body).get('refresh_token');
      // One use only: an old refresh token is refused.
      if (sent !== valid) return { status: 400, body: '{"error":"invalid_grant"}' };
      valid = `refresh-${number}`;
      good = `access-${number}`;
      return oauthAnswer(good, { expires_in: 3600, refresh_token: valid });
    });
    const environment = {
      VDS_UPSTREAM_URL: url,
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: `${issuer.url}/token`,
      VDS_TOKEN_GRANT: 'refresh-token',
      VDS_REFRESH_TOKEN: 'first',
      VDS_CLIENT_ID: 'me',
    };
    const [one, two] = await Promise.all([proxy(environment), proxy(environment)]);
    expect([await one.call(), await two.call()]).toEqual([200, 200]);
    expect(issuer.requests).toHaveLength(1);
    await redis.kill();
    good = 'revoked';
    // A token younger than ten seconds is not replaced; older ones are, see below.
    expect([await one.call(), await two.call()]).toEqual([503, 503]);
    await redis.start();
    await expect
      .poll(async () => [await one.call(), await two.call()], { timeout: 25_000, interval: 500 })
      .toEqual([200, 200]);
    expect(issuer.requests).toHaveLength(2);
    expect(issuer.requests.map(({ body }) => new URLSearchParams(body).get('refresh_token'))).toEqual([
      'first',
      'refresh-1',
    ]);
  });

  it('agree on the life of a token though the clock of one is a day ahead', { timeout: 30_000 }, async () => {
    const redis = await redisServer();
    const { url } = await service();
    const issuer = await endpoint((_, number) => oauthAnswer(`token-${number}`));
    const environment = {
      VDS_UPSTREAM_URL: url,
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: `${issuer.url}/token`,
      VDS_CLIENT_ID: 'me',
      VDS_CLIENT_SECRET: 'x',
    };
    const shift = (days: number) => [
      '--import',
      `data:text/javascript,const now=Date.now;Date.now=()=>now()+${days * 86_400_000}`,
    ];
    const ahead = await proxy(environment, shift(1));
    expect(await ahead.call()).toBe(200);
    const right = await proxy(environment);
    expect(await right.call()).toBe(200);
    const behind = await proxy(environment, shift(-1));
    expect(await behind.call()).toBe(200);
    for (const each of [ahead, right, behind])
      for (let round = 0; round < 5; round++) expect(await each.call()).toBe(200);
    expect(issuer.requests).toHaveLength(1);
  });

  it('are told of by vds-proxy check', async () => {
    const redis = await redisServer();
    const { url } = await service();
    const environment = { VDS_UPSTREAM_URL: url, VDS_STORE: 'redis', VDS_REDIS_URL: redis.url };
    const good = runProgram(environment, ['check']);
    expect(await good.exit).toBe(0);
    expect(good.output.stdout).toContain('VDS_REDIS_URL: reached\n');
    await redis.kill();
    const bad = runProgram(environment, ['check']);
    expect(await bad.exit).toBe(1);
    expect(bad.output.stdout).toContain('VDS_REDIS_URL: cannot be reached\n');
  });
});

describe.skipIf(!hasRedis)('a Redis Cluster', () => {
  it('keeps state and counts', { timeout: 30_000 }, async () => {
    const redis = await startRedis(['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']);
    cleanUp.push(() => redis.kill());
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await expect.poll(() => redis.command('CLUSTER', 'INFO'), { timeout: 10_000 }).toContain('cluster_state:ok');
    const environment = {
      VDS_UPSTREAM_URL: 'https://vehicle-data.invalid',
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_REDIS_CLUSTER: 'true',
      VDS_LIMIT_PER_CLIENT: '2/60s',
      // Time for the slots to be found.
      VDS_REDIS_TIMEOUT_MS: '2000',
    };
    const reading = readSettings({ environment, arguments: [], readFile: () => '' });
    if (!reading.ok) throw new Error(reading.mistakes.join());
    const { values } = reading.settings;
    const { store, counting } = await openStore(values);
    cleanUp.push(() => store.close());
    await store.write('token', 'kept', null);
    expect(await redis.command('GET', 'vds:token')).toBe('kept');
    const unlock = await store.lock('token', 5000);
    expect(await store.lock('token', 5000)).toBeNull();
    await unlock?.();
    expect(await store.lock('token', 5000)).not.toBeNull();
    let failures = 0;
    const limits = openLimits(values, counting, () => failures++);
    const kinds = [];
    for (let round = 0; round < 3; round++) kinds.push((await limits?.take(anonymous, 'brand_a', ''))?.kind);
    expect(kinds).toEqual(['pass', 'pass', 'reject']);
    expect(failures).toBe(0);
  });
});

describe.skipIf(!hasRedis)('Redis behind Sentinel', () => {
  it('is found again on another server after a failover', { timeout: 40_000 }, async () => {
    const primary = await redisServer();
    const replica = await redisServer();
    await replica.command('REPLICAOF', '127.0.0.1', String(primary.port));
    const sentinel = await startSentinel(primary.port);
    cleanUp.push(sentinel.kill);
    const values = readSettings({
      environment: {
        VDS_UPSTREAM_URL: 'https://vehicle-data.invalid',
        VDS_STORE: 'redis',
        VDS_REDIS_URL: 'redis://mymaster/0',
        VDS_REDIS_SENTINELS: `127.0.0.1:${sentinel.port}`,
      },
      arguments: [],
      readFile: () => '',
    });
    if (!values.ok) throw new Error(values.mistakes.join());
    const { store } = await openStore(values.settings.values);
    cleanUp.push(() => store.close());
    await store.write('token', 'kept', null);
    await expect.poll(() => replica.command('GET', 'vds:token'), { timeout: 10_000 }).toBe('kept');
    await primary.kill();
    await expect
      .poll(
        () =>
          store.write('token', 'newer', null).then(
            () => 'written',
            () => 'failed',
          ),
        { timeout: 20_000, interval: 250 },
      )
      .toBe('written');
    expect(await replica.command('GET', 'vds:token')).toBe('newer');
  });
});
