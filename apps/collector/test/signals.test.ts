// Events of the proxy and callbacks of the service, over HTTP: they have lists fetched, and do nothing else.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventExamples, signEvent } from '@vehicle-data/client/events';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readGiven } from '../src/config/options.ts';
import { readSignalSettings } from '../src/config/signal-settings.ts';
import { addAccount, claimLook, finishLook, renewLook } from '../src/ledger/accounts.ts';
import type { Database } from '../src/ledger/database.ts';
import { migrate } from '../src/ledger/migrations.ts';
import { addVehicle } from '../src/ledger/windows.ts';
import { startServer } from '../src/operate/server.ts';
import { requestLooks } from '../src/signals/request-looks.ts';
import { signalReceiver } from '../src/signals/signal-receiver.ts';
import { openDatabase } from './support/databases.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const eventSecret = newSecret();
const callbackSecret = randomBytes(32).toString('hex');
const vin = 'TESTVEHCLE0000001';
const pseudonymOf = (one: string) => one.toLowerCase();
const withdrawn = (data: { readonly brand: string; readonly vin?: string }) => ({
  ...eventExamples['vehicle.consent_withdrawn'],
  data: { requestId: 'r', ...data },
});

let database: Database;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const opened = await openDatabase();
  database = opened.database;
  ends.push(opened.close);
  await migrate(database);
  for (const [name, brand] of [
    ['anna', 'brand_a'],
    ['bert', 'brand_a'],
    ['cora', 'brand_b'],
  ] as const)
    await addAccount(database, { name, brand, tokenFile: null });
  await addVehicle(database, { brand: 'brand_a', vehicle: pseudonymOf(vin), vin }, 'anna');
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
beforeEach(async () => {
  await database.query(`update vds.accounts set list_at = 'infinity', list_lease = null`);
});

/** Accounts whose list is to be fetched within a second. */
const due = async () =>
  (
    await database.query<{ name: string }>(
      `select name from vds.accounts where list_at <= clock_timestamp() + interval '1 second' order by name`,
    )
  ).map(({ name }) => name);

async function start(
  settings = { eventSecrets: [eventSecret], callbackSecret: callbackSecret as string | undefined },
  now = () => performance.now(),
) {
  const receiver = signalReceiver({ settings, looks: requestLooks(database), pseudonymOf, now });
  const counts = { collected: 0, failed: 0, inARow: 0, throttledMs: 0, purged: 0, failures: new Map() };
  const server = await startServer({ host: '127.0.0.1', port: 0 }, database, counts, async () => true, receiver);
  onTestFinished(server.close);
  const url = `http://127.0.0.1:${server.port}`;
  const post = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', ...init });
    return [response.status, (await response.text()).trim()] as const;
  };
  const send = async (event: Parameters<typeof signEvent>[0], secret = eventSecret) =>
    post('/events', await signEvent(event, secret));
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  return { url, port: server.port, post, send, metrics };
}

test('an event has the account of its vehicle listed, or all accounts of its brand where it names none', async () => {
  const { send, metrics } = await start();
  expect(await send(withdrawn({ brand: 'brand_a', vin }))).toEqual([204, '']);
  expect(await due()).toEqual(['anna']);
  await database.query(`update vds.accounts set list_at = 'infinity'`);
  expect(await send({ ...eventExamples['vehicle.consent_ended'], data: { brand: 'brand_b', vin } })).toEqual([204, '']);
  expect(await due()).toEqual([]);
  expect(await send(withdrawn({ brand: 'brand_a' }))).toEqual([204, '']);
  expect(await due()).toEqual(['anna', 'bert']);
  expect(await database.query(`select state from vds.vehicles`)).toEqual([{ state: 'active' }]);
  expect(await metrics()).toContain('vds_collector_signals_total{source="events",outcome="looked"} 2');
  expect(await metrics()).not.toContain(vin);
});

test('an event of another secret, of another time or with another body has nothing listed, and a type of a later version neither', async () => {
  const { send, post } = await start();
  const event = withdrawn({ brand: 'brand_a' });
  expect(await send(event, newSecret())).toEqual([400, 'wrong-signature']);
  const old = await signEvent(event, eventSecret, { nowMs: Date.now() - 301_000 });
  expect(await post('/events', old)).toEqual([400, 'too-old']);
  const { headers, body } = await signEvent(withdrawn({ brand: 'brand_b' }), eventSecret);
  expect(await post('/events', { headers, body: body.replace('brand_b', 'brand_a') })).toEqual([
    400,
    'wrong-signature',
  ]);
  expect(await post('/events', { headers })).toEqual([400, 'wrong-signature']);
  expect(await post('/events', { headers, body: 'x'.repeat(70_000) })).toEqual([413, 'too-long']);
  const later = { ...eventExamples['vehicle.consent_ended'], type: 'vehicle.moved' };
  // @ts-expect-error: a type of a later version.
  expect(await send(later)).toEqual([204, '']);
  expect(await due()).toEqual([]);
});

