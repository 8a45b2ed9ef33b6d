import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { authUnavailable } from '../src/auth/client.js';
import { printKeys } from '../src/auth/key-record.js';
import { Warnings } from '../src/observability/warnings.js';
import { BoundKeys } from '../src/worker/bindings.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { oauthResponse, startUpstream, successBody } from './support/servers.ts';
import { fakeClocks, locationOf, statusesOf, vin, withdrawal } from './support/set-up.ts';
import { isolate, Objects } from './support/worker-objects.ts';

const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'own' };
const jwt = { VDS_CLIENT_AUTH: 'jwt', VDS_JWT_ISSUER: 'issuer', VDS_JWT_AUDIENCE: 'proxy' };
const fetched = { VDS_UPSTREAM_AUTH: 'token-endpoint', VDS_CLIENT_ID: 'me', VDS_CLIENT_SECRET: 'x' };
const tokens = { ...fetched, VDS_TOKEN_URL: 'https://tokens.invalid/token' };

/** A Worker with Durable Objects, and isolates of it. */
async function start(settings: Record<string, string>) {
  const { url } = await startUpstream();
  const common = { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: url, VDS_STORE: 'durable-object', ...settings };
  const objects = new Objects(common);
  return { objects, isolate: () => isolate({ ...common, VDS_STATE: objects }) };
}

it.each<{ what: string; settings: Record<string, string> }>([
  {
    what: 'signed tokens of clients, which it would forward',
    settings: { ...jwt, VDS_JWKS_URL: 'https://issuer.invalid/keys' },
  },
  { what: 'tokens from a token endpoint', settings: { VDS_HOST: '127.0.0.1', ...tokens } },
  { what: 'its state', settings: { VDS_HOST: '127.0.0.1', VDS_STORE: 'durable-object' } },
  { what: 'an admin port', settings: { VDS_HOST: '127.0.0.1', VDS_ADMIN_PORT: '9000' } },
  { what: 'several processes', settings: { VDS_WORKERS: '2' } },
  { what: 'a least version of TLS', settings: { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_MIN_TLS: 'TLSv1.3' } },
  {
    what: 'a client certificate',
    settings: { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_CERT_FILE: 'c.pem', VDS_UPSTREAM_KEY_FILE: 'k.pem' },
  },
  { what: 'an egress proxy', settings: { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_PROXY: 'http://127.0.0.1:1' } },
  {
    what: 'client authentication by API keys',
    settings: { ...own, VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: 'keys.json' },
  },
  {
    what: 'the rates of tokens',
    settings: { ...own, ...jwt, VDS_JWKS_URL: 'https://issuer.invalid/keys', VDS_JWT_CLAIMS: 'rate=rate' },
  },
  { what: 'a rate limit', settings: { VDS_HOST: '127.0.0.1', VDS_LIMIT_PER_VEHICLE: '6/60s' } },
  { what: 'clients from everywhere', settings: { VDS_UPSTREAM_AUTH: 'forward' } },
])('a Worker forwards nothing when it cannot keep $what', async ({ settings }) => {
  const upstream = await startUpstream();
  const call = await isolate({ VDS_UPSTREAM_URL: upstream.url, ...settings });
  expect((await call()).status).toBe(500);
  expect(upstream.seen).toHaveLength(0);
});

