import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { lockFile } from '../src/store/file-lock.js';
import { FileStore } from '../src/store/file-store.js';
import { MemoryStore } from '../src/store/memory-store.js';
import { redisStore } from '../src/store/redis-store.js';
import { newFile, startProgram } from './support/program.ts';
import { oauthResponse, responseWith, startRawUpstream, startUpstream } from './support/servers.ts';
import { fakeClocks, stall } from './support/set-up.ts';
import { tokenSettings, tokensFor } from './support/settings.ts';
import { valuesOf } from './support/wire.ts';

const rotated = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'seed' };

it.each([
  { what: 'emptied', back: false },
  { what: 'set back by one write', back: true },
])(
  'a refresh token that only this process knows is used, and written back, when the store was $what',
  async ({ back }) => {
    const folder = dirname(newFile('store'));
    const file = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? '');
    const sent: unknown[] = [];
    // It has to be in the store before it is used, for the case that this process ends here.
    const issuer = await startUpstream(({ body }, count) => {
      sent.push(new URLSearchParams(body).get('refresh_token'));
      if (count > 1) expect(JSON.parse(readFileSync(file(), 'utf8')).refreshToken).toBe(sent.at(-1));
      return oauthResponse(`a${count}`, { expires_in: 1, refresh_token: `r${count}` });
    });
    const tokens = tokensFor(issuer.url, { store: new FileStore(folder), settings: rotated });
    fakeClocks();
    expect(await tokens.obtain('brand_a')).toBe('a1');
    const early = readFileSync(file());
    vi.advanceTimersByTime(20_000);
    expect(await tokens.obtain('brand_a')).toBe('a2');
    vi.advanceTimersByTime(20_000);
    if (back) writeFileSync(file(), early);
    else rmSync(file());
    expect(await tokens.obtain('brand_a')).toBe('a3');
    expect(sent).toEqual(['seed', 'r1', 'r2']);
  },
);

it('a refresh token that came before the process stalled is kept', async () => {
  const timeoutMs = 3000;
  const { body } = oauthResponse('a1', { expires_in: 60, refresh_token: 'r1' });
  const issuer = await startRawUpstream((socket, request) => {
    // Where it may be, it is compressed.
    const isPlain = valuesOf(request, 'accept-encoding').join() === 'identity';
    const coding = isPlain ? 'identity' : 'gzip';
    const head = `Content-Type: application/json\r\nContent-Encoding: ${coding}\r\n`;
    socket.write(responseWith(isPlain ? body : gzipSync(body), '200 OK', head));
    stall(timeoutMs + 100);
  });
  const settings = { ...rotated, VDS_TOKEN_TIMEOUT_MS: String(timeoutMs) };
  expect(await tokensFor(issuer.url, { settings }).obtain('brand_a')).toBe('a1');
});

it('a process that could not keep its refresh token takes what others have kept since, also after a clock is set back', async () => {
  const sent: unknown[] = [];
  const issuer = await startUpstream(({ body }, count) => {
    sent.push(new URLSearchParams(body).get('refresh_token'));
    return oauthResponse(`a${count}`, { expires_in: 1, refresh_token: `r${count}` });
  });
  const store = new MemoryStore();
  const [one, other] = [1, 2].map(() => tokensFor(issuer.url, { store, settings: rotated }));
  fakeClocks();
  const write = vi.spyOn(store, 'write').mockRejectedValueOnce(new Error('away'));
  expect(await one?.obtain('brand_a')).toBeNull();
  expect(write).toHaveBeenCalledOnce();
  vi.setSystemTime(Date.now() - 3_600_000);
  for (const token of ['a2', 'a3']) {
    vi.advanceTimersByTime(20_000);
    expect(await other?.obtain('brand_a')).toBe(token);
  }
  vi.advanceTimersByTime(20_000);
  expect(await one?.obtain('brand_a')).toBe('a4');
  expect(sent).toEqual(['seed', 'seed', 'r2', 'r3']);
});

it.each([
  { what: 'lost', back: false },
  { what: 'set back', back: true },
])('a look writes back, and a new process gets without a request, what the store has $what', async ({ back }) => {
  const issuer = await startUpstream((_request, count) =>
    oauthResponse(`a${count}`, { expires_in: 60, refresh_token: `r${count}` }),
  );
  const texts = new Map<string, string>();
  const start = () => tokensFor(issuer.url, { store: new MemoryStore(texts), settings: rotated });
  const [one, other] = [start(), start()];
  fakeClocks();
  expect(await one.obtain('brand_a')).toBe('a1');
  await other.look();
  const early = new Map(texts);
  vi.advanceTimersByTime(50_000);
  expect(await one.replace('brand_a', 'a1')).toBe('a2');
  texts.clear();
  if (back) for (const [key, text] of early) texts.set(key, text);
  // One that knows less changes nothing for long.
  await other.look();
  await one.look();
  await other.look();
  expect(await start().obtain('brand_a')).toBe('a2');
  expect(other.current('brand_a')).toBe('a2');
  expect(issuer.seen).toHaveLength(2);
});

