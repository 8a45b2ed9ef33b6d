import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.js';
import { brands, control, locations, outcome, send, vin } from './calls.js';

const hourMs = 3_600_000;
const client = { clientId: 'demo-client', clientSecret: 'demo-secret' };
const cut = { kind: 'cut-body' };

function expectMachineTime(clock: Sandbox['clock']): void {
  const before = Date.now();
  const now = clock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
}

it.each([
  { path: 'clock', body: { now: 'tomorrow' } },
  { path: 'clock', body: { advanceSeconds: '5' } },
  { path: 'clock', body: { frozen: 1 } },
  { path: 'clock', body: { hour: 5 } },
  { path: 'clock', body: [] },
  { path: 'clock', body: { advanceSeconds: 3e11, frozen: true } },
  { path: 'clock', body: { now: '0000-01-01T00:00:00+01:00' } },
  { path: 'consent', body: { vin: 'NONE', consent: 'shared' } },
  { path: 'consent', body: { consent: 'maybe' } },
  { path: 'faults', body: {} },
  { path: 'faults', body: { kind: 'earthquake' } },
  { path: 'faults', body: { kind: 'error', code: '9999' } },
  { path: 'faults', body: { kind: 'status', status: 99 } },
  { path: 'faults', body: { kind: 'latency', latencyMs: -1 } },
  { path: 'faults', body: { ...cut, probability: 2 } },
  { path: 'faults', body: { ...cut, operationId: 'getAll' } },
  { path: 'faults', body: { ...cut, vins: vin } },
  { path: 'faults', body: 'cut-body' },
  { path: 'nothing', body: {} },
  { path: 'oauth/token', body: client },
])('a control rejects what it cannot use: $path $body', async ({ path, body }) => {
  const sandbox = createSandbox();
  expect(await outcome(control(sandbox, path, body))).toBe('4002');
  expect([sandbox.faults.list(), sandbox.clock.frozen]).toEqual([[], false]);
});

