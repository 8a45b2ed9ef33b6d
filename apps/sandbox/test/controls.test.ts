import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.js';
import { brands, control, outcome, send, serveSandbox } from './calls.js';

const vin = 'SANDB0XA000000001';
const locations = `/v1/vehicles/${vin}/locations`;
const hourMs = 3_600_000;
const client = { clientId: 'demo-client', clientSecret: 'demo-secret' };
const form = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST',
  token: null,
  brand: null,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ client_id: 'demo-client', client_secret: 'demo-secret', ...fields }).toString(),
});
describe('the clock', () => {
  it('is set, moved, frozen and given back to the machine', async () => {
    const sandbox = createSandbox();
    expect((await control(sandbox, 'clock', { now: '2026-03-09T07:00:00Z', frozen: true })).json).toEqual({
      now: '2026-03-09T07:00:00.000Z',
      frozen: true,
    });
    expect((await control(sandbox, 'clock', { advanceSeconds: 90 })).json.now).toBe('2026-03-09T07:01:30.000Z');
    expect((await send(sandbox, locations)).json.meta.timestamp).toBe('2026-03-09T07:01:30.000Z');
    await control(sandbox, 'clock', { frozen: false });
    expect(sandbox.clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-03-09T07:01:30Z'));
    await control(sandbox, 'clock', undefined, 'DELETE');
    expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(1000);
  });

  it.each([{ now: 'tomorrow' }, { advanceSeconds: '5' }, { frozen: 1 }, { hour: 5 }, []])(
    'rejects %j',
    async (body) => {
      expect((await control(createSandbox(), 'clock', body)).status).toBe(400);
    },
  );

  it('is set in-process by a date or milliseconds, and nothing else', () => {
    const { clock } = createSandbox({ frozen: true });
    clock.set(new Date('2026-03-09T07:00:00Z'));
    expect(clock.now()).toBe(Date.parse('2026-03-09T07:00:00Z'));
    clock.set(0);
    expect(clock.now()).toBe(0);
    expect(() => clock.set(new Date('nonsense'))).toThrow(RangeError);
    expect(() => clock.set(Number.NaN)).toThrow(RangeError);
  });

  it('can be part of the options, and a reset goes back to it', async () => {
    const sandbox = createSandbox({ now: new Date('2026-03-09T07:00:00Z'), frozen: true });
    sandbox.clock.advance(hourMs);
    await sandbox.reset();
    expect([sandbox.clock.now(), sandbox.clock.frozen]).toEqual([Date.parse('2026-03-09T07:00:00Z'), true]);
  });
});

describe('tokens', () => {
  const refresh = (sandbox: Sandbox, refreshToken = 'demo-refresh-token') =>
    control(sandbox, 'oauth/token', { ...client, refreshToken });

  it.each([
    ['an hour and 90 days of the clock', undefined, hourMs, 90 * 24 * hourMs],
    ['as long as the options say', { accessMs: 10_000, refreshMs: 60_000 }, 10_000, 60_000],
  ])('access and refresh tokens live %s', async (_, tokenLifetimes, accessMs, refreshMs) => {
    const sandbox = createSandbox({ tokenLifetimes, frozen: true });
    const { data } = (await refresh(sandbox)).json;
    expect(data).toMatchObject({ tokenType: 'Bearer', expiresIn: accessMs / 1000 });
    sandbox.clock.advance(accessMs - 1);
    expect(await outcome(send(sandbox, locations, { token: data.accessToken }))).toBe(200);
    sandbox.clock.advance(1);
    expect(await outcome(send(sandbox, locations, { token: data.accessToken }))).toBe('4011');
    expect(await outcome(send(sandbox, locations))).toBe(200);
    sandbox.clock.advance(refreshMs - accessMs);
    expect(await outcome(refresh(sandbox, data.refreshToken))).toBe('4011');
  });

  it('a refresh token can be used once, and gives a new pair', async () => {
    const sandbox = createSandbox();
    const { json } = await refresh(sandbox);
    expect(await outcome(refresh(sandbox))).toBe('4011');
    const next = await refresh(sandbox, json.data.refreshToken);
    expect(await outcome(send(sandbox, locations, { token: next.json.data.accessToken }))).toBe(200);
  });

  it('the JSON form needs a Brand header, the known client, and one of code and refresh token', async () => {
    const sandbox = createSandbox();
    expect(await outcome(send(sandbox, '/sandbox/oauth/token', { method: 'POST', brand: null, body: '{}' }))).toBe(
      '4002',
    );
    expect(await outcome(control(sandbox, 'oauth/token', { ...client, clientSecret: 'x', code: 'y' }))).toBe('401');
    expect(await outcome(control(sandbox, 'oauth/token', client))).toBe('4002');
    expect(await outcome(control(sandbox, 'oauth/token', { ...client, code: 'unknown' }))).toBe('4011');
  });

  it('the form of RFC 6749 gives and refreshes tokens, and names its errors', async () => {
    const sandbox = createSandbox();
    const post = (fields: Readonly<Record<string, string>>) => send(sandbox, '/sandbox/oauth/token', form(fields));
    const { json: issued } = await control(sandbox, 'oauth/code', {
      owner: 'demo',
      redirectUrl: 'https://app.invalid/back',
    });
    const redirect_uri = 'https://app.invalid/back';
    const codeGrant = { grant_type: 'authorization_code', code: issued.code, redirect_uri };
    const first = await post(codeGrant);
    expect(first.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(await outcome(send(sandbox, locations, { token: first.json.access_token }))).toBe(200);
    const again = await post(codeGrant);
    expect([again.status, again.json]).toEqual([400, { error: 'invalid_grant' }]);
    const next = await post({ grant_type: 'refresh_token', refresh_token: first.json.refresh_token });
    expect(await outcome(send(sandbox, locations, { token: next.json.access_token }))).toBe(200);
    expect((await post({ grant_type: 'password' })).json).toEqual({ error: 'unsupported_grant_type' });
    const stranger = await post({ grant_type: 'refresh_token', client_secret: 'wrong' });
    expect([stranger.status, stranger.json]).toEqual([401, { error: 'invalid_client' }]);
  });

  it('the form of RFC 6749 takes the client as basic credentials too', async () => {
    const { headers, ...rest } = form({
      grant_type: 'refresh_token',
      refresh_token: 'demo-refresh-token',
      client_secret: '',
    });
    const authorization = `Basic ${btoa('demo-client:demo-secret')}`;
    const response = send(createSandbox(), '/sandbox/oauth/token', { ...rest, headers: { ...headers, authorization } });
    expect(await outcome(response)).toBe(200);
  });

  it('a code that was sent to one address cannot be exchanged from another', async () => {
    const sandbox = createSandbox();
    const { json } = await control(sandbox, 'oauth/code', { owner: 'demo', redirectUrl: 'https://app.invalid/back' });
    const stolen = { ...client, code: json.code, redirectUrl: 'https://other.invalid/' };
    expect(await outcome(control(sandbox, 'oauth/token', stolen))).toBe('4011');
  });

  it('an owner’s token shows that owner’s vehicles alone', async () => {
    const sandbox = createSandbox();
    const token = sandbox.accessTokenOf('car-pool');
    const { json } = await send(sandbox, '/v1/vehicles/consent', { token });
    expect(json.data.vehicles.map((vehicle) => vehicle.vin)).toEqual(['SANDB0XA000000004']);
    expect(await outcome(send(sandbox, locations, { token }))).toBe('4101');
  });
});

describe('consent over HTTP', () => {
  it('is set for one vehicle, an owner or a brand', async () => {
    const sandbox = createSandbox();
    const set = async (body: object) => (await control(sandbox, 'consent', body)).json.consents;
    expect(await set({ vin, consent: 'never' })).toEqual({ [vin]: 'never' });
    expect(await outcome(send(sandbox, locations))).toBe('4101');
    expect(Object.keys(await set({ owner: 'demo', brand: brands[0], consent: 'shared' }))).toHaveLength(5);
    expect(await outcome(send(sandbox, locations))).toBe(200);
    expect(await outcome(control(sandbox, 'consent', { vin: 'NONE', consent: 'shared' }))).toBe('4002');
    expect(await outcome(control(sandbox, 'consent', { consent: 'maybe' }))).toBe('4002');
  });
});

describe('inspection and reset', () => {
  it('the fleet is listed with brand, type, owner and consent, and the reserved VINs beside it', async () => {
    const { json } = await control(createSandbox(), 'vehicles', undefined, 'GET');
    expect(json.vehicles[0]).toMatchObject({
      vin,
      brand: brands[0],
      type: 'EV',
      owner: 'demo',
      consent: 'shared',
      homeZone: 'Europe/Berlin',
    });
    expect(json.vehicles).toHaveLength(15);
    expect(json.reservedVins).toContainEqual({ vin: 'SANDB0XAERR004045', code: '4045' });
  });

  it('a reset forgets consent, tokens, faults and the clock', async () => {
    const sandbox = createSandbox();
    const before = (await control(sandbox, 'state', undefined, 'GET')).json;
    const token = sandbox.accessTokenOf('demo');
    await control(sandbox, 'consent', { vin, consent: 'withdrawn' });
    await control(sandbox, 'faults', { kind: 'cut-body' });
    await control(sandbox, 'clock', { now: '2020-01-01T00:00:00Z' });
    await control(sandbox, 'reset');
    const after = (await control(sandbox, 'state', undefined, 'GET')).json;
    expect({ ...after, clock: null }).toEqual({ ...before, clock: null });
    expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(1000);
    expect(await outcome(send(sandbox, locations, { token }))).toBe('4011');
  });

  it('the state contains no token', async () => {
    const sandbox = createSandbox();
    const token = sandbox.accessTokenOf('demo');
    const { json } = await control(sandbox, 'state', undefined, 'GET');
    // The demo refresh token, and the pair that was issued.
    expect(json.tokens).toBe(3);
    expect(JSON.stringify(json)).not.toContain(token);
  });

  it('a path that is no control is rejected', async () => {
    expect((await control(createSandbox(), 'nothing')).status).toBe(404);
  });

  it('an operation of another method or an encoded path is judged by the contract', async () => {
    const { call } = await serveSandbox();
    expect(await outcome(call(locations, { method: 'POST' }))).toBe('404');
    expect(await outcome(call(locations.replace(vin, '%53ANDB0XA000000001')))).toBe(200);
    expect(await outcome(call(locations.replace(vin, '%E0%A4%A')))).toBe('4002');
  });
});

describe('a store of one’s own', () => {
  it('is written before the response to a change, in order, and read at the start', async () => {
    const texts: string[] = [];
    const save = async (text: string) => {
      await new Promise((resolve) => setTimeout(resolve, texts.length === 0 ? 30 : 1));
      texts.push(text);
    };
    const sandbox = createSandbox({ state: { load: () => null, save } });
    const stop = (of: string) => send(sandbox, `/v1/vehicles/consent?vin=${of}`, { method: 'DELETE' });
    expect((await Promise.all([stop(vin), stop('SANDB0XA000000002')])).map(({ status }) => status)).toEqual([200, 200]);
    const again = createSandbox({ state: { load: () => texts.at(-1) ?? null, save } });
    expect([again.consents.of(vin), again.consents.of('SANDB0XA000000002')]).toEqual(['withdrawn', 'withdrawn']);
  });

  it('keeps what was decided in-process, too', async () => {
    const texts: string[] = [];
    const sandbox = createSandbox({ state: { load: () => null, save: (text) => void texts.push(text) } });
    await sandbox.consents.set(vin, 'withdrawn');
    expect(JSON.parse(texts.at(-1) ?? '').consents[vin]).toBe('withdrawn');
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