test('a callback with the secret in path or header has every account listed, whatever its body says', async () => {
  const { post } = await start();
  expect(await post(`/callbacks/consent/${callbackSecret}`, { body: '{"delete":"everything"}' })).toEqual([204, '']);
  expect(await due()).toEqual(['anna', 'bert', 'cora']);
  const authorization = { authorization: `Bearer ${callbackSecret}` };
  expect(await post('/callbacks/consent', { headers: authorization })).toEqual([204, '']);
  expect(await post('/callbacks/consent', { headers: authorization, body: 'x'.repeat(70_000) })).toEqual([
    413,
    'too-long',
  ]);
  expect(await database.query(`select state from vds.vehicles`)).toEqual([{ state: 'active' }]);
});

test('a callback without the secret, or with another one, has nothing listed', async () => {
  const { post, url } = await start();
  for (const path of ['', '/', `/${callbackSecret.slice(0, -1)}`, `/${'0'.repeat(64)}`, `/${callbackSecret}/x`])
    expect(await post(`/callbacks/consent${path}`, { body: 'x' })).toEqual([401, 'wrong-secret']);
  const headers = { authorization: `Bearer ${callbackSecret}0` };
  expect(await post('/callbacks/consent', { headers })).toEqual([401, 'wrong-secret']);
  expect((await fetch(`${url}/callbacks/consent/${callbackSecret}`)).status).toBe(405);
  expect(await due()).toEqual([]);
});

test('both are off without their secret', async () => {
  const { post } = await start({ eventSecrets: [], callbackSecret: undefined });
  const event = await signEvent(withdrawn({ brand: 'brand_a' }), eventSecret);
  expect((await post('/events', event))[0]).toBe(404);
  expect((await post('/callbacks/consent/'))[0]).toBe(404);
  expect(await due()).toEqual([]);
});

test('a flood of good ones lists an account once a second, and a list under way is fetched once more, by nobody else meanwhile', async () => {
  let now = 0;
  const queries = { count: 0 };
  const counting: Database = {
    ...database,
    query: (text, values) => {
      queries.count += 1;
      return database.query(text, values);
    },
  };
  const looks = requestLooks(counting, () => now);
  const all = async () => {
    for (let index = 0; index < 500; index++) await looks.ofAll('callback');
  };
  await all();
  expect([queries.count, await due()]).toEqual([2, ['anna', 'bert', 'cora']]);
  now += 1000;
  await all();
  expect(queries.count).toBe(3);
  await database.query(`update vds.accounts set list_at = 'infinity' where name <> 'anna'`);
  await database.query(`update vds.accounts set list_at = clock_timestamp() where name = 'anna'`);
  const claim = await claimLook(database);
  if (!claim) throw new Error('no look is due');
  now += 10_000;
  await looks.ofVehicle('brand_a', pseudonymOf(vin), 'withdrawal');
  expect(await claimLook(database)).toBeUndefined();
  expect(await renewLook(database, claim)).toBe(true);
  await finishLook(database, claim, 3_600_000, true, 1);
  expect(await due()).toEqual(['anna']);
});

test('a list that takes long stays with whoever fetches it, and comes again after its pause; without renewal another process fetches it', async () => {
  await database.query(`update vds.accounts set list_at = clock_timestamp() where name = 'anna'`);
  const claim = await claimLook(database);
  if (!claim) throw new Error('no look is due');
  const later = (seconds: number) =>
    database.query(`update vds.accounts set list_at = list_at - ${seconds} * interval '1 second' where name = 'anna'`);
  for (let count = 0; count < 4; count++) await renewLook(database, claim);
  await finishLook(database, claim, 3_600_000, true, 4);
  expect(await due()).toEqual([]);
  await database.query(`update vds.accounts set list_at = clock_timestamp() where name = 'anna'`);
  const killed = await claimLook(database);
  await later(14);
  expect(await claimLook(database)).toBeUndefined();
  await later(2);
  expect((await claimLook(database))?.name).toBe('anna');
  expect(killed && (await renewLook(database, killed))).toBe(false);
});

