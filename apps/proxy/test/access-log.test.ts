import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { OpenRecord } from '../src/observability/observer.js';
import { RequestLog } from '../src/observability/request-log.js';
import { clientAddress, networkOf } from '../src/request/client-address.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { newFile, runToEnd, startProgram } from './support/program.ts';
import { rejection, startUpstream } from './support/servers.ts';
import { clientOf, connectTo, consent, locationOf, requestLines, vin, withdrawal } from './support/set-up.ts';
import { statusOf } from './support/wire.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A program behind one trusted hop, and a client with an API key. */
async function start(environment: Record<string, string> = {}) {
  const upstream = await startUpstream(({ method, url, headers: { brand } }) => {
    if (brand === 'brand_b') return { headers: { 'content-length': '5000', connection: 'close' } };
    if (method === 'DELETE' && url.endsWith('2'))
      return { ...rejection('5001', 500), headers: { 'x-request-id': vin } };
    return { headers: { 'x-request-id': 'upstream-7' } };
  });
  const keysFile = newFile('keys.json');
  const key = recordOf({ operations: ['listVehicles', 'stopDataSharing'], rate: { calls: 3, seconds: 600 } });
  await writeFile(keysFile, printKeys([key]));
  const started = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: keysFile,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_TRUSTED_HOPS: '1',
    ...environment,
  });
  const request = clientOf(started.url, {
    brand: 'brand_a',
    'x-api-key': apiKey,
    'x-forwarded-for': '203.0.113.9, 192.0.2.7',
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
  });
  const call = async (path = consent, method = 'GET', more = {}) => (await request(path, more, method)).status;
  return { ...started, request, call, keysFile, id: key.id };
}

it('every line of the log is JSON and says what, who, from where, and in which trace, also of what is rejected', async () => {
  const { call, request, stop, id, port } = await start({ VDS_LOG_LEVEL: 'debug', VDS_SERVER_TIMING: 'true' });
  // The time of the upstream.
  expect((await request()).headers.get('server-timing')).toMatch(/^service;dur=\d+\.\d$/);
  expect(await call(`${consent}?zebra=1`)).toBe(400);
  expect(await call(consent, 'PATCH')).toBe(405);
  expect(await call(locationOf())).toBe(403);
  expect(await call(`${consent}?vin=TESTVEHCLE0000002`, 'DELETE')).toBe(500);
  expect(await call()).toBe(200);
  expect(await call()).toBe(429);
  expect(await call(consent, 'GET', { 'x-api-key': 'vds_wrong' })).toBe(401);
  const lines = [
    'X-Forwarded-For: 203.0.113.9',
    'X-Forwarded-For: 192.0.2.7',
    `Traceparent: 00-${trace}-00f067aa0ba902b7-01`,
  ];
  const rejected = [
    ['/', 'Content-Length: 5', 413],
    ['/', 'Authorization: Bearer two', 400],
    ['/#', 'Zebra: 1', 400],
    [`/${'z'.repeat(2048)}`, 'Zebra: 1', 414],
  ] as const;
  for (const [target, line, status] of rejected)
    expect(statusOf(await connectTo(port).request(requestLines(`GET ${target}`, line, ...lines)))).toBe(status);
  const { log } = await stop();
  const origin = { address: '192.0.2.7', traceId: trace };
  const known = { ...origin, client: id };
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { ...known, method: 'GET', template: consent, status: 200, code: '', attempts: 1, upstreamRequestId: 'upstream-7' },
    { ...known, method: 'GET', template: consent, status: 400, code: '4002' },
    { ...origin, method: '-', template: consent, status: 405, code: 'method-not-allowed' },
    { ...known, template: '/v1/vehicles/{vin}/locations', status: 403 },
    { ...known, status: 500, upstreamRequestId: 'upstream-error-7' },
    { ...known, status: 200 },
    { ...known, status: 429 },
    { ...origin, method: 'GET', template: consent, status: 401 },
    ...rejected.map(([, , status]) => ({ ...origin, status })),
  ]);
  expect(log.join()).not.toMatch(/TESTVEHCLE|PATCH|zebra|wrong|own/);
});

