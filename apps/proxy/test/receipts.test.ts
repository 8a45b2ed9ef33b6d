// Receipts of withdrawals, with the program as a process of its own, and the verification that archives have.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import schema from '@vehicle-data/archive/receipt.schema.json' with { type: 'json' };
import { verifyReceipt } from '@vehicle-data/archive/receipts';
import { expect, it } from 'vitest';
import { newFile, runToEnd, startProgram } from './support/program.ts';
import { startRedis } from './support/redis.ts';
import { rejection, startUpstream } from './support/servers.ts';
import { consent, locationOf, vin, withdrawal } from './support/set-up.ts';
import { mistakesOf } from './support/settings.ts';

const hashKey = 'k'.repeat(32);

function newKey(): string {
  const path = newFile('receipts.key');
  writeFileSync(path, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
  return path;
}

/** Settings of a proxy with receipts, in new folders. */
function settings(upstreamUrl: string, more: Record<string, string> = {}) {
  return {
    VDS_UPSTREAM_URL: upstreamUrl,
    VDS_STORE: 'file',
    VDS_STORE_DIR: dirname(newFile('store')),
    VDS_VIN_HASH_KEY: hashKey,
    VDS_RECEIPTS_DIR: join(dirname(newFile('receipts')), 'receipts'),
    VDS_RECEIPTS_KEY_FILE: newKey(),
    VDS_ADMIN_PORT: '0',
    ...more,
  };
}

const namesIn = (folder: string, end: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .sort();
const keysIn = (folder: string) => namesIn(folder, '.pem').map((name) => readFileSync(join(folder, name), 'utf8'));
const textsIn = (folder: string) => namesIn(folder, '.json').map((name) => readFileSync(join(folder, name), 'utf8'));

const { properties, required } = schema;
/** The members of an object of the published schema, which allows no others. */
const members = (of: { readonly required: readonly string[] }) => [...of.required].sort();

it('with the success of a withdrawal there is a signed receipt without the VIN, of which each edit is found, and a second withdrawal counts on', async () => {
  const upstream = await startUpstream();
  const environment = settings(upstream.url);
  const { VDS_RECEIPTS_DIR: folder } = environment;
  const proxy = await startProgram(environment);
  const beforeMs = Date.now();
  expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
  await expect.poll(() => textsIn(folder).length).toBe(1);
  const [text = ''] = textsIn(folder);
  const check = await verifyReceipt(text, keysIn(folder));
  const receipt = JSON.parse(text);
  expect(Object.keys(receipt)).toEqual(members({ required }));
  for (const name of ['issuer', 'signal', 'completed', 'signature'] as const)
    expect(Object.keys(receipt[name]), name).toEqual(members(properties[name]));
  expect(check).toMatchObject({
    ok: true,
    receipt: {
      issuer: { component: 'proxy', software: '@vehicle-data/proxy' },
      pii_principal_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      brand: 'brand_a',
      signal: { event_type: 'withdrawal', event_state: 'dpv:ConsentWithdrawn' },
      processing: 'dpv:Restrict',
      completed: { method: 'requests-rejected' },
      generation: 1,
    },
  });
  if (!check.ok) throw new Error('not verified');
  const { signal, completed } = check.receipt;
  for (const time of [signal.event_time, completed.time]) expect(Date.parse(time)).toBeGreaterThanOrEqual(beforeMs);
  // Also one of a single bit.
  const keys = keysIn(folder);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    const edited = Buffer.from(bytes);
    edited[at] = (edited[at] ?? 0) ^ (1 << (at % 8));
    expect((await verifyReceipt(edited, keys)).ok, `byte ${at}`).toBe(false);
  }
  // What it says is so.
  expect((await proxy.call(locationOf())).status).toBe(400);
  await proxy.call(withdrawal, {}, 'DELETE');
  const generations = () => textsIn(folder).map((one) => JSON.parse(one).generation);
  await expect.poll(generations).toEqual([1, 2]);
  expect(await proxy.adminPage('/metrics')).toContain('vds_proxy_receipts_total{outcome="issued"} 2');
  const { log } = await proxy.stop();
  for (const one of [...textsIn(folder), ...namesIn(folder, ''), ...log]) expect(one).not.toContain(vin);
});

it('a withdrawal that was rejected leaves none, and one of all vehicles of a brand says so', async () => {
  const upstream = await startUpstream((_, count) => (count === 1 ? rejection('4002') : {}));
  const environment = settings(upstream.url, { VDS_ALLOW_STOP_ALL: 'on' });
  const proxy = await startProgram(environment);
  expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(400);
  expect(textsIn(environment.VDS_RECEIPTS_DIR)).toEqual([]);
  expect((await proxy.call(consent, {}, 'DELETE')).status).toBe(200);
  await expect.poll(() => textsIn(environment.VDS_RECEIPTS_DIR).length).toBe(1);
  const [text = ''] = textsIn(environment.VDS_RECEIPTS_DIR);
  expect((await verifyReceipt(text, keysIn(environment.VDS_RECEIPTS_DIR))).ok).toBe(true);
  expect(JSON.parse(text).pii_principal_id).toMatch(/^all-[0-9a-f]{32}$/);
});

it('while the folder cannot be written, withdrawals pass, and their receipts follow', async () => {
  const upstream = await startUpstream();
  const environment = settings(upstream.url);
  const { VDS_RECEIPTS_DIR: folder } = environment;
  const proxy = await startProgram(environment);
  // A file where the folder was: nothing can be written, also by root.
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
  await expect.poll(() => proxy.output.stderr).toContain('receipts cannot be written');
  expect(await proxy.ready()).toContain('receipts');
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  await expect.poll(() => textsIn(folder).length).toBe(1);
  expect((await verifyReceipt(textsIn(folder)[0] ?? '', keysIn(folder))).ok).toBe(true);
});

it('two replicas that share a folder number the receipts of a vehicle together, after a restart as well', async () => {
  const upstream = await startUpstream();
  const environment = settings(upstream.url);
  const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
  await Promise.all([1, 2, 3].flatMap(() => [one, two].map((each) => each.call(withdrawal, {}, 'DELETE'))));
  const generations = () => textsIn(environment.VDS_RECEIPTS_DIR).map((text) => JSON.parse(text).generation);
  await expect.poll(() => generations().sort()).toEqual([1, 2, 3, 4, 5, 6]);
  await Promise.all([one.stop(), two.stop()]);
  // What a killed process has left, and what another one is writing.
  const drafts = ['old', 'new'].map(() => join(environment.VDS_RECEIPTS_DIR, `x.json.${randomUUID()}.tmp`));
  for (const draft of drafts) writeFileSync(draft, '{}');
  const [old = '', fresh = ''] = drafts;
  utimesSync(old, 1, 1);
  const third = await startProgram(environment);
  for (let count = 7; count <= 9; count++) {
    await third.call(withdrawal, {}, 'DELETE');
    await expect.poll(() => Math.max(...generations().slice(1))).toBe(count);
  }
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

it('while Redis is away nothing is signed: the fence holds in one process alone; with a full folder as well, each receipt follows once both are back', async () => {
  const redis = await startRedis();
  const upstream = await startUpstream();
  const { VDS_STORE_DIR: _, ...own } = settings(upstream.url);
  const environment = { ...own, VDS_STORE: 'redis', VDS_REDIS_URL: redis.url };
  const { VDS_RECEIPTS_DIR: folder } = environment;
  const proxy = await startProgram(environment);
  await redis.kill();
  const vehicles = Array.from({ length: 5 }, (__, index) => `TESTVEHCLE000002${index}`);
  const [first = '', ...others] = vehicles;
  expect((await proxy.call(`${consent}?vin=${first}`, {}, 'DELETE')).status).toBe(200);
  expect(textsIn(folder)).toEqual([]);
  expect(await proxy.adminPage('/metrics')).toContain('vds_proxy_receipts_waiting 1');
  renameSync(folder, `${folder}-full`);
  writeFileSync(folder, '');
  const statuses = others.map(async (of) => (await proxy.call(`${consent}?vin=${of}`, {}, 'DELETE')).status);
  expect(await Promise.all(statuses)).toEqual(others.map(() => 200));
  for (const of of vehicles) expect((await proxy.call(locationOf(of))).status).toBe(400);
  await redis.start();
  await expect.poll(() => proxy.output.stderr).toContain('receipts cannot be written');
  rmSync(folder);
  renameSync(`${folder}-full`, folder);
  await expect.poll(() => textsIn(folder).length).toBe(vehicles.length);
  for (const text of textsIn(folder)) expect((await verifyReceipt(text, keysIn(folder))).ok).toBe(true);
  expect(await proxy.adminPage('/metrics')).toContain('vds_proxy_receipts_total{outcome="lost"} 0');
});

it('a key that is replaced during a flood of withdrawals leaves no receipt that does not verify, and none out', async () => {
  const upstream = await startUpstream();
  const environment = settings(upstream.url);
  const { VDS_RECEIPTS_DIR: folder, VDS_RECEIPTS_KEY_FILE: keyFile } = environment;
  const [stays, restarts] = await Promise.all([startProgram(environment), startProgram(environment)]);
  const flood = async (proxy: typeof stays, from: number) => {
    const vehicles = Array.from(
      { length: 30 },
      (__, index) => `TESTVEHCLE00003${String(from + index).padStart(2, '0')}`,
    );
    const calls = vehicles.map((of) => proxy.call(`${consent}?vin=${of}`, {}, 'DELETE').catch(() => ({ status: 0 })));
    return (await Promise.all(calls)).filter(({ status }) => status === 200).length;
  };
  const first = [flood(stays, 0), flood(restarts, 30)];
  renameSync(newKey(), keyFile);
  await restarts.stop();
  const second = await startProgram(environment);
  const successes = (await Promise.all([...first, flood(second, 60), flood(stays, 60)])).reduce(
    (sum, each) => sum + each,
  );
  await Promise.all([stays.stop(), second.stop()]);
  expect(successes).toBeGreaterThanOrEqual(90);
  expect(keysIn(folder)).toHaveLength(2);
  const signers = new Set<string>();
  for (const text of textsIn(folder)) {
    const check = await verifyReceipt(text, keysIn(folder));
    expect(check.ok).toBe(true);
    if (check.ok) signers.add(check.receipt.signature.key);
  }
  expect(signers.size).toBe(2);
  expect(textsIn(folder).length).toBeGreaterThanOrEqual(successes);
});

it('settings that would not work are rejected', async () => {
  const base = settings('https://vehicle-data.invalid');
  const without = (name: keyof typeof base, more: object = {}) =>
    mistakesOf(Object.fromEntries(Object.entries({ ...base, ...more }).filter(([each]) => each !== name))).join('\n');
  expect(mistakesOf(base)).toEqual([]);
  expect(without('VDS_RECEIPTS_KEY_FILE')).toContain('VDS_RECEIPTS_KEY_FILE: must be set');
  expect(without('VDS_RECEIPTS_DIR')).toContain('VDS_RECEIPTS_KEY_FILE: is set, but VDS_RECEIPTS_DIR is not');
  expect(without('VDS_VIN_HASH_KEY')).toContain('VDS_VIN_HASH_KEY: must be set');
  expect(without('VDS_STORE_DIR', { VDS_STORE: 'memory' })).toContain('VDS_STORE: must be file or redis');
  const wrong = newFile('key');
  writeFileSync(wrong, 'SECRET');
  const { code, stderr } = await runToEnd({ ...base, VDS_PORT: '0', VDS_RECEIPTS_KEY_FILE: wrong });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('VDS_RECEIPTS_KEY_FILE: the file cannot be read, or has'),
  ]);
  expect(stderr).not.toContain('SECRET');
  const file = newFile('folder');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const ended = await runToEnd({ ...base, VDS_PORT: '0', VDS_RECEIPTS_DIR: file });
  expect(ended.stderr).toContain('VDS_RECEIPTS_DIR: the folder cannot be made');
});