// The published Worker is played with real Durable Objects and a real KV namespace in `runtimes/state.check.ts`.
describe('the isolates of a Worker', () => {
  it('count in objects whose names hold no VIN, until the window is over; nothing is kept then', async () => {
    const limits = { VDS_LIMIT_PER_CLIENT: '5/3600s', VDS_LIMIT_PER_VEHICLE: '1/3600s' };
    const { objects, isolate } = await start({ ...own, ...limits });
    const call = await isolate();
    expect((await call(locationOf())).status).toBe(200);
    expect((await call(locationOf())).status).toBe(429);
    const names = [...objects.storages.keys()];
    expect(names).toHaveLength(2);
    expect(names.join()).not.toContain(vin);

    const endMs = Math.max(...[...objects.storages.values()].map((storage) => Number(storage.get('alarm'))));
    expect(endMs - Date.now()).toBeGreaterThan(3_500_000);
    fakeClocks({ now: endMs, toFake: ['Date'] });
    for (const name of names) await objects.object(name).alarm();
    for (const storage of objects.storages.values()) expect(storage.size).toBe(0);
    expect((await call(locationOf())).status).toBe(200);
    objects.away = true;
    // Nothing can be counted now, and requests pass.
    expect(await statusesOf(6, () => call())).toEqual(Array(6).fill(200));
  });

  it('count again after a storage that failed once', async () => {
    const { objects, isolate } = await start({ ...own, VDS_LIMIT_PER_CLIENT: '1/3600s' });
    const storage = new Map<string, unknown>();
    const fail = () => {
      throw new Error('the disk is away');
    };
    vi.spyOn(storage, 'get').mockImplementationOnce(fail);
    vi.spyOn(objects.storages, 'get').mockReturnValue(storage);
    const call = await isolate();
    for (const status of [200, 200, 429]) expect((await call()).status).toBe(status);
  });

  it('use the known token while the object is out of reach, and respond with 503 without one', async () => {
    const issuer = await startUpstream(() => oauthResponse('token-1', { expires_in: 600 }));
    const { objects, isolate } = await start({ ...fetched, VDS_TOKEN_URL: issuer.url });
    const call = await isolate();
    fakeClocks({ toFake: ['Date'] });
    expect((await call()).status).toBe(200);
    objects.away = true;
    const requested = objects.requested.length;
    vi.setSystemTime(Date.now() + 100_000);
    for (let round = 0; round < 5; round++) expect((await call()).status).toBe(200);
    expect(objects.requested.length - requested).toBe(1);
    vi.setSystemTime(Date.now() + 480_000);
    const { status, headers } = await call();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    objects.away = false;
    expect((await call()).status).toBe(200);
  });

  it('give no data of a vehicle after its withdrawal at one of them, whose VIN is in no object, until a list shows it', async () => {
    const { url } = await startUpstream(({ url: path, method }) => ({
      body: successBody(method === 'GET' && !path.includes('/locations') ? { vehicles: [{ vin }] } : {}),
    }));
    const settings = { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: url, VDS_STORE: 'durable-object', ...own };
    const withKey = { ...settings, VDS_VIN_HASH_KEY: 'k'.repeat(32) };
    const objects = new Objects(withKey);
    const [one, two] = [
      await isolate({ ...withKey, VDS_STATE: objects }),
      await isolate({ ...withKey, VDS_STATE: objects }),
    ];
    expect([(await one(locationOf())).status, (await two(locationOf())).status]).toEqual([200, 200]);
    expect((await one(withdrawal, {}, 'DELETE')).status).toBe(200);
    expect((await one(locationOf())).status).toBe(400);
    await expect.poll(async () => (await two(locationOf())).status).toBe(400);
    // An isolate that starts anew asks before its first response.
    expect((await (await isolate({ ...withKey, VDS_STATE: objects }))(locationOf())).status).toBe(400);
    expect(JSON.stringify([...objects.storages].map(([name, kept]) => [name, ...kept]))).not.toContain(vin);
    objects.away = true;
    expect((await two(locationOf())).status).toBe(400);
    objects.away = false;
    expect((await two()).status).toBe(200);
    await expect.poll(async () => (await one(locationOf())).status).toBe(200);
  });

  it('authenticate clients by signed tokens', async () => {
    const { url } = await startUpstream();
    const pair = await generateKeyPair('ES256', { extractable: true });
    const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }] });
    const issuer = await startUpstream(() => ({ body: keySet }));
    const call = await isolate({ VDS_UPSTREAM_URL: url, ...own, ...jwt, VDS_JWKS_URL: issuer.url });
    const status = async (audience: string) => {
      const token = new SignJWT({ sub: 'ada', iss: 'issuer', aud: audience }).setExpirationTime('5m');
      const signed = await token.setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(pair.privateKey);
      return (await call(undefined, { authorization: `Bearer ${signed}` })).status;
    };
    expect([await status('proxy'), await status('other'), (await call()).status]).toEqual([200, 401, 401]);
  });
});

/** An isolate with API keys in a KV namespace. */
function startWithKeys() {
  fakeClocks({ now: 0, toFake: ['Date', 'setTimeout'] });
  const get = vi.fn().mockRejectedValue(new Error('KV is away'));
  const lines: string[] = [];
  const keys = new BoundKeys({ get }, 'keys.json', new Warnings((line) => lines.push(line)));
  const authenticate = () =>
    keys.authenticate({ method: 'GET', target: '/', requestId: '', peerAddress: '', header: () => apiKey });
  return { get, lines, authenticate, known: { id: 'abcdefghij' } };
}

