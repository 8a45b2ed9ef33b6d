import { errorCatalogue } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Fault } from '../src/index.js';
import { reservedVins } from '../src/reserved-vins.js';
import { brands, control, outcome, send, serveSandbox } from './calls.js';
import { violations } from './contract-check.js';

const vin = 'SANDB0XA000000001';
const locations = `/v1/vehicles/${vin}/locations`;
const driving = `/v1/vehicles/${vin}/driving/data?startDate=20260302&endDate=20260306`;

/** A response body that cannot be read to its end. */
async function readingFails(url: string, giveUp?: AbortController): Promise<unknown> {
  const headers = { Brand: brands[0], Authorization: 'Bearer demo-access-token' };
  const response = await fetch(url, { headers, ...(giveUp && { signal: giveUp.signal }) });
  expect(response.status).toBe(200);
  setTimeout(() => giveUp?.abort(), 50);
  return response.text().then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('faults', () => {
  it.each(errorCatalogue.map(({ code, status }) => [code, status] as const))(
    'can be the error %s',
    async (code, status) => {
      const sandbox = createSandbox({ faults: [{ kind: 'error', code }] });
      const response = await send(sandbox, locations);
      expect([response.status, response.json.error?.code]).toEqual([status, code]);
      expect(response.headers.get('retry-after')).toBe(status === 429 ? '30' : null);
    },
  );

  it('can be a 429 that says how long to wait, for a number of calls', async () => {
    const sandbox = createSandbox({ faults: [{ kind: 'error', code: '429', retryAfterSeconds: 2, times: 1 }] });
    const [first, second] = [await send(sandbox, locations), await send(sandbox, locations)];
    expect([first.status, first.headers.get('retry-after'), second.status]).toEqual([429, '2', 200]);
  });

  it.each([
    [502, 'text/html', '<!doctype html><title>502</title><h1>502</h1>'],
    [204, 'text/html', ''],
  ])('can be a bare %i with a page instead of an envelope', async (status, type, body) => {
    const sandbox = createSandbox({ faults: [{ kind: 'status', status }] });
    const response = await sandbox.fetch(`http://sandbox${locations}`);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      status,
      type,
      body,
    ]);
  });

  it('can be latency', async () => {
    const { call } = await serveSandbox({ faults: [{ kind: 'latency', latencyMs: 120 }] });
    const begin = performance.now();
    expect((await call(locations)).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThan(110);
  });

  it('can be a body that is cut', async () => {
    const { base } = await serveSandbox({ faults: [{ kind: 'cut-body' }] });
    expect(await readingFails(base + driving)).toBeInstanceOf(Error);
    expect(await readingFails(base + locations)).toBeInstanceOf(Error);
  });

  it('can be a body that stalls until the client gives up', async () => {
    const { base } = await serveSandbox({ faults: [{ kind: 'stalled-body' }] });
    expect(await readingFails(base + driving, new AbortController())).toMatchObject({ name: 'AbortError' });
  });

  it('can be a wrong content type, or malformed JSON', async () => {
    const sandbox = createSandbox({ faults: [{ kind: 'wrong-content-type' }] });
    expect((await send(sandbox, locations)).headers.get('content-type')).toBe('text/html');
    sandbox.faults.add({ kind: 'malformed-json' });
    await expect(send(sandbox, locations)).rejects.toThrow(SyntaxError);
  });

  it('can be a token that has expired: a new one works again', async () => {
    const sandbox = createSandbox();
    const token = sandbox.accessTokenOf('demo');
    sandbox.faults.add({ kind: 'expired-token', times: 1 });
    const codes = [];
    for (const bearer of [token, token, sandbox.accessTokenOf('demo')]) {
      codes.push(await outcome(send(sandbox, locations, { token: bearer })));
    }
    expect(codes).toEqual(['4011', '4011', 200]);
  });

  it('meet one VIN, or one operation, and leave the others alone', async () => {
    const sandbox = createSandbox({
      faults: [
        { kind: 'error', code: '5001', vin },
        { kind: 'error', code: '403', operationId: 'getCurrentStatus' },
      ],
    });
    expect(await outcome(send(sandbox, locations))).toBe('5001');
    expect(await outcome(send(sandbox, '/v1/vehicles/SANDB0XA000000002/locations'))).toBe(200);
    expect(await outcome(send(sandbox, '/v1/vehicles/SANDB0XA000000002/batteries'))).toBe('403');
    expect(await outcome(send(sandbox, `/v1/vehicles/consent?vin=${vin}`, { method: 'DELETE' }))).toBe('5001');
  });

  it('come at random with a seed, and the same seed meets the same calls', async () => {
    const draw = async (seed: number) => {
      const sandbox = createSandbox({ faults: [{ kind: 'error', code: '5001', probability: 0.3, seed }] });
      const met: boolean[] = [];
      for (let i = 0; i < 60; i++) met.push((await send(sandbox, locations)).status === 500);
      return met;
    };
    const [one, again, other] = [await draw(7), await draw(7), await draw(8)];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one.filter(Boolean).length).toBeGreaterThan(8);
    expect(one.filter(Boolean).length).toBeLessThan(30);
  });
});