it('the clock is set, moved, frozen and given back to the machine', async () => {
  const sandbox = createSandbox();
  const { clock } = sandbox;
  const set = async (body: object) => (await control(sandbox, 'clock', body)).json;
  const now = '2026-03-09T07:00:00.000Z';
  expect(await set({ now: '2026-03-09T08:00:00+01:00', frozen: true })).toEqual({ now, frozen: true });
  expect((await set({ advanceSeconds: 90 })).now).toBe('2026-03-09T07:01:30.000Z');
  expect((await send(sandbox, locations)).json.meta.timestamp).toBe('2026-03-09T07:01:30.000Z');
  await set({ frozen: false });
  expect(clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-03-09T07:01:30Z'));
  await control(sandbox, 'clock', undefined, 'DELETE');
  expectMachineTime(clock);
  clock.freeze();
  for (const time of [new Date(now), 0]) {
    clock.set(time);
    expect(clock.now()).toBe(Number(time));
  }
  const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  for (const time of [first, last]) clock.set(time);
  for (const none of [new Date('nonsense'), Number.NaN, first - 1, last + 1])
    expect(() => clock.set(none)).toThrow(RangeError);
});

describe('tokens', () => {
  const refresh = (sandbox: Sandbox, refreshToken = 'demo-refresh-token') =>
    control(sandbox, 'oauth/token', { ...client, refreshToken });

  it.each([
    {
      story: 'an hour and 90 days of the clock',
      tokenLifetimes: undefined,
      accessMs: hourMs,
      refreshMs: 90 * 24 * hourMs,
    },
    {
      story: 'as the options say',
      tokenLifetimes: { accessMs: 10_000, refreshMs: 60_000 },
      accessMs: 10_000,
      refreshMs: 60_000,
    },
  ])(
    'live as long as they say, and a refresh token is used once: $story',
    async ({ tokenLifetimes, accessMs, refreshMs }) => {
      const sandbox = createSandbox({ tokenLifetimes, frozen: true });
      const { data } = (await refresh(sandbox)).json;
      expect(data).toMatchObject({ tokenType: 'Bearer', expiresIn: accessMs / 1000 });
      expect(await outcome(refresh(sandbox))).toBe('4011');
      sandbox.clock.advance(accessMs - 1);
      expect(await outcome(send(sandbox, locations, { token: data.accessToken }))).toBe(200);
      sandbox.clock.advance(1);
      expect(await outcome(send(sandbox, locations, { token: data.accessToken }))).toBe('4011');
      expect(await outcome(send(sandbox, locations))).toBe(200);
      sandbox.clock.advance(refreshMs - accessMs);
      expect(await outcome(refresh(sandbox, data.refreshToken))).toBe('4011');
    },
  );

  it('in the JSON form need a known client, a known code that was sent to the same address, and the Brand header', async () => {
    const sandbox = createSandbox();
    const { json } = await control(sandbox, 'oauth/code', { owner: 'demo', redirectUrl: 'https://app.invalid/back' });
    const rejected = async (body: object) => outcome(control(sandbox, 'oauth/token', { ...client, ...body }));
    expect(await rejected({ clientSecret: 'x', code: json.code })).toBe('401');
    expect(await rejected({ code: 'unknown' })).toBe('4011');
    expect(await rejected({ code: json.code, redirectUrl: 'https://other.invalid/' })).toBe('4011');
    const post = { method: 'POST', brand: null, body: JSON.stringify({ ...client, code: 'x' }) };
    expect(await outcome(send(sandbox, '/sandbox/oauth/token', post))).toBe('4002');
  });

  it('in the form of RFC 6749 are given, refreshed and rejected, the client in the form or as basic credentials', async () => {
    const sandbox = createSandbox();
    const inForm = { client_id: 'demo-client', client_secret: 'demo-secret' };
    const post = (fields: Readonly<Record<string, string>>, headers = {}) => {
      const body = new URLSearchParams(fields);
      return send(sandbox, '/sandbox/oauth/token', { method: 'POST', brand: null, token: null, headers, body });
    };
    const redirect_uri = 'https://app.invalid/back';
    const { code } = (await control(sandbox, 'oauth/code', { owner: 'demo', redirectUrl: redirect_uri })).json;
    const first = await post({ ...inForm, grant_type: 'authorization_code', code, redirect_uri });
    expect(first.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(first.headers.get('cache-control')).toBe('no-store');
    const again = await post({ ...inForm, grant_type: 'authorization_code', code, redirect_uri });
    expect([again.status, again.json]).toEqual([400, { error: 'invalid_grant' }]);
    const renewal = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
    const next = await post(renewal, { Authorization: `Basic ${btoa('demo-client:demo-secret')}` });
    expect(await outcome(send(sandbox, locations, { token: next.json.access_token }))).toBe(200);
    expect((await post({ ...inForm, grant_type: 'password' })).json).toEqual({ error: 'unsupported_grant_type' });
    const stranger = await post(renewal, { Authorization: `Basic ${btoa('demo-client:wrong')}` });
    expect([stranger.status, stranger.json]).toEqual([401, { error: 'invalid_client' }]);
  });
});

it('consent is set for one vehicle, an owner or a brand', async () => {
  const sandbox = createSandbox();
  const set = async (body: object) => (await control(sandbox, 'consent', body)).json.consents;
  expect(await set({ vin, consent: 'never' })).toEqual({ [vin]: 'never' });
  expect(await outcome(send(sandbox, locations))).toBe('4101');
  expect(Object.keys(await set({ owner: 'demo', brand: brands[0], consent: 'shared' }))).toHaveLength(5);
  expect(await outcome(send(sandbox, locations))).toBe(200);
});

it('a reset forgets consent, tokens, faults and the clock, and the state holds no token', async () => {
  const sandbox = createSandbox();
  const state = async () => (await control(sandbox, 'state', undefined, 'GET')).json;
  const before = await state();
  const token = sandbox.accessTokenOf('demo');
  await control(sandbox, 'consent', { vin, consent: 'withdrawn' });
  await control(sandbox, 'faults', { kind: 'cut-body' });
  await control(sandbox, 'clock', { now: '2020-01-01T00:00:00Z' });
  // The demo refresh token, and the pair that was issued.
  expect((await state()).tokens).toBe(3);
  expect(JSON.stringify(await state())).not.toContain(token);
  await control(sandbox, 'reset');
  expect({ ...(await state()), clock: null }).toEqual({ ...before, clock: null });
  expectMachineTime(sandbox.clock);
  expect(await outcome(send(sandbox, locations, { token }))).toBe('4011');
});

describe('a store of one’s own', () => {
  it('is written before the response to a change, in order, and read at the start', async () => {
    const texts: string[] = [];
    let waitMs = 30;
    const save = async (text: string) => {
      const pause = new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = 1;
      await pause;
      texts.push(text);
    };
    const sandbox = createSandbox({ state: { load: () => null, save } });
    const others = ['SANDB0XA000000002', 'SANDB0XA000000003'];
    const stop = (of: string) => send(sandbox, `/v1/vehicles/consent?vin=${of}`, { method: 'DELETE' });
    await Promise.all([...others.map(stop), sandbox.consents.set(vin, 'withdrawn')]);
    const token = sandbox.accessTokenOf('demo');
    sandbox.faults.add({ kind: 'expired-token', times: 1 });
    await control(sandbox, 'oauth/code', {});
    expect(await outcome(send(sandbox, '/v1/vehicles/consent', { token }))).toBe('4011');
    const again = createSandbox({ state: { load: () => texts.at(-1) ?? null, save } });
    expect([vin, ...others].map(again.consents.of)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
    expect(await outcome(send(again, '/v1/vehicles/consent', { token }))).toBe('4011');
    await expect(sandbox.consents.set('ANOTHER0000000000', 'shared')).rejects.toThrow(RangeError);
  });

  it('that fails makes the change an internal server error, which is reported with its stack', async () => {
    const errors: unknown[] = [];
    const sandbox = createSandbox({
      state: { load: () => null, save: () => Promise.reject(new Error('full')) },
      onError: (error) => errors.push(error),
    });
    expect(await outcome(send(sandbox, '/v1/vehicles/consent', { method: 'DELETE' }))).toBe('5001');
    expect((await control(sandbox, 'consent', { vin, consent: 'shared' })).status).toBe(500);
    expect(errors).toEqual([new Error('full'), new Error('full')]);
    expect(errors[0]).toHaveProperty('stack', expect.stringContaining('controls.test.ts'));
  });
});