test('a flood of wrong ones, and clients that never end, keep no good one out', async () => {
  const { port, post, send } = await start();
  const slow = Array.from({ length: 100 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('POST /events HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{');
    return socket;
  });
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  // The oldest of them is broken off for a new one.
  await new Promise((resolve) => slow[0]?.once('close', resolve));
  const wrong = Array.from({ length: 100 }, () => post('/callbacks/consent/wrong', { body: 'x' }));
  expect(await send(withdrawn({ brand: 'brand_b' }))).toEqual([204, '']);
  expect(new Set((await Promise.all(wrong)).map(([status]) => status))).toEqual(new Set([401]));
  expect(await due()).toEqual(['cora']);
});

test.each(['/events', `/callbacks/consent/${callbackSecret}`])(
  'a body that is too long and says no length is rejected with 413, also while the client continues to send (%s)',
  async (path) => {
    const { port } = await start();
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST' });
    const timer = setInterval(() => sent.destroyed || sent.write('x'.repeat(8192)), 1);
    onTestFinished(() => clearInterval(timer));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject);
    });
    expect([response.statusCode, await text(response)]).toEqual([413, 'too-long\n']);
    // And then it is broken off.
    await new Promise((resolve) => sent.once('close', resolve));
    expect(await due()).toEqual([]);
  },
);

test('more good ones than the ledger should bear are sent away for a second, and wrong ones take nothing from them', async () => {
  let now = 0;
  const { send, post, url, port, metrics } = await start(undefined, () => now);
  const callback = `/callbacks/consent/${callbackSecret}`;
  for (let count = 0; count < 50; count++) expect((await post('/callbacks/consent/wrong'))[0]).toBe(401);
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const fifty = `POST ${callback} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`.repeat(50);
  for (let round = 0; round < 20; round++) {
    socket.write(fifty);
    let statuses: readonly string[] = [];
    for (let read = ''; statuses.length < 50; statuses = read.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [])
      read += String((await once(socket, 'data'))[0]);
    expect(new Set(statuses)).toEqual(new Set(['204']));
  }
  expect((await post(callback))[0]).toBe(429);
  const event = withdrawn({ brand: 'brand_a', vin });
  const response = await fetch(`${url}/events`, { method: 'POST', ...(await signEvent(event, eventSecret)) });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  now += 1000;
  expect(await send(event)).toEqual([204, '']);
  expect(await metrics()).toContain('vds_collector_signals_total{source="callback",outcome="limited"} 1');
});

test('while the ledger cannot be read, the sender is told to try again', async () => {
  const failing = () => Promise.reject(new Error('no database'));
  const settings = { eventSecrets: [eventSecret], callbackSecret };
  const looks = { ofVehicle: failing, ofBrand: failing, ofAll: failing };
  const receiver = signalReceiver({ settings, looks, pseudonymOf });
  const counts = { collected: 0, failed: 0, inARow: 0, throttledMs: 0, purged: 0, failures: new Map() };
  const server = await startServer({ host: '127.0.0.1', port: 0 }, database, counts, async () => true, receiver);
  onTestFinished(server.close);
  const event = await signEvent(withdrawn({ brand: 'brand_a', vin }), eventSecret);
  expect((await fetch(`http://127.0.0.1:${server.port}/events`, { method: 'POST', ...event })).status).toBe(503);
});

test('secrets come from files, need a port, and a wrong one is named and not repeated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vds-signals-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  writeFileSync(join(folder, 'events'), `${eventSecret},${newSecret()}\n`);
  const env = { VDS_EVENTS_SECRET_FILE: join(folder, 'events'), VDS_CALLBACK_SECRET: callbackSecret };
  const read = await readSignalSettings(readGiven(['--port', '1'], env));
  expect([read.eventSecrets.length, read.eventSecrets[0], read.callbackSecret]).toEqual([
    2,
    eventSecret,
    callbackSecret,
  ]);
  expect(await readSignalSettings(readGiven([], {}))).toEqual({ eventSecrets: [], callbackSecret: undefined });
  for (const { wrong, args, words } of [
    { wrong: env, args: [], words: '--port is missing' },
    { wrong: { VDS_EVENTS_SECRET: 'SECRET' }, args: ['--port', '1'], words: 'VDS_EVENTS_SECRET: must be 24 to 64' },
    {
      wrong: { VDS_CALLBACK_SECRET: 'SECRET' },
      args: ['--port', '1'],
      words: 'VDS_CALLBACK_SECRET: must have 32 to 128',
    },
  ]) {
    const error = await readSignalSettings(readGiven(args, wrong)).catch((thrown: unknown) => String(thrown));
    expect(error).toContain(words);
    expect(error).not.toMatch(/SECRET'|: SECRET|[0-9a-f]{64}/);
  }
});