it('the level `error` has only what failed in the log, withdrawals are audited at every level, and `keys usage` says what each key has done', async () => {
  const auditFile = newFile('withdrawals.ndjson');
  const secrets = { VDS_AUDIT_FILE: auditFile, VDS_VIN_HASH_KEY: 'k'.repeat(32) };
  const more = { VDS_ADMIN_PORT: '0', VDS_LOG_LEVEL: 'error', VDS_ALLOW_STOP_ALL: 'true' };
  const { call, stop, admin, keysFile, id } = await start({ ...secrets, ...more });
  // A response that is cut is an error of its client too.
  await expect(call(consent, 'GET', { brand: 'brand_b' })).rejects.toThrow();
  expect(await call(withdrawal.replace(vin, vin.toLowerCase()), 'DELETE')).toBe(200);
  expect(await call(consent, 'DELETE')).toBe(200);
  expect([await call(), await call(`${consent}?zebra=1`)]).toEqual([429, 400]);
  const usage = await runToEnd({}, ['keys', 'usage', '--keys-file', keysFile, '--admin-url', admin]);
  const day = new Date().toISOString().slice(0, 10);
  expect(usage.stdout).toMatch(new RegExp(`^${id}  requests 5  errors 3  limited 1  last used ${day}\\S+\n$`));
  const { log } = await stop();
  const cut = { level: 50, status: 200, code: 'upstream-invalid-response', reason: expect.stringMatching(/./) };
  expect(log.map((line) => JSON.parse(line))).toMatchObject([cut]);
  const text = await readFile(auditFile, 'utf8');
  const from = { client: id, address: '192.0.2.7', brand: 'brand_a' };
  const known = { ...from, status: 200, sent: true, upstreamRequestId: 'upstream-7' };
  const entries = text.trim().split('\n');
  expect(entries.map((line) => JSON.parse(line))).toMatchObject([
    { ...from, number: 1, kind: 'intent' },
    { ...known, number: 2, kind: 'outcome', vehicle: expect.stringMatching(/^[0-9a-f]{32}$/) },
    { ...from, number: 3, kind: 'intent' },
    { ...known, number: 4, kind: 'outcome', vehicle: null },
  ]);
  expect(text.toUpperCase()).not.toContain(vin);
  expect(await runToEnd(secrets, ['audit', 'verify'])).toMatchObject({ code: 0 });
});

it('a line is JSON in ASCII, whatever a client is called: several processes write whole lines to one pipe', () => {
  const lines: string[] = [];
  const client = 'Zoë "ü"\n\u2028🚗';
  new RequestLog('info', (_, members) => lines.push(`{${members}}`)).call(
    Object.assign(new OpenRecord('one'), { client }),
  );
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ requestId: 'one', client }]);
  expect(lines[0]).toMatch(/^[\x20-\x7e]*$/);
});

it.each([
  { peer: '192.0.2.1', forwardedFor: undefined, hops: 0, address: '192.0.2.1' },
  { peer: '::ffff:192.0.2.1', forwardedFor: '203.0.113.9', hops: 0, address: '192.0.2.1' },
  { peer: '10.0.0.1', forwardedFor: '203.0.113.9, 192.0.2.7', hops: 1, address: '192.0.2.7' },
  { peer: '10.0.0.1', forwardedFor: '203.0.113.9, 192.0.2.7', hops: 2, address: '203.0.113.9' },
  { peer: '10.0.0.1', forwardedFor: '192.0.2.7:4711', hops: 1, address: '192.0.2.7' },
  { peer: '10.0.0.1', forwardedFor: '[2001:db8::7]:4711', hops: 1, address: '2001:db8::7' },
  { peer: '10.0.0.1', forwardedFor: '192.0.2.7', hops: 2, address: '' },
  { peer: '10.0.0.1', forwardedFor: undefined, hops: 1, address: '' },
  { peer: '10.0.0.1', forwardedFor: vin, hops: 1, address: '' },
  { peer: '10.0.0.1', forwardedFor: '"},{"', hops: 1, address: '' },
])(
  'the address of a client is found behind trusted hops: peer $peer, X-Forwarded-For $forwardedFor, $hops hops: $address',
  ({ peer, forwardedFor, hops, address }) => {
    expect(clientAddress(peer, forwardedFor, hops)).toBe(address);
  },
);

it.each([
  { one: '2001:db8:0:1::7', other: '2001:db8:0:1:2:3:4:5', share: true },
  { one: '2001:0:0:5::9', other: '2001::5:1:2:3:4', share: true },
  { one: '2001:db8::7', other: '2001:db8:0:1::7', share: false },
  { one: '192.0.2.1', other: '192.0.2.7', share: false },
])('addresses of one network share a limit of connections: $one and $other: $share', ({ one, other, share }) => {
  expect(networkOf(one) === networkOf(other)).toBe(share);
});