it.each(['r\u00e9', 7, 'r\n', 'r'.repeat(8193)])(
  'a refresh token that cannot be sent is said, and the one used for it is never sent again (%j)',
  async (refresh_token) => {
    const issuer = await startUpstream((_, count) => oauthResponse(`a${count}`, { refresh_token }));
    const outcomes: string[] = [];
    const tokens = tokensFor(issuer.url, { settings: rotated, onRequest: (_, outcome) => outcomes.push(outcome) });
    fakeClocks();
    for (let turn = 0; turn < 3; turn++) {
      expect(await tokens.obtain('brand_a')).toBeNull();
      vi.advanceTimersByTime(400_000);
    }
    expect([outcomes, issuer.seen.length]).toEqual([['invalid-refresh-token'], 1]);
    expect(tokens.statuses()[0]?.lastFailure).toBe('invalid-refresh-token');
  },
);

describe('tokens in one store', () => {
  it.each<{ what: string; other: Record<string, string> }>([
    { what: 'upstream', other: { VDS_UPSTREAM_URL: 'https://staging.invalid' } },
    { what: 'client', other: { VDS_CLIENT_ID: 'another' } },
    { what: 'scope', other: { VDS_TOKEN_SCOPE: 'less' } },
    { what: 'token endpoint', other: { VDS_TOKEN_URL: 'http://127.0.0.1:1/token' } },
  ])('are never shared, nor overwritten, by environments that differ in their $what', async ({ other }) => {
    const issuer = await startUpstream((_request, count) =>
      oauthResponse(`a${count}`, { expires_in: 3600, refresh_token: `r${count}` }),
    );
    for (const own of [{}, rotated]) {
      const store = new MemoryStore();
      const first = await tokensFor(issuer.url, { store, settings: own }).obtain('brand_a');
      const second = await tokensFor(issuer.url, { store, settings: { ...own, ...other } }).obtain('brand_a');
      expect(second).not.toBe(first);
      expect(await tokensFor(issuer.url, { store, settings: own }).obtain('brand_a')).toBe(first);
    }
  });

  it.each([
    { what: 'a line end in the access token', wrong: { accessToken: 'a\r\nx: y' } },
    { what: 'a line end in the refresh token', wrong: { refreshToken: 'r\r\n' } },
    { what: 'a time beyond all calendars', wrong: { renewByMs: 9e15 } },
    { what: 'a negative time', wrong: { issuedMs: -1 } },
  ])('are not used when they have $what', async ({ wrong }) => {
    const issuer = await startUpstream((_request, count) => oauthResponse(`a${count}`));
    const path = dirname(newFile('store'));
    await tokensFor(issuer.url, { store: new FileStore(path) }).obtain('brand_a');
    const [name = ''] = await readdir(path);
    const key = name.replace('.json', '');
    const store = new FileStore(path);
    const state = JSON.parse((await store.read(key)) ?? '');
    await store.write(key, JSON.stringify({ ...state, ...wrong }));
    const tokens = tokensFor(issuer.url, { store });
    expect(await tokens.obtain('brand_a')).toBe('a2');
    expect(tokens.statuses()[0]).toMatchObject({ state: 'valid' });
  });
});

it('a process that is killed while it refreshes keeps others waiting until its lock ends, and no longer', async () => {
  const issuer = await startUpstream((_, count) => oauthResponse(`a${count}`));
  const store = new MemoryStore();
  const lock = store.lock.bind(store);
  let killed = false;
  store.lock = async (key, ttlMs) => {
    // The first lock is that of the killed process: nothing releases it.
    if (!killed) await lock(key, ttlMs);
    killed = true;
    return lock(key, ttlMs);
  };
  expect(await tokensFor(issuer.url, { store, settings: { VDS_TOKEN_TIMEOUT_MS: '1000' } }).obtain('brand_a')).toBe(
    'a1',
  );
});