describe('faults over HTTP', () => {
  it('are added, listed, replaced and cleared', async () => {
    const sandbox = createSandbox();
    const slow: Fault = { kind: 'latency', latencyMs: 5 };
    const busy: Fault = { kind: 'error', code: '429', times: 3 };
    expect((await control(sandbox, 'faults', slow)).json).toEqual({ faults: [slow] });
    expect((await control(sandbox, 'faults', busy)).json).toEqual({ faults: [slow, busy] });
    expect((await control(sandbox, 'faults', [busy], 'PUT')).json).toEqual({ faults: [busy] });
    expect((await control(sandbox, 'faults', undefined, 'GET')).json).toEqual({ faults: [busy] });
    expect((await control(sandbox, 'faults', undefined, 'DELETE')).json).toEqual({ faults: [] });
  });

  it.each([
    ['no kind', {}],
    ['an unknown kind', { kind: 'earthquake' }],
    ['a code that is not in the catalog', { kind: 'error', code: '9999' }],
    ['a status that is none', { kind: 'status', status: 99 }],
    ['a negative latency', { kind: 'latency', latencyMs: -1 }],
    ['a probability above 1', { kind: 'cut-body', probability: 2 }],
    ['an operation that is none', { kind: 'cut-body', operationId: 'getAll' }],
    ['a misspelt scope', { kind: 'cut-body', vins: vin }],
    ['not an object', 'cut-body'],
  ])('are rejected with %s', async (_, fault) => {
    const sandbox = createSandbox();
    const { status, json } = await control(sandbox, 'faults', fault);
    expect([status, json.error?.code]).toEqual([400, '4002']);
    expect(sandbox.faults.list()).toEqual([]);
  });
});

describe('reserved VINs', () => {
  it('there is one for each error code of the service', () => {
    const codes: readonly string[] = errorCatalogue.filter(({ origin }) => origin !== 'proxy').map(({ code }) => code);
    expect(reservedVins.map(({ code }) => code)).toEqual(codes);
  });

  it.each(reservedVins.map(({ vin: reserved, code }) => [reserved, code] as const))(
    '%s gives %s on every operation that lists it',
    async (reserved, code) => {
      const sandbox = createSandbox();
      const { status, json } = await send(sandbox, `/v1/vehicles/${reserved}/locations`);
      expect(json.error?.code).toBe(code);
      expect(status).toBe(errorCatalogue.find((entry) => entry.code === code)?.status);
      expect(violations('getLocation', status, json)).toEqual([]);
      const stop = await send(sandbox, `/v1/vehicles/consent?vin=${reserved}`, { method: 'DELETE' });
      // An error that the contract does not list for an operation is not given there: the VIN is then one that does not exist.
      const operationsOf: readonly string[] = errorCatalogue.find((entry) => entry.code === code)?.operations ?? [];
      expect(stop.json.error?.code).toBe(operationsOf.includes('stopDataSharing') ? code : '4101');
      expect(violations('stopDataSharing', stop.status, stop.json)).toEqual([]);
    },
  );
});
