import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { JwtClients } from '../src/auth/jwt.js';
import { jwtOptionsFrom } from '../src/config/domain-options.js';
import { startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { consent, fakeClocks, locationOf, startProxy, statusesOf, vin } from './support/set-up.ts';
import { settingsOf } from './support/settings.ts';

const issuer = 'https://issuer.invalid';
const audience = 'vehicle-data-proxy';
const newPair = () => generateKeyPair('RS256', { extractable: true });
const [good, foreign] = await Promise.all([newPair(), newPair()]);
const foreignKey = await exportJWK(foreign.publicKey);
type Pair = typeof good;

const seconds = () => Math.floor(Date.now() / 1000);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function claims(more: JWTPayload = {}): JWTPayload {
  return { iss: issuer, aud: audience, sub: 'ada', iat: seconds(), exp: seconds() + 300, ...more };
}

function sign(payload: JWTPayload, pair = good, kid = 'k1', alg = 'RS256', more = {}): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, kid, ...more }).sign(pair.privateKey);
}

async function publicKey(pair: Pair, kid?: string): Promise<object> {
  return { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' };
}

async function start(settings: Readonly<Record<string, string>> = {}) {
  const issuerKeys: { set: (object | null)[]; broken: boolean; after: Promise<void> } = {
    set: [await publicKey(good, 'k1')],
    broken: false,
    after: Promise.resolve(),
  };
  const jwks = await startUpstream(() =>
    issuerKeys.broken ? { status: 500 } : { body: JSON.stringify({ keys: issuerKeys.set }), after: issuerKeys.after },
  );
  const upstream = await startUpstream();
  const all = {
    VDS_UPSTREAM_URL: upstream.url,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_CLIENT_AUTH: 'jwt',
    VDS_JWKS_URL: `${jwks.url}/keys`,
    VDS_JWT_ISSUER: issuer,
    VDS_JWT_AUDIENCE: audience,
    VDS_JWT_ALGORITHMS: 'RS256,ES256',
    ...settings,
  };
  const clientAuth = new JwtClients(jwtOptionsFrom(settingsOf(all).values));
  const upstreamAuth = { kind: 'static', accessToken: 'own' } as const;
  const maxInFlight = Number(settings['VDS_MAX_IN_FLIGHT'] ?? 1024);
  const proxy = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, clientAuth, maxInFlight });
  const call = async (authorization: string, method = 'GET', path = consent, brand = 'brand_a') => {
    const query = method === 'GET' ? '' : `?vin=${vin}`;
    return (await proxy.call(path + query, { brand, authorization }, method)).status;
  };
  return { ...proxy, call, settings: all, issuerKeys, keySetRequests: () => jwks.seen.length };
}

