import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStores } from '@vehicle-data/archive/store';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { tokensOf } from '../src/collect/tokens.ts';
import { applyList } from '../src/collect/vehicles.ts';
import { folderLakeState } from '../src/lake/ledger-state.ts';
import { addAccount, claimLook, confirmPurge, finishLook, lookNow } from '../src/ledger/accounts.ts';
import type { Database } from '../src/ledger/database.ts';
import { migrate } from '../src/ledger/migrations.ts';
import { issueReceipt, openSigner, storedReceipts } from '../src/ledger/receipts.ts';
import { startServer } from '../src/operate/server.ts';
import { lookEveryMs, requestLooks } from '../src/signals/request-looks.ts';
import { openDatabase } from './support/databases.ts';

let database: Database;
let folder: string;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vds-looks-'));
  ends.push(() => rm(folder, { recursive: true }));
  const opened = await openDatabase();
  database = opened.database;
  ends.push(opened.close);
  await migrate(database);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const pseudonymOf = (vin: string) => createHash('sha256').update(vin).digest('hex').slice(0, 32);
const now = Date.now();
const since = new Date(now).toISOString().slice(0, 10);

/** One look at an account whose list has these vehicles. */
async function look(name: string, vins: readonly string[]) {
  await database.query(`update vds.accounts set list_at = 'infinity'`);
  await lookNow(database, name);
  const claim = await claimLook(database);
  if (!claim) throw new Error('no look is due');
  const state = folderLakeState(folderStores(folder).state);
  const result = await applyList({ database, state, pseudonymOf, since }, claim, vins, now);
  await finishLook(database, claim, 3_600_000, true);
  return result;
}
/** An account, and the first list of it. */
async function ownerOf(name: string, vins: readonly string[]) {
  await addAccount(database, { name, brand: 'brand_a', tokenFile: null });
  await look(name, vins);
}
const later = (vin: string) =>
  database.query(`update vds.vehicles set missing_since = missing_since - interval '31 seconds' where vin = $1`, [vin]);
const deny = (vin: string) =>
  database.query('update vds.vehicles set denied_at = clock_timestamp() where vin = $1', [vin]);
const waiting = (of: number) => ({ withdrawn: 0, unconfirmed: { missing: of, of }, isDoubtful: of === 1 });

test('the only vehicle of an owner goes when the service denies it and a second list misses it, and by neither alone', async () => {
  await ownerOf('private', ['ONLY']);
  // Two lists without a word about the vehicle.
  expect(await look('private', [])).toEqual(waiting(1));
  await later('ONLY');
  expect(await look('private', [])).toEqual(waiting(1));
  // It is listed again: what was seen before does not count any more.
  expect((await look('private', ['ONLY'])).unconfirmed).toBeUndefined();
  // A word about the vehicle, and one list.
  await deny('ONLY');
  expect(await look('private', [])).toEqual(waiting(1));
  expect(await look('private', [])).toEqual(waiting(1));
  await later('ONLY');
  expect((await look('private', [])).withdrawn).toBe(1);
  expect(await database.query(`select state from vds.vehicles where vin = 'ONLY'`)).toEqual([{ state: 'purging' }]);
});

test('a word about a vehicle that is listed afterwards does not count', async () => {
  await ownerOf('listed', ['LISTED']);
  await deny('LISTED');
  await look('listed', ['LISTED']);
  await look('listed', []);
  await later('LISTED');
  expect(await look('listed', [])).toEqual(waiting(1));
});

test('when many owners lose their only vehicle in a day, a person decides', async () => {
  const withdrawn = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await ownerOf(name, [name]);
    await deny(name);
    await look(name, []);
    await later(name);
    withdrawn.push((await look(name, [])).withdrawn);
  }
  // One went in the first test.
  expect(withdrawn).toEqual([1, 1, 0, 0, 0]);
});

test('a receipt says what began the look, and when; what was said before a list that shows the vehicle is settled', async () => {
  const vins = Array.from({ length: 14 }, (_, index) => `CAUSE${index}`);
  await ownerOf('causes', vins);
  let time = 0;
  const looks = requestLooks(database, () => (time += lookEveryMs));
  const ofVehicle = (vin: string, signal: 'withdrawal' | 'error') =>
    looks.ofVehicle('brand_a', pseudonymOf(vin), signal);
  const goes = async (...gone: readonly string[]) => {
    for (const vin of gone) vins.splice(vins.indexOf(vin), 1);
    await look('causes', vins);
  };
  const signer = await openSigner(database, undefined);
  const said = async (vin: string) => {
    await issueReceipt(database, signer, { brand: 'brand_a', vehicle: pseudonymOf(vin) }, 0);
    const { value: text } = await storedReceipts(database, pseudonymOf(vin)).next();
    const { signal, completed } = JSON.parse(text ?? '');
    return [signal.event_type, Date.parse(completed.time) - Date.parse(signal.event_time) >= 3_600_000] as const;
  };
  /** As if it had been said an hour ago. */
  const longAgo = async () => {
    for (const table of ['vehicles', 'accounts'])
      await database.query(
        `update vds.${table} set signal_at = signal_at - interval '1 hour' where signal is not null`,
      );
  };
  // An event about one vehicle, and another one that is missing from the same list.
  await ofVehicle('CAUSE0', 'withdrawal');
  await longAgo();
  await goes('CAUSE0', 'CAUSE1');
  expect([await said('CAUSE0'), await said('CAUSE1')]).toEqual([
    ['withdrawal', true],
    ['list', false],
  ]);
  await ofVehicle('CAUSE2', 'error');
  await goes('CAUSE2');
  expect(await said('CAUSE2')).toEqual(['error', false]);
  await looks.ofBrand('brand_a', 'withdrawal');
  await longAgo();
  await goes('CAUSE3');
  expect(await said('CAUSE3')).toEqual(['withdrawal', true]);
  await looks.ofAll('callback');
  await deny('CAUSE5');
  await goes('CAUSE4', 'CAUSE5');
  expect([await said('CAUSE4'), await said('CAUSE5')]).toEqual([
    ['callback', false],
    ['error', false],
  ]);
  // A list that shows the vehicle settles what was said before; what is said while a list is fetched is for the next one.
  await ofVehicle('CAUSE6', 'withdrawal');
  await looks.ofAll('callback');
  await look('causes', vins);
  await goes('CAUSE6');
  expect(await said('CAUSE6')).toEqual(['list', false]);
  await lookNow(database, 'causes');
  const claim = await claimLook(database);
  if (!claim) throw new Error('no look is due');
  await ofVehicle('CAUSE7', 'withdrawal');
  const state = folderLakeState(folderStores(folder).state);
  await applyList({ database, state, pseudonymOf, since }, claim, vins, now);
  await finishLook(database, claim, 3_600_000, true);
  await goes('CAUSE7');
  expect(await said('CAUSE7')).toEqual(['withdrawal', false]);
  // One that waits for a person keeps its cause.
  await looks.ofAll('callback');
  await look('causes', []);
  await confirmPurge(database, 'causes', vins.length);
  await look('causes', []);
  expect(await said('CAUSE8')).toEqual(['callback', false]);
});