it('while the KV namespace fails, known API keys stay valid, the log says so once, and not every request reads it', async () => {
  const { get, lines, authenticate, known } = startWithKeys();
  // A new isolate knows no keys, so it cannot tell good ones from bad ones.
  for (let turn = 0; turn < 5; turn++) expect(await authenticate()).toBe(authUnavailable);
  expect(get).toHaveBeenCalledTimes(1);
  get.mockClear();
  get.mockResolvedValue(printKeys([recordOf()]));
  vi.setSystemTime(2000);
  expect(await authenticate()).toMatchObject(known);
  get.mockRejectedValue(new Error('KV is away'));
  vi.setSystemTime(33_000);
  for (let turn = 0; turn < 5; turn++) expect(await authenticate()).toMatchObject(known);
  expect(get).toHaveBeenCalledTimes(2);
  get.mockResolvedValue('no key file');
  vi.setSystemTime(40_000);
  expect(await authenticate()).toMatchObject(known);
  get.mockResolvedValue(printKeys([]));
  vi.setSystemTime(80_000);
  expect(await authenticate()).toEqual({ rejected: 'unknown key' });
  const failing = expect.stringMatching(/^VDS_KEYS_FILE: .* no revocation is seen$/);
  expect(lines).toEqual([failing, 'keys-file: good again', failing, 'keys-file: good again']);
});

it('a key for single vehicles, which allows nothing without the hash key, is logged once, and when it is gone', async () => {
  const { get, lines, authenticate, known } = startWithKeys();
  get.mockResolvedValue(printKeys([recordOf({ vehicles: [] })]));
  for (const nowMs of [0, 40_000]) {
    vi.setSystemTime(nowMs);
    expect(await authenticate()).toMatchObject(known);
  }
  get.mockResolvedValue(printKeys([recordOf({ vehicles: [], revoked: '2026-01-01T00:00:00.000Z' })]));
  vi.setSystemTime(80_000);
  expect(await authenticate()).toEqual({ rejected: 'revoked' });
  expect(lines).toEqual([expect.stringMatching(/^VDS_VIN_HASH_KEY: must be set/), 'keys-file: good again']);
});