describe('a client with a signed token', () => {
  it('passes, with the scheme in any case, and has an identifier; the key set is fetched once', async () => {
    const { call, keySetRequests, records } = await start();
    const token = await sign(claims());
    const statuses = await statusesOf(20, async () => ({ status: await call(`Bearer ${token}`) }));
    expect(statuses).toEqual(Array(20).fill(200));
    expect(await call(`bearer ${await sign(claims({ aud: ['other', audience] }))}`)).toBe(200);
    expect(keySetRequests()).toBe(1);
    // 128 bits, of which nobody can tell the subject.
    expect(records[0]?.client).toMatch(/^[0-9a-f]{32}$/);
  });

  /** A good token of which one part has another content. */
  const withPart = async (changed: number, content: unknown) =>
    (await sign(claims()))
      .split('.')
      .map((each, index) => (index === changed ? part(content) : each))
      .join('.');
  const withoutSignature = (alg: string) => `${part({ alg, kid: 'k1' })}.${part(claims())}.`;
  const signedWithPublicKey = async () => {
    const text = `${part({ alg: 'HS256', kid: 'k1' })}.${part(claims())}`;
    const mac = createHmac('sha256', await exportSPKI(good.publicKey)).update(text);
    return `${text}.${mac.digest('base64url')}`;
  };

  const usualHeader = { alg: 'RS256', kid: 'k1' };
  const signedWith = (pair: Pair, header: object) => sign(claims(), pair, 'k1', 'RS256', header);
  const attacks: readonly { what: string; reason: string; makeToken: () => string | Promise<string> }[] = [
    { what: 'no signature (alg none)', reason: 'algorithm not allowed', makeToken: () => withoutSignature('none') },
    { what: 'alg None in another case', reason: 'algorithm not allowed', makeToken: () => withoutSignature('NoNe') },
    { what: 'the public key as secret (HS256)', reason: 'algorithm not allowed', makeToken: signedWithPublicKey },
    {
      what: 'an algorithm that is not allowed',
      reason: 'algorithm not allowed',
      makeToken: () => withPart(0, { ...usualHeader, alg: 'PS256' }),
    },
    {
      what: 'a key of another issuer under our key id',
      reason: 'wrong signature',
      makeToken: () => sign(claims(), foreign),
    },
    { what: 'a key id that nobody knows', reason: 'unknown key', makeToken: () => sign(claims(), foreign, 'k9') },
    {
      what: 'its own key in the header',
      reason: 'wrong signature',
      makeToken: () => signedWith(foreign, { jwk: foreignKey }),
    },
    {
      what: 'its own key set in the header',
      reason: 'wrong signature',
      makeToken: () => signedWith(foreign, { jku: 'https://evil.invalid' }),
    },
    {
      what: 'an unknown critical extension',
      reason: 'malformed',
      makeToken: () => withPart(0, { ...usualHeader, crit: ['zebra'], zebra: 1 }),
    },
    { what: 'a changed payload', reason: 'wrong signature', makeToken: () => withPart(1, claims({ sub: 'eve' })) },
    { what: 'another audience', reason: 'claim aud', makeToken: () => sign(claims({ aud: 'another' })) },
    {
      what: 'no audience',
      reason: 'claim aud',
      makeToken: () => sign({ iss: issuer, sub: 'ada', exp: seconds() + 300 }),
    },
    { what: 'another issuer', reason: 'claim iss', makeToken: () => sign(claims({ iss: 'https://evil.invalid' })) },
    { what: 'an issuer with a slash more', reason: 'claim iss', makeToken: () => sign(claims({ iss: `${issuer}/` })) },
    { what: 'an end in the past', reason: 'expired', makeToken: () => sign(claims({ exp: seconds() - 31 })) },
    { what: 'no end', reason: 'claim exp', makeToken: () => sign({ iss: issuer, aud: audience, sub: 'ada' }) },
    {
      what: 'no subject',
      reason: 'claim sub',
      makeToken: () => sign({ iss: issuer, aud: audience, exp: seconds() + 300 }),
    },
    { what: 'an end of words', reason: 'claim exp', makeToken: () => sign(Object.assign(claims(), { exp: 'zebra' })) },
    { what: 'a begin in the future', reason: 'claim nbf', makeToken: () => sign(claims({ nbf: seconds() + 120 })) },
    { what: 'an issue in the future', reason: 'claim iat', makeToken: () => sign(claims({ iat: seconds() + 120 })) },
    { what: 'an empty subject', reason: 'not an access token', makeToken: () => sign(claims({ sub: '' })) },
    {
      what: 'the type of a logout token',
      reason: 'not an access token',
      makeToken: () => signedWith(good, { typ: 'logout+jwt' }),
    },
    {
      what: 'a binding to a key of its holder',
      reason: 'not an access token',
      makeToken: () => sign(claims({ cnf: { jkt: 'x' } })),
    },
    {
      what: 'the hash that marks an ID token',
      reason: 'not an access token',
      makeToken: () => sign(claims({ at_hash: 'x' })),
    },
    { what: 'a huge payload', reason: 'too long', makeToken: () => sign(claims({ padding: 'x'.repeat(9000) })) },
    {
      what: 'two parts',
      reason: 'malformed',
      makeToken: async () => (await sign(claims())).split('.').slice(0, 2).join('.'),
    },
    { what: 'five parts', reason: 'malformed', makeToken: async () => `${await sign(claims())}.x.y` },
    { what: 'no token at all', reason: 'malformed', makeToken: () => 'x' },
  ];

  it.each(attacks)('is rejected, and the record says why: for $what, $reason', async ({ reason, makeToken }) => {
    const { call, records } = await start();
    const token = await makeToken();
    expect(await call(`Bearer ${token}`)).toBe(401);
    await expect.poll(() => records).toMatchObject([{ reason }]);
    if (token.length > 20) expect(JSON.stringify(records)).not.toContain(token.slice(-20));
  });

  it('is rejected with another scheme', async () => {
    const { call } = await start();
    for (const scheme of ['Basic', 'DPoP', 'Token', ''])
      expect(await call(`${scheme} ${await sign(claims())}`)).toBe(401);
  });

  it('is rejected for a token that ends while it is known', async () => {
    fakeClocks();
    const { call } = await start();
    const token = await sign(claims({ exp: seconds() + 20 }));
    expect(await call(`Bearer ${token}`)).toBe(200);
    vi.advanceTimersByTime(51_000);
    expect(await call(`Bearer ${token}`)).toBe(401);
  });

  it.each([
    { what: 'cannot be read', wrong: { broken: true } },
    { what: 'is too long', wrong: { set: [{ kty: 'RSA', padding: 'x'.repeat(262_144) }] } },
  ])('gets 503 when the key set $what', async ({ wrong }) => {
    const { call, issuerKeys, keySetRequests } = await start();
    Object.assign(issuerKeys, wrong);
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(503);
    // The next one waits for nothing: the key set is requested again after a pause.
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(503);
    expect(keySetRequests()).toBe(1);
  });

  it('passes with each of the keys that fit its header, and what is no key in the set says nothing about the others', async () => {
    const { call, issuerKeys } = await start();
    const old = await newPair();
    // An issuer that names no keys, in a rotation; What cannot be used stands beside them.
    const broken = { kty: 'RSA', n: '!!', e: 'AQAB' };
    issuerKeys.set = [null, { kid: 'k1' }, broken, await publicKey(old), await publicKey(good)];
    const withoutId = (pair: Pair) => new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(pair.privateKey);
    for (const [pair, status] of [
      [old, 200],
      [good, 200],
      [foreign, 401],
    ] as const)
      expect(await call(`Bearer ${await withoutId(pair)}`)).toBe(status);
  });

  it('passes for a day while the issuer is away, and gets 503 after that', async () => {
    fakeClocks();
    const { call, issuerKeys } = await start();
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(200);
    issuerKeys.set = [];
    vi.advanceTimersByTime(11_000);
    // The keys are known, and this one is none of them.
    expect(await call(`Bearer ${await sign(claims(), foreign, 'k9')}`)).toBe(401);
    for (const [hours, status] of [
      [1, 200],
      [22, 200],
      [2, 503],
    ] as const) {
      vi.advanceTimersByTime(hours * 3_600_000);
      expect(await call(`Bearer ${await sign(claims({ jti: String(hours) }))}`)).toBe(status);
    }
    issuerKeys.set = [await publicKey(good, 'k1')];
    vi.advanceTimersByTime(11_000);
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(200);
  });

  it('is rejected soon after its key is withdrawn, also when a fetch of the key set has failed meanwhile', async () => {
    fakeClocks();
    const { call, issuerKeys, keySetRequests } = await start();
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(200);
    issuerKeys.set = [await publicKey(foreign, 'k2')];
    issuerKeys.broken = true;
    vi.advanceTimersByTime(601_000);
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(200);
    issuerKeys.broken = false;
    vi.advanceTimersByTime(11_000);
    // The first request starts a fetch and does not wait for it. A token with another key does.
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(200);
    expect(await call(`Bearer ${await sign(claims(), foreign, 'k2')}`)).toBe(200);
    const another = async (_: unknown, index: number) => call(`Bearer ${await sign(claims({ jti: String(index) }))}`);
    expect(await Promise.all(Array.from({ length: 5 }, another))).toEqual(Array(5).fill(401));
    expect(keySetRequests()).toBe(3);
  });

  it.each([
    { what: 'nobody has called', broken: false },
    { what: 'the issuer was away', broken: true },
  ])('is rejected at once after hours in which its key was withdrawn and $what', async ({ broken }) => {
    fakeClocks();
    const { settings, issuerKeys } = await start();
    const clients = new JwtClients(jwtOptionsFrom(settingsOf(settings).values));
    const authenticate = async () => {
      const token = await sign(claims());
      const header = () => `Bearer ${token}`;
      return clients.authenticate({ method: 'GET', target: '/', requestId: '', peerAddress: '', header });
    };
    expect(await authenticate()).toHaveProperty('id');
    issuerKeys.broken = broken;
    vi.advanceTimersByTime(601_000);
    if (broken) expect(await authenticate()).toHaveProperty('id');
    issuerKeys.broken = false;
    issuerKeys.set = [await publicKey(foreign, 'k2')];
    vi.advanceTimersByTime(5 * 3_600_000);
    expect(await authenticate()).toEqual({ rejected: 'unknown key' });
  });

  it('has keys that are fetched anew after a clock that was ahead is set back', async () => {
    const clock = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000);
    fakeClocks();
    clock(10);
    const { call, issuerKeys } = await start();
    issuerKeys.broken = true;
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(503);
    clock(-10);
    issuerKeys.broken = false;
    vi.advanceTimersByTime(11_000);
    const callAnew = async () => call(`Bearer ${await sign(claims())}`);
    expect(await callAnew()).toBe(200);
    clock(-10);
    issuerKeys.set = [await publicKey(foreign, 'k2')];
    vi.advanceTimersByTime(601_000);
    expect(await callAnew()).toBe(401);
  });

  it('has the rate that its claim says, also where no other limit is set', async () => {
    const { settings } = await start({ VDS_JWT_CLAIMS: 'rate=limits.rate' });
    const { call } = await startProgram(settings);
    const authorization = `Bearer ${await sign(claims({ limits: { rate: '2/3600s' } }))}`;
    const statuses = await statusesOf(3, () => call(undefined, { authorization }));
    expect(statuses.toSorted()).toEqual([200, 200, 429]);
  });

  it('has the rights of the settings and those that its claims say, and none that a claim does not', async () => {
    const limited = await start({ VDS_JWT_OPERATIONS: 'listVehicles' });
    expect(await limited.call(`Bearer ${await sign(claims())}`)).toBe(200);
    expect(await limited.call(`Bearer ${await sign(claims())}`, 'DELETE')).toBe(403);
    const { call } = await start({
      VDS_JWT_OPERATIONS: 'getLocation,listVehicles',
      VDS_JWT_CLAIMS: 'operations=vds.ops,brands=brands,vehicles=vds.vins',
    });
    const granted = { vds: { ops: ['getLocation', 'zebra'], vins: ['TESTVEHCLE000000A'] }, brands: 'brand_a brand_b' };
    const token = `Bearer ${await sign(claims(granted))}`;
    expect(await call(token, 'GET', locationOf('TESTVEHCLE000000A'))).toBe(200);
    expect(await call(token, 'GET', locationOf('testvehcle000000a'))).toBe(200);
    expect(await call(token, 'GET', locationOf('TESTVEHCLE000000B'))).toBe(403);
    expect(await call(token, 'GET', locationOf('TESTVEHCLE000000A'), 'brand_c')).toBe(403);
    expect(await call(token)).toBe(403);
    expect(await call(token, 'DELETE')).toBe(403);
    const bare = `Bearer ${await sign(claims())}`;
    expect(await call(bare, 'GET', locationOf('TESTVEHCLE000000A'))).toBe(403);
    // A list of all vehicles would show those of others.
    const lister = { ...granted, vds: { ops: 'listVehicles', vins: ['TESTVEHCLE000000A'] } };
    expect(await call(`Bearer ${await sign(claims(lister))}`)).toBe(403);
    expect(await call(`Bearer ${await sign(claims({ ...granted, brands: 7 }))}`)).toBe(401);
  });

  it('passes while unknown keys wait for a slow issuer, which take half of the requests in flight at most', async () => {
    fakeClocks();
    const { call, issuerKeys, pipeline } = await start({ VDS_MAX_IN_FLIGHT: '8' });
    const token = `Bearer ${await sign(claims())}`;
    expect(await call(token)).toBe(200);
    vi.advanceTimersByTime(11_000);
    let respond = () => {};
    issuerKeys.after = new Promise((resolve) => {
      respond = resolve;
    });
    const unknown = await sign(claims(), foreign, 'k9');
    const shed: number[] = [];
    const flood = Array.from({ length: 20 }, async () => {
      const status = await call(`Bearer ${unknown}`);
      if (status === 503) shed.push(status);
      return status;
    });
    await expect.poll(() => [pipeline.inFlight, shed.length]).toEqual([4, 16]);
    for (let turn = 0; turn < 5; turn++) expect(await call(token)).toBe(200);
    // A token of a known key passes also when it was never seen.
    expect(await call(`Bearer ${await sign(claims({ sub: 'bob' }))}`)).toBe(200);
    respond();
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 401)).toHaveLength(4);
  });

  it('passes with a key that is published later; unknown keys make no storm of fetches', async () => {
    fakeClocks();
    const { call, issuerKeys, keySetRequests } = await start();
    const next = await newPair();
    expect(await call(`Bearer ${await sign(claims())}`)).toBe(200);
    issuerKeys.set = [await publicKey(good, 'k1'), await publicKey(next, 'k2')];
    for (let round = 0; round < 10; round++)
      expect(await call(`Bearer ${await sign(claims(), foreign, 'k9')}`)).toBe(401);
    expect(keySetRequests()).toBe(1);
    vi.advanceTimersByTime(11_000);
    expect(await call(`Bearer ${await sign(claims(), next, 'k2')}`)).toBe(200);
    expect(keySetRequests()).toBe(2);
  });
});
