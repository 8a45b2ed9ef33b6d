import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { clientAddress } from '../src/request/client-address.js';
import { listen } from './support/listen.ts';
import { runProgram, startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const vin = 'TESTVEHCLE0000001';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const hashKey = 'k'.repeat(32);

async function proxy(environment: Record<string, string>) {
  const upstream = await listen((request, response) => {
    const failed = request.method === 'DELETE' && request.url?.endsWith('2') === true;
    const error = { code: '5001', message: 'm', details: [], timestamp: '', requestId: 'upstream-error-7' };
    response
      .writeHead(failed ? 500 : 200, {
        'content-type': 'application/json',
        'x-request-id': failed ? vin : 'upstream-7',
      })
      .end(failed ? JSON.stringify({ error }) : successBody());
  });
  cleanUp.push(upstream.close);
  const folder = await mkdtemp(join(tmpdir(), 'vds-who-'));
  const keysFile = join(folder, 'keys.json');
  const made = runProgram({ VDS_KEYS_FILE: keysFile }, [
    'keys',
    'create',
    '--rate',
    '3/600s',
    '--operations',
    'listVehicles,stopDataSharing',
  ]);
  await made.exit;
  const key = made.output.stdout.trim();
  const program = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: keysFile,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
    VDS_TRUSTED_HOPS: '1',
    ...environment,
  });
  cleanUp.push(() => program.process.kill('SIGKILL'));
  const call = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const own = { brand: 'brand_a', 'x-api-key': key, 'x-forwarded-for': '203.0.113.9, 192.0.2.7' };
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const answer = await fetch(`http://127.0.0.1:${program.port}${path}`, {
      method,
      headers: { ...own, traceparent, ...headers },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** The lines of the log, once the program has ended. */
  const lines = async () => {
    program.process.kill('SIGTERM');
    await program.exit;
    const text = program.output.stderr;
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { ...program, call, lines, keysFile, id: key.slice(4, 14) };
}

it('every line of the log says who, from where, and in which trace, also of what is rejected', async () => {
  const { call, lines, id } = await proxy({});
  const consent = '/v1/vehicles/consent';
  expect(await call(consent)).toBe(200);
  expect(await call(`${consent}?zebra=1`)).toBe(400);
  expect(await call(`/v1/vehicles/${vin}/locations`)).toBe(403);
  expect(await call(`${consent}?vin=TESTVEHCLE0000002`, 'DELETE')).toBe(500);
  expect(await call(consent)).toBe(200);
  expect(await call(consent)).toBe(429);
  expect(await call(consent, 'GET', { 'x-api-key': 'vds_wrong' })).toBe(401);
  const seen = await lines();
  const origin = { address: '192.0.2.7', traceId: trace };
  const known = { ...origin, client: id };
  expect(seen).toMatchObject([
    { ...known, status: 200, upstreamRequestId: 'upstream-7' },
    { ...known, status: 400, code: '4002' },
    { ...known, status: 403 },
    { ...known, status: 500, upstreamRequestId: 'upstream-error-7' },
    { ...known, status: 200 },
    { ...known, status: 429 },
    { ...origin, status: 401 },
  ]);
  expect(JSON.stringify(seen)).not.toContain('TESTVEHCLE');
});

it('keys usage says what each key has done', async () => {
  const { call, port, output, keysFile, id } = await proxy({ VDS_ADMIN_PORT: '0' });
  for (const [path, times] of [
    ['/v1/vehicles/consent', 4],
    ['/v1/vehicles/consent?zebra=1', 1],
  ] as const)
    for (let round = 0; round < times; round++) await call(path);
  expect(port).toBeGreaterThan(0);
  const admin = /metrics on (\S+)\/metrics\n/.exec(output.stdout)?.[1] ?? '';
  const run = runProgram({}, ['keys', 'usage', '--keys-file', keysFile, '--admin-url', admin]);
  expect(await run.exit).toBe(0);
  const day = new Date().toISOString().slice(0, 10);
  expect(run.output.stdout).toMatch(new RegExp(`^${id}  requests 5  errors 2  limited 1  last used ${day}\\S+\n$`));
});

it('withdrawals are audited at every log level, and the audit log verifies', async () => {
  const auditFile = join(await mkdtemp(join(tmpdir(), 'vds-audit-')), 'withdrawals.ndjson');
  const secrets = { VDS_AUDIT_FILE: auditFile, VDS_VIN_HASH_KEY: hashKey };
  const { call, lines, id } = await proxy({ ...secrets, VDS_LOG_LEVEL: 'error', VDS_ALLOW_STOP_ALL: 'true' });
  expect(await call('/v1/vehicles/consent')).toBe(200);
  expect(await call('/v1/vehicles/consent?vin=testvehcle0000001', 'DELETE')).toBe(200);
  expect(await call('/v1/vehicles/consent', 'DELETE')).toBe(200);
  await lines();
  const entries = (await readFile(auditFile, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const known = {
    client: id,
    address: '192.0.2.7',
    brand: 'brand_a',
    status: 200,
    sent: true,
    upstreamRequestId: 'upstream-7',
  };
  expect(entries).toMatchObject([
    { ...known, number: 1, vehicle: expect.stringMatching(/^[0-9a-f]{32}$/) },
    { ...known, number: 2, vehicle: null },
  ]);
  expect(JSON.stringify(entries).toUpperCase()).not.toContain(vin);
  const verified = runProgram(secrets, ['audit', 'verify']);
  expect(await verified.exit).toBe(0);
});

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', undefined, 0, '192.0.2.1'],
    ['::ffff:192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['10.0.0.1', '203.0.113.9, 192.0.2.7', 1, '192.0.2.7'],
    ['10.0.0.1', '203.0.113.9, 192.0.2.7', 2, '203.0.113.9'],
    ['10.0.0.1', '192.0.2.7:4711', 1, '192.0.2.7'],
    ['10.0.0.1', '[2001:db8::7]:4711', 1, '2001:db8::7'],
    ['10.0.0.1', '192.0.2.7', 2, ''],
    ['10.0.0.1', undefined, 1, ''],
    ['10.0.0.1', `${vin}`, 1, ''],
    ['10.0.0.1', '"},{"', 1, ''],
  ])('of %s with X-Forwarded-For %s behind %d own proxies is %s', (peer, forwardedFor, hops, address) => {
    expect(clientAddress(peer, forwardedFor, hops)).toBe(address);
  });
});