test('an account that loses most of its vehicles waits for the number of a person, one that loses few does not', async () => {
  await ownerOf('workshop', ['W1', 'W2', 'W3', 'W4', 'W5']);
  expect((await look('workshop', ['W1', 'W2', 'W3'])).withdrawn).toBe(2);
  for (const vin of ['W1', 'W2', 'W3']) await deny(vin);
  await look('workshop', []);
  for (const vin of ['W1', 'W2', 'W3']) await later(vin);
  expect(await look('workshop', [])).toEqual(waiting(3));
  await confirmPurge(database, 'workshop', 2);
  expect(await look('workshop', [])).toEqual(waiting(3));
  await confirmPurge(database, 'workshop', 3);
  expect((await look('workshop', [])).withdrawn).toBe(3);
});

test('a list that came after the account went to another process changes nothing', async () => {
  await ownerOf('slow', ['S1', 'S2', 'S3']);
  await lookNow(database, 'slow');
  const late = await claimLook(database);
  if (!late) throw new Error('no look is due');
  await lookNow(database, 'slow');
  await claimLook(database);
  const state = folderLakeState(folderStores(folder).state);
  expect((await applyList({ database, state, pseudonymOf, since }, late, ['S1', 'S2'], now)).withdrawn).toBe(0);
});

test('health, readiness and metrics name no vehicle', async () => {
  const counts = { collected: 7, failed: 2, inARow: 0, throttledMs: 1500, purged: 1, failures: new Map([['4290', 2]]) };
  let isReady = false;
  const server = await startServer({ host: '127.0.0.1', port: 0 }, database, counts, async () => isReady);
  onTestFinished(server.close);
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return [response.status, await response.text()] as const;
  };
  expect([(await get('/healthz'))[0], (await get('/readyz'))[0], (await get('/x'))[0]]).toEqual([200, 503, 404]);
  isReady = true;
  expect((await get('/readyz'))[0]).toBe(200);
  const [status, metrics] = await get('/metrics');
  expect(status).toBe(200);
  expect(metrics).toContain('vds_collector_windows_collected_total 7\n');
  expect(metrics).toContain('vds_collector_throttled_seconds_total 1.5\n');
  expect(metrics).toContain('vds_collector_failures_total{code="4290"} 2\n');
  expect(metrics).toMatch(/vds_collector_windows_due [1-9]/);
  expect(metrics).not.toMatch(/ONLY|[0-9a-f]{32}/);
});

const none = { accessToken: undefined, tokenCommand: undefined, tokenUrl: undefined, tokenUrlSecret: undefined };
const account = { name: 'anna', brand: 'brand_a', tokenFile: null };

test('a token URL gets account and brand, and is called again when its token is over or rejected', async () => {
  const asked: string[] = [];
  let seconds = 3600;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    asked.push(`${request.method} ${request.headers.authorization} ${body}`);
    response.end(JSON.stringify({ access_token: `token-${asked.length}`, token_type: 'Bearer', expires_in: seconds }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tokens = tokensOf({ ...none, tokenUrl, tokenUrlSecret: 'secret' }, account);
  if (typeof tokens !== 'function') throw new Error('no function');
  expect([await tokens({ refresh: false }), await tokens({ refresh: false })]).toEqual(['token-1', 'token-1']);
  expect(await tokens({ refresh: true })).toBe('token-2');
  expect(asked[0]).toBe('POST Bearer secret account=anna&brand=brand_a');
  seconds = 0;
  await expect(tokens({ refresh: true })).rejects.toThrow('access_token and expires_in');
});

test('a token command that fails, and one that prints something else, say so without what they printed', async () => {
  for (const [name, script] of [
    ['fails', 'echo SECRET >&2; exit 1'],
    ['prints', 'echo SECRET'],
  ] as const) {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o700);
    const tokens = tokensOf({ ...none, tokenCommand: path }, account);
    const error = await (typeof tokens === 'function' && tokens({ refresh: false }).catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('SECRET');
  }
});