it('a program that is stopped while it gets a token, for a client that has left, keeps the new refresh token for its owner alone', async () => {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  const issuer = await startUpstream(() => ({ ...oauthResponse('a1', { refresh_token: 'r1' }), after }));
  const VDS_STORE_DIR = dirname(newFile('store'));
  const { url, ready, stop } = await startProgram({ ...tokenSettings(issuer.url), ...rotated, VDS_STORE_DIR });
  const client = new AbortController();
  const left = fetch(`${url}/v1/vehicles/consent`, { headers: { brand: 'brand_a' }, signal: client.signal });
  await expect.poll(() => issuer.seen.length).toBe(1);
  client.abort();
  await expect(left).rejects.toThrow('aborted');
  const stopped = stop();
  await expect.poll(() => ready().catch(() => 'closed')).toBe('closed');
  release();
  expect(await stopped).toMatchObject({ code: 0 });
  // No lock is left behind either.
  const [name = '', ...others] = await readdir(VDS_STORE_DIR);
  const file = join(VDS_STORE_DIR, name);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ refreshToken: 'r1', accessToken: 'a1' });
  expect(name).toMatch(/^token-brand_a-[0-9a-f]{16}\.json$/);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(others).toEqual([]);
});

it('closing waits for the token of a brand that the settings no longer have', async () => {
  const issuer = await startUpstream(() => ({ ...oauthResponse('a1', { refresh_token: 'r1' }), delayMs: 100 }));
  const tokens = tokensFor(issuer.url, { settings: rotated });
  let token: string | null = null;
  void tokens.obtain('brand_a').then((obtained) => (token = obtained));
  await tokens.use(new Map());
  await tokens.close();
  expect(token).toBe('a1');
});

it('a token endpoint that keeps rejecting the grant is left alone for minutes', async () => {
  fakeClocks();
  const issuer = await startUpstream(() => ({ status: 400, body: '{"error":"invalid_grant"}' }));
  const tokens = tokensFor(issuer.url, { settings: rotated });
  for (let turn = 1; turn <= 12; turn++) {
    vi.advanceTimersByTime(400_000);
    expect([await tokens.obtain('brand_a'), issuer.seen.length]).toEqual([null, turn]);
  }
  // Five, and up to a quarter less or more.
  expect(Math.abs(tokens.retryAfterSeconds('brand_a') - 300)).toBeLessThanOrEqual(75);
});

it('a process that pauses after Retry-After uses the token that another one gets, and looks for it once a second', async () => {
  fakeClocks();
  const issuer = await startUpstream((_, count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '3600' }, body: '' } : oauthResponse(`a${count}`),
  );
  const store = new MemoryStore();
  const [one, two] = [tokensFor(issuer.url, { store }), tokensFor(issuer.url, { store })];
  expect(await one.obtain('brand_a')).toBeNull();
  const reads = vi.spyOn(store, 'read').mockRejectedValueOnce(new Error('away'));
  for (let turn = 0; turn < 10; turn++) expect(await one.obtain('brand_a')).toBeNull();
  expect(reads).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(await two.obtain('brand_a')).toBe('a2');
  expect(await one.obtain('brand_a')).toBe('a2');
  expect(one.retryAfterSeconds('brand_a')).toBe(3599);
  expect(issuer.seen).toHaveLength(2);
});

describe('a lock file', () => {
  const lockPath = () => newFile('x.lock');
  const deadProcess = 2 ** 22 + 1;

  it('of a process in another container is taken over after its time, or when it is from the future, not before', async () => {
    const path = lockPath();
    await writeFile(path, `${deadProcess} mark another-host/boot/pid:[1]`);
    expect(await lockFile(path, 60_000)).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await lockFile(path, 20)).not.toBeNull();
    const inAnHour = Date.now() / 1000 + 3600;
    await utimes(path, inAnHour, inAnHour);
    expect(await lockFile(path, 60_000)).not.toBeNull();
  });

  it('of a process of this machine that has ended is taken over by one of many', async () => {
    const path = lockPath();
    const unlock = await lockFile(path, 60_000);
    const [, mark, space] = (await readFile(path, 'utf8')).split(' ');
    await unlock?.();
    await writeFile(path, `${deadProcess} ${mark} ${space}`);
    const taken = await Promise.all(Array.from({ length: 20 }, () => lockFile(path, 60_000)));
    expect(taken.filter((each) => each !== null)).toHaveLength(1);
  });
});

it('a lock in Redis whose reply came too late is released', async () => {
  const released: unknown[] = [];
  const redis = {
    status: 'wait',
    on: () => {},
    set: () => Promise.reject(new Error('Command timed out')),
    eval: async (_script: string, _keys: number, name: string) => void released.push(name),
    disconnect: () => {},
  };
  const store = redisStore(redis as never, 'p:');
  await expect(store.lock('token-a', 1000)).rejects.toThrow('timed out');
  expect(released).toEqual(['p:lock:token-a']);
  await store.close();
});