it('a KV namespace that hangs delays one request by a second, or all after a pause', async () => {
  const { get, authenticate, known } = startWithKeys();
  get.mockResolvedValue(printKeys([recordOf()]));
  expect(await authenticate()).toMatchObject(known);

  const hangs = new Promise(() => {});
  get.mockReturnValue(hangs);
  vi.setSystemTime(28_500);
  const delayed = authenticate();
  expect(await authenticate()).toMatchObject(known);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await delayed).toMatchObject(known);

  // Keys that have not been read for long can be revoked ones.
  vi.setSystemTime(120_000);
  get.mockReset().mockReturnValueOnce(hangs).mockResolvedValue(printKeys([]));
  const first = authenticate();
  expect(await authenticate()).toEqual({ rejected: 'unknown key' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(await first).toEqual({ rejected: 'unknown key' });
});

it('API keys of a slow KV namespace are used when they come, unless newer ones have come meanwhile', async () => {
  const { get, authenticate, known } = startWithKeys();
  const reads: ((text: string) => void)[] = [];
  get.mockImplementation(() => new Promise((resolve) => reads.push(resolve)));
  const atStart = [authenticate(), authenticate()];
  await vi.advanceTimersByTimeAsync(1500);
  for (const resolve of reads.splice(0)) resolve(printKeys([recordOf()]));
  expect(await Promise.all(atStart)).toMatchObject([known, known]);

  const lateAt = async (timeMs: number) => {
    vi.setSystemTime(timeMs);
    const late = authenticate();
    await vi.advanceTimersByTimeAsync(1000);
    return late;
  };
  expect(await lateAt(30_000)).toMatchObject(known);
  expect(await lateAt(33_000)).toMatchObject(known);
  expect(reads).toHaveLength(2);
  reads[1]?.(printKeys([]));
  await vi.advanceTimersByTimeAsync(0);
  expect(await authenticate()).toEqual({ rejected: 'unknown key' });
  reads[0]?.(printKeys([recordOf()]));
  await vi.advanceTimersByTimeAsync(0);
  expect(await authenticate()).toEqual({ rejected: 'unknown key' });
  expect(reads).toHaveLength(2);
});

it('an isolate without shared state counts the rate of a key alone; the Worker may end no sooner than its reading of the keys', async () => {
  const { url } = await startUpstream();
  const settings = { VDS_UPSTREAM_URL: url, ...own, VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: 'keys.json' };
  const get = async () => printKeys([recordOf({ rate: { calls: 2, seconds: 3600 } })]);
  const waitUntil = vi.fn();
  const call = await isolate({ ...settings, VDS_KEYS: { get } }, { waitUntil });
  const statuses = await statusesOf(3, () => call(undefined, { 'x-api-key': apiKey }));
  expect(statuses.toSorted()).toEqual([200, 200, 429]);
  expect(waitUntil).toHaveBeenCalledWith(expect.any(Promise));
});

const location = locationOf();
const template = '/v1/vehicles/{vin}/locations';
const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const authorization = 'Bearer secret-7';
const body = successBody({ location: { latitude: 91.5, longitude: 88.25, speed: { value: 1, unit: 'kph' } } });

/** A Worker with an upstream whose location violates the contract, and what it writes into its log. */
async function startLogging(settings: Record<string, unknown> = {}) {
  const { url } = await startUpstream((request) => (request.url.endsWith('locations') ? { body } : {}));
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  onTestFinished(() => spy.mockRestore());
  const call = await isolate({ VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: url, ...settings });
  return { call, lines, logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

it('a Worker logs one line of JSON a request, as the program does', async () => {
  const { call, lines, logged } = await startLogging({
    VDS_VALIDATE_RESPONSES: 'off',
    VDS_LOG_LEVEL: 'debug',
    VDS_SERVER_TIMING: 'true',
  });
  const { headers } = await call(location, { authorization, traceparent: parent });
  expect(headers.get('server-timing')).toMatch(/^service;dur=\d/);
  await call(`${location}?zebra=1`, { authorization });
  expect(logged()).toMatchObject([
    { method: 'GET', template, status: 200, code: '', traceId: parent.slice(3, 35), attempts: 1 },
    { method: 'GET', template, status: 400, code: '4002' },
  ]);
  expect(lines.join()).not.toMatch(/TESTVEHCLE|secret-7|zebra|88\.25/);
});

it('a Worker logs every violation of the contract once, by place, without a value', async () => {
  const { call, lines, logged } = await startLogging({ VDS_LOG_LEVEL: 'error' });
  for (let round = 0; round < 3; round++) await call(location, { authorization });
  const places = logged().map(({ drift }) => (drift as { pointer: string }).pointer);
  expect(places).toContain('/data/location/latitude');
  expect(new Set(places).size).toBe(places.length);
  expect(lines.join()).not.toMatch(/91\.5|88\.25|TESTVEHCLE/);
});

it('a Worker logs the state of its tokens, with the day of renewal and never a value, whenever that changes', async () => {
  const issuer = await startUpstream((_, count) =>
    count === 1
      ? { status: 500, body: '' }
      : oauthResponse('token-zebra', { refresh_token: 'refresh-zebra', refresh_expires_in: 86_400 }),
  );
  const settings: Record<string, string> = {
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_BRANDS: 'brand_a',
    VDS_TOKEN_URL: issuer.url,
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'first-zebra',
    VDS_CLIENT_ID: 'me',
    VDS_STORE: 'durable-object',
    VDS_LOG_LEVEL: 'error',
  };
  const own = { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: 'https://upstream.invalid' };
  const { call, lines, logged } = await startLogging({ ...settings, VDS_STATE: new Objects({ ...own, ...settings }) });
  expect((await call()).status).toBe(503);
  await expect.poll(async () => (await call()).status).toBe(200);
  const states = logged().flatMap(({ token }) => (token === undefined ? [] : [token]));
  const renewal = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect(states).toEqual([
    { brand: 'brand_a', state: 'failing', renewConsentBy: null, lastFailure: 'invalid-response' },
    { brand: 'brand_a', state: 'valid', renewConsentBy: renewal, lastFailure: null },
  ]);
  expect(lines.join()).not.toContain('zebra');
});
