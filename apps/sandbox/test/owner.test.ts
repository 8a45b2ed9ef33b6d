// The page of an owner, without a browser: `pages.test.ts` opens it in one.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '@vehicle-data/openapi';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox, type OwnerSources } from '../src/index.js';
import { vin } from './calls.js';

const form = (path: string, of: string, headers: Record<string, string> = {}) =>
  [path, { method: 'POST', body: new URLSearchParams({ vin: of }), headers }] as const;
const textOf = async (response: Promise<Response>) => (await response).text();

it('the page names no whole VIN outside of its forms, has no scripts, and loads nothing', async () => {
  const sandbox = createSandbox();
  const response = await sandbox.fetch('http://sandbox/owner');
  const text = await response.text();
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text.replaceAll(/<input[^>]*>/g, '')).not.toContain(vin);
  expect(text).not.toMatch(/<script|https?:/);
});

it('an owner of many vehicles sees ten at a time, asks the log for those alone, and stays on the page after a withdrawal', async () => {
  const asked: string[] = [];
  const who = async (of: string) => {
    asked.push(of);
    return JSON.stringify({ vehicle: '', rows: [] });
  };
  const sandbox = createSandbox({ vehicles: 200_000, owner: { who } });
  const pageOf = (path: string) => textOf(sandbox.fetch(`http://sandbox${path}`));
  const vinsOf = (text: string) => [...text.matchAll(/name="vin" value="(\w+)"/g)].map(([, each = '']) => each);
  const first = await pageOf('/owner');
  expect([first.split('<article').length - 1, asked.length]).toEqual([10, 10]);
  expect([first.includes('rel="next"'), first.includes('rel="prev"')]).toEqual([true, false]);
  const second = await pageOf('/owner?page=2');
  expect(asked).toHaveLength(20);
  expect(new Set(asked).size).toBe(20);
  const [own = ''] = vinsOf(second);
  expect(vinsOf(first)).not.toContain(own);
  expect(await pageOf('/owner?page=99999')).toContain('You have no vehicles here.');
  for (const wrong of ['0', '-1', 'x', '1e3', ''])
    expect(vinsOf(await pageOf(`/owner?page=${wrong}`))).toEqual(vinsOf(first));
  const body = new URLSearchParams({ vin: own, page: '2' });
  const question = await textOf(sandbox.fetch('http://sandbox/owner/confirm', { method: 'POST', body }));
  expect(question).toContain('name="page" value="2"');
  expect(question).toContain('href="/owner?page=2"');
  const done = await sandbox.fetch('http://sandbox/owner/withdraw', { method: 'POST', body });
  expect(done.headers.get('location')).toBe('/owner?page=2');
  expect(sandbox.consents.of(own)).toBe('withdrawn');
});

it('a page of another origin cannot withdraw, and neither can a form for the vehicle of somebody else', async () => {
  const sandbox = createSandbox();
  const post = (...[path, init]: ReturnType<typeof form>) => sandbox.fetch(`http://sandbox${path}`, init);
  expect((await post(...form('/owner/withdraw', vin, { origin: 'http://elsewhere' }))).status).toBe(403);
  expect(sandbox.consents.of(vin)).toBe('shared');
  const { vehicles } = (await (await sandbox.fetch('http://sandbox/sandbox/vehicles')).json()) as {
    vehicles: readonly { vin: string; owner: string; consent: string }[];
  };
  const other = vehicles.find(({ owner, consent }) => owner !== 'demo' && consent === 'shared')?.vin ?? '';
  for (const each of ['', other, 'SANDB0XX000000009']) await post(...form('/owner/withdraw', each));
  expect([sandbox.consents.of(other), sandbox.consents.of(vin)]).toEqual(['shared', 'shared']);
  expect((await post(...form('/owner/withdraw', vin))).status).toBe(303);
  expect(sandbox.consents.of(vin)).toBe('withdrawn');
});

it('behind a proxy, it shows what the proxy has noted and signed, and withdraws through it', async () => {
  const vehicle = 'a'.repeat(32);
  const receipt = (name: string) =>
    `${JSON.stringify({
      record_id: `fence-${name}`,
      pii_principal_id: name,
      brand: 'brand_a',
      issuer: { component: 'proxy' },
      processing: 'dpv:Restrict',
      signal: { event_type: 'withdrawal', event_time: '2026-03-09T07:00:00.000Z' },
      completed: { time: '2026-03-09T07:00:01.000Z' },
    })}\n`;
  const asked: string[] = [];
  const owner: OwnerSources = {
    async who(of) {
      asked.push(of);
      const row = { client: '<b>fleet', operation: 'getDrivingData', count: 2, good: 1, last: '2026-03-09T06:00:00Z' };
      return JSON.stringify({ vehicle, rows: [{ ...row, from: '20260301', to: '20260302' }] });
    },
    receipts: async (brand, of) => [
      receipt(of),
      ...(brand === 'brand_a' ? [receipt('b'.repeat(32)), 'no receipt'] : []),
    ],
    // Nothing listens there.
    proxyUrl: 'http://127.0.0.1:9',
  };
  const sandbox = createSandbox({ owner });
  const text = await textOf(sandbox.fetch('http://sandbox/owner'));
  expect(asked).toContain(vin);
  expect(text).toContain('&lt;b&gt;fleet');
  expect(text).toContain('2026-03-01 to 2026-03-02');
  expect(text).toContain(`/owner/receipts/brand_a/${vehicle}/fence-${vehicle}`);
  expect(text).not.toContain('b'.repeat(32));
  const file = await sandbox.fetch(`http://sandbox/owner/receipts/brand_a/${vehicle}/fence-${vehicle}`);
  expect([await file.text(), file.headers.get('content-disposition')]).toEqual([
    receipt(vehicle),
    'attachment; filename="receipt.json"',
  ]);
  for (const other of [`brand_a/${vehicle}/other`, `brand_b/${vehicle}/fence-${vehicle}`, `..%2F/${vehicle}/x`])
    expect((await sandbox.fetch(`http://sandbox/owner/receipts/${other}`)).status, other).toBe(404);
  const [path, init] = form('/owner/withdraw', vin);
  const withdrawn = await sandbox.fetch(`http://sandbox${path}`, init);
  expect(withdrawn.headers.get('location')).toBe('/owner?problem=failed');
  expect(sandbox.consents.of(vin)).toBe('shared');
  expect(await textOf(sandbox.fetch('http://sandbox/owner?problem=failed'))).toContain('It is not known whether');
});

it.each([
  { status: 403, problem: 'rejected' },
  { status: 502, problem: 'failed' },
])(
  'a withdrawal that the proxy does not carry out leads to its problem: HTTP $status to "$problem"',
  async ({ status, problem }) => {
    const asked: unknown[] = [];
    const server = createServer(({ method, url }, response) => {
      asked.push([method, url]);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const sandbox = createSandbox({
      owner: { proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    });
    const [path, init] = form('/owner/withdraw', vin);
    const { headers } = await sandbox.fetch(`http://sandbox${path}`, init);
    expect(headers.get('location')).toBe(`/owner?problem=${problem}`);
    expect(asked).toEqual([['DELETE', `${operations.stopDataSharing.path}?vin=${vin}`]]);
    expect(sandbox.consents.of(vin)).toBe('shared');
  },
);
