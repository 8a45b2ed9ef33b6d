import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Fault } from '../src/index.js';
import { reservedVins } from '../src/reserved-vins.js';
import { brands, control, locations, outcome, send, served, vin, violations } from './calls.js';

const driving = `/v1/vehicles/${vin}/driving/data?startDate=20260302&endDate=20260306`;
const headers = { Brand: brands[0], Authorization: 'Bearer demo-access-token' };

describe('a fault', () => {
  it.each(errorCatalogue)('can be the error $code', async ({ code, status }) => {
    const sandbox = createSandbox({ faults: [{ kind: 'error', code }] });
    const response = await send(sandbox, locations);
    const expected = [status, code, status === 429 ? '30' : null];
    expect([response.status, response.json.error?.code, response.headers.get('retry-after')]).toEqual(expected);
  });

  it.each<{ story: string; fault: Fault; status: number; type: string; body: RegExp }>([
    {
      story: 'a bare status',
      fault: { kind: 'status', status: 502 },
      status: 502,
      type: 'text/html',
      body: /^<!doctype html><title>502<\/title>/,
    },
    {
      story: 'a status without a body',
      fault: { kind: 'status', status: 204 },
      status: 204,
      type: 'text/html',
      body: /^$/,
    },
    {
      story: 'a wrong content type',
      fault: { kind: 'wrong-content-type' },
      status: 200,
      type: 'text/html',
      body: /^\{"data":.*\}$/,
    },
    {
      story: 'malformed JSON',
      fault: { kind: 'malformed-json' },
      status: 200,
      type: 'application/json',
      body: /^\{"data":.*,$/,
    },
    {
      story: 'latency',
      fault: { kind: 'latency', latencyMs: 120 },
      status: 200,
      type: 'application/json',
      body: /^\{"data":.*\}$/,
    },
  ])('can be one of its kinds: $story', async ({ fault, status, type, body }) => {
    const begin = performance.now();
    const response = await createSandbox({ faults: [fault] }).fetch(`http://sandbox${locations}`, { headers });
    const found = [response.status, response.headers.get('content-type'), await response.text()];
    expect(found).toEqual([status, type, expect.stringMatching(body)]);
    expect(response.headers.has('x-request-id')).toBe(true);
    if (fault.kind === 'latency') expect(performance.now() - begin).toBeGreaterThan(110);
  });

  it('can be a body that is cut, early too, or that stalls until the client gives up', async () => {
    const sandbox = await served();
    for (const { kind, path, name } of [
      { kind: 'cut-body', path: driving, name: 'TypeError' },
      { kind: 'cut-body', path: locations, name: 'TypeError' },
      { kind: 'stalled-body', path: driving, name: 'AbortError' },
    ]) {
      await control(sandbox, 'faults', { kind }, 'PUT');
      const giveUp = new AbortController();
      const response = await fetch(sandbox.base + path, { headers, signal: giveUp.signal });
      expect(response.status).toBe(200);
      if (kind === 'stalled-body') setTimeout(() => giveUp.abort(), 50);
      await expect(response.text()).rejects.toMatchObject({ name });
    }
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

  it('meets one VIN, or one operation, and leaves the others alone', async () => {
    const ofOneVin: Fault = { kind: 'error', code: '5001', vin };
    const ofOneOperation: Fault = { kind: 'error', code: '403', operationId: 'getCurrentStatus' };
    const sandbox = createSandbox({ faults: [ofOneVin, ofOneOperation] });
    for (const method of ['GET', 'POST']) expect(await outcome(send(sandbox, locations, { method }))).toBe('5001');
    expect(await outcome(send(sandbox, '/v1/vehicles/SANDB0XA000000002/locations'))).toBe(200);
    expect(await outcome(send(sandbox, '/v1/vehicles/SANDB0XA000000002/batteries'))).toBe('403');
    expect(await outcome(send(sandbox, `/v1/vehicles/consent?vin=${vin}`, { method: 'DELETE' }))).toBe('5001');
  });

  it('comes at random with a seed, and the same seed meets the same calls', async () => {
    const draw = async (seed: number) => {
      const sandbox = createSandbox({ faults: [{ kind: 'error', code: '5001', probability: 0.3, seed }] });
      const calls = Array.from({ length: 60 }, async () => (await send(sandbox, locations)).status === 500);
      return Promise.all(calls);
    };
    const [one, again, other] = [await draw(7), await draw(7), await draw(8)];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one.filter(Boolean).length).toBeGreaterThan(8);
    expect(one.filter(Boolean).length).toBeLessThan(30);
  });
});

it('faults are added, listed, replaced and cleared by the control', async () => {
  const sandbox = createSandbox();
  const slow: Fault = { kind: 'latency', latencyMs: 5 };
  const busy: Fault = { kind: 'error', code: '429', times: 3 };
  expect((await control(sandbox, 'faults', slow)).json).toEqual({ faults: [slow] });
  expect((await control(sandbox, 'faults', busy)).json).toEqual({ faults: [slow, busy] });
  expect((await control(sandbox, 'faults', [busy], 'PUT')).json).toEqual({ faults: [busy] });
  expect((await control(sandbox, 'faults', undefined, 'GET')).json).toEqual({ faults: [busy] });
  expect((await control(sandbox, 'faults', undefined, 'DELETE')).json).toEqual({ faults: [] });
});

it.each(reservedVins)(
  'a reserved VIN gives its error on every operation that lists it: $vin, $code',
  async ({ vin: reserved, code }) => {
    const sandbox = createSandbox();
    const listed: readonly string[] = errorCatalogue.find((entry) => entry.code === code)?.operations ?? [];
    for (const { operationId, method, path, parameters, dateRange } of Object.values(operations)) {
      if (!parameters.some(({ schema }) => schema === 'Vin')) continue;
      const inPath = path.replace('{vin}', reserved);
      const query = dateRange ? 'startDate=20260302&endDate=20260306' : inPath === path ? `vin=${reserved}` : '';
      const response = await send(sandbox, `${inPath}?${query}`, { method });
      // An error that the contract does not list for an operation is not given there: the VIN is then one that does not exist.
      expect(response.json.error?.code, operationId).toBe(listed.includes(operationId) ? code : '4101');
      expect(violations(operationId, response)).toEqual([]);
    }
  },
);
