// Withdrawals and stops with real processes: several replicas, a store that is away, restarts, kills.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundOf } from '../../../scripts/patience.ts';
import { printKeys } from '../src/auth/key-record.js';
import { blockText, liftText, newTag } from '../src/fence/entries.js';
import { FileJournal } from '../src/fence/file-journal.js';
import { RedisJournal } from '../src/fence/redis-journal.js';
import { SharedBlocks } from '../src/fence/shared-blocks.js';
import { runStopCommand, stopFlags } from '../src/node/stop-command.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { auditEntries, auditKey, canLimitFiles, limitFiles, verifyAudit } from './support/audited-proxy.ts';
import { isInstalled } from './support/listening.ts';
import { newFile, runProgram, runToEnd, startProgram } from './support/program.ts';
import { startRedis } from './support/redis.ts';
import { portOf, rejection, startUpstream, successBody } from './support/servers.ts';
import { consent, locationOf, vin, withdrawal } from './support/set-up.ts';
import { settingsOf } from './support/settings.ts';

const hasRedis = isInstalled('redis-server');
const other = 'TESTVEHCLE0000002';
const fenced = { status: 400, code: '5006' };
const stopped = { status: 403, code: 'stopped-by-operator' };
const driving = (vehicle: string) => `/v1/vehicles/${vehicle}/driving/data?startDate=20260301&endDate=20260302`;

/** An upstream that shows every vehicle in its list, and whose driving data flows, a piece every few milliseconds, without an end. */
async function startFlowing() {
  const flowing = new Set<ServerResponse>();
  const vehicles = [vin, other].map((each) => ({ vin: each, type: 'GN', nickname: 'n', name: 'm', sellname: 's' }));
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!url.includes('/driving/')) return void response.end(successBody({ vehicles }));
    response.write('{ ');
    flowing.add(response.on('close', () => flowing.delete(response)));
  });
  const timer = setInterval(() => {
    for (const response of flowing) response.write(' '.repeat(200));
  }, 5);
  onTestFinished(() => {
    clearInterval(timer);
    server.close().closeAllConnections();
  });
  return `http://127.0.0.1:${await portOf(server)}`;
}

/** A client of a stream: when its last byte came, and its end. */
async function openStream(port: number, vehicle = vin, headers: readonly string[] = []) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const stream = { lastMs: 0, endedMs: 0 };
  socket.on('data', () => (stream.lastMs = performance.now())).on('error', () => {});
  socket.on('close', () => (stream.endedMs = performance.now()));
  const usual = ['Host: p', 'Brand: brand_a', 'Authorization: Bearer t', ...headers];
  socket.write(`GET ${driving(vehicle)} HTTP/1.1\r\n${usual.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return stream;
}

/** What replicas with one Redis have in common. */
async function environmentWith(redisUrl: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
  return {
    VDS_UPSTREAM_URL: await startFlowing(),
    VDS_STORE: 'redis',
    VDS_REDIS_URL: redisUrl,
    // A busy machine is not a Redis that is away.
    VDS_REDIS_TIMEOUT_MS: '5000',
    VDS_VIN_HASH_KEY: auditKey,
    VDS_ADMIN_PORT: '0',
    ...more,
  };
}

/** Runs `stop` or `resume` in this process; gives its code and all that it prints. */
async function stopCommand(environment: Record<string, string>, verb: 'stop' | 'resume', ...list: string[]) {
  let text = '';
  const add = (more: string) => {
    text += more;
  };
  const { own, settings } = stopFlags(list);
  const code = await runStopCommand(verb, own, settingsOf(environment, settings), { result: add, say: add });
  return [code, text] as const;
}

describe.skipIf(!hasRedis)('two replicas with Redis', () => {
  it('cut streams within a second of a withdrawal at one of them, also after restarts, until a list lifts it for both', async () => {
    const redis = await startRedis();
    const environment = await environmentWith(redis.url);
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    const [here, there, otherThere] = [
      await openStream(one.port),
      await openStream(two.port),
      await openStream(two.port, other),
    ];
    expect((await one.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    const sentMs = performance.now();
    await expect.poll(() => here.endedMs * there.endedMs).toBeGreaterThan(0);
    expect(here.lastMs).toBeLessThanOrEqual(sentMs);
    expect(there.lastMs - sentMs).toBeLessThan(boundOf(1000));
    expect(otherThere.endedMs).toBe(0);
    expect(await two.call(locationOf())).toMatchObject(fenced);
    expect(await two.adminPage('/metrics')).toMatch(/^vds_proxy_fence_cuts_total\{reason="withdrawn"\} 1$/m);

    // A killed process has nothing to tell any more; the next one knows it by the store.
    one.process.kill('SIGKILL');
    two.process.kill('SIGKILL');
    await Promise.all([one.exit, two.exit]);
    const [next, last] = await Promise.all([startProgram(environment), startProgram(environment)]);
    expect([await next.call(locationOf()), await last.call(locationOf())]).toMatchObject([fenced, fenced]);
    expect((await redis.send('ZRANGE', 'vds:fence', '0', '-1')) as string[]).toHaveLength(1);
    expect(String(await redis.send('ZRANGE', 'vds:fence', '0', '-1'))).not.toContain(vin);

    expect((await last.call(consent)).status).toBe(200);
    expect((await last.call(locationOf())).status).toBe(200);
    await expect.poll(async () => (await next.call(locationOf())).status).toBe(200);
  });

  it('hold what they know while Redis is away, say so, and tell each other when it is back, also when it was emptied', async () => {
    const redis = await startRedis();
    const environment = await environmentWith(redis.url);
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    await redis.kill();
    expect((await one.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    expect(await one.call(locationOf())).toMatchObject(fenced);
    expect((await two.call(locationOf())).status).toBe(200);
    for (const { ready } of [one, two]) await expect.poll(() => ready()).toContain('"fence"');
    expect(await one.adminPage('/metrics')).toMatch(/^vds_proxy_fence_entries_waiting 1$/m);
    expect(await one.adminPage('/metrics')).toMatch(/^vds_proxy_fence_store_failures_total [1-9]/m);
    await redis.start();
    await expect.poll(() => two.call(locationOf())).toMatchObject(fenced);
    for (const { ready } of [one, two]) await expect.poll(() => ready()).not.toContain('"fence"');
    await redis.send('FLUSHALL');
    await expect.poll(() => redis.send('ZCARD', 'vds:fence')).toBe(1);
    const next = await startProgram(environment);
    expect(await next.call(locationOf())).toMatchObject(fenced);
  });

  it('a process that is killed right after the success of a withdrawal leaves the fence to others, under a flood', async () => {
    const redis = await startRedis();
    const environment = await environmentWith(redis.url);
    const two = await startProgram(environment);
    for (let round = 0; round < 3; round++) {
      const one = await startProgram(environment);
      const vehicle = `TESTVEHCLE000001${round}`;
      const flood = Array.from({ length: 40 }, () => one.call(locationOf(other)).catch(() => null));
      expect((await one.call(`${consent}?vin=${vehicle}`, {}, 'DELETE')).status).toBe(200);
      one.process.kill('SIGKILL');
      await Promise.all(flood);
      await expect.poll(() => two.call(locationOf(vehicle))).toMatchObject(fenced);
    }
  });

  it('a fence that Redis loses before its process has read it again is missed', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const journal = new RedisJournal(client, 'test:');
    await journal.read();
    await journal.append(['one']);
    await client.flushall();
    expect(await journal.read()).toEqual({ texts: [], isWhole: true });
    await journal.append(['one']);
    expect(await journal.read()).toEqual({ texts: ['one'], isWhole: false });
    expect(await journal.read()).toEqual({ texts: [], isWhole: false });
  });

  it('a process that is killed in the middle of a withdrawal while the store is emptied loses no fence, and the owner can repeat it', async () => {
    const redis = await startRedis();
    const withdrawn = new Set<string>();
    let isSent = false;
    let isStuck = true;
    // The service carries a withdrawal out, and its response never comes. Of the other vehicle it continues to give data: the fence alone holds.
    const upstream = await startUpstream(({ method, url }) => {
      if (method === 'DELETE' && url.includes(vin)) {
        withdrawn.add(vin);
        isSent = true;
        return isStuck ? { after: new Promise<never>(() => {}) } : {};
      }
      return method === 'GET' && withdrawn.has(vin) && url.includes(vin) ? rejection('5006') : {};
    });
    const receiver = await startUpstream();
    const environment = {
      ...(await environmentWith(redis.url, { VDS_UPSTREAM_URL: upstream.url })),
      VDS_EVENTS_URL: receiver.url,
      VDS_EVENTS_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    };
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    expect((await two.call(`${consent}?vin=${other}`, {}, 'DELETE')).status).toBe(200);
    await expect.poll(() => one.call(locationOf(other))).toMatchObject(fenced);
    const lost = one.call(withdrawal, {}, 'DELETE').catch(() => null);
    await expect.poll(() => isSent).toBe(true);
    one.process.kill('SIGKILL');
    await one.exit;
    await lost;
    await redis.send('FLUSHALL');
    isStuck = false;
    const next = await startProgram(environment);
    await expect.poll(() => next.call(locationOf(other))).toMatchObject(fenced);
    // Nobody knows of a withdrawal, and the service does.
    for (const proxy of [next, two]) expect(await proxy.call(locationOf())).toMatchObject({ status: 400 });
    expect((await next.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    withdrawn.clear();
    for (const proxy of [next, two]) await expect.poll(() => proxy.call(locationOf())).toMatchObject(fenced);
    await expect.poll(() => receiver.seen.map(({ body }) => JSON.parse(body).data.vin)).toContain(vin);
  });

  it('stop a client and a vehicle on command, cut their streams within a second, let withdrawals pass, and resume', async () => {
    const redis = await startRedis();
    const [keysFile, auditFile, vinFile] = [newFile('keys.json'), newFile('audit.ndjson'), newFile('vins')];
    writeFileSync(keysFile, printKeys([recordOf({ name: 'the app' })]));
    writeFileSync(vinFile, `${other}\n`);
    const auth = { VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: keysFile, VDS_AUDIT_FILE: auditFile };
    const environment = await environmentWith(redis.url, auth);
    const command = (verb: 'stop' | 'resume', ...list: string[]) => stopCommand(environment, verb, ...list);
    const replicas = await Promise.all([startProgram(environment), startProgram(environment)]);
    const call = (index: 0 | 1, path: string, method = 'GET') =>
      replicas[index].call(path, { 'x-api-key': apiKey }, method);
    const stream = await openStream(replicas[1].port, vin, [`X-Api-Key: ${apiKey}`]);

    const run = await runToEnd(environment, ['stop', '--client', 'the app']);
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('stopped: 1 entry')]);
    const doneMs = performance.now();
    await expect.poll(() => stream.endedMs).toBeGreaterThan(0);
    expect(stream.lastMs - doneMs).toBeLessThan(boundOf(1000));
    for (const index of [0, 1] as const) await expect.poll(() => call(index, consent)).toMatchObject(stopped);
    expect((await call(0, withdrawal, 'DELETE')).status).toBe(200);
    expect(await command('stop', '--list')).toEqual([
      0,
      expect.stringMatching(/^client abcdefghij {2}stopped since .*\n1 withdrawals hold\n$/),
    ]);
    expect((await command('resume', '--client', 'abcdefghij'))[0]).toBe(0);
    for (const index of [0, 1] as const) await expect.poll(async () => (await call(index, consent)).status).toBe(200);

    expect((await command('stop', '--vehicles-file', vinFile, '--brand', 'brand_a'))[0]).toBe(0);
    for (const index of [0, 1] as const) await expect.poll(() => call(index, locationOf(other))).toMatchObject(stopped);
    expect((await call(0, consent)).status).toBe(200);
    expect(await call(0, locationOf(other))).toMatchObject(stopped);
    expect((await command('stop', '--list', '--vehicle', other))[1]).toMatch(
      /^brand_a {2}stopped by an operator since /,
    );
    expect((await command('resume', '--vehicle', other))[0]).toBe(0);
    await expect.poll(async () => (await call(1, locationOf(other))).status).toBe(200);

    const kinds = (await auditEntries(auditFile)).map(({ kind }) => kind);
    expect(kinds).toEqual(['stop', 'intent', 'outcome', 'resume', 'stop', 'resume']);
    expect((await verifyAudit(auditFile)).code).toBe(0);
    const printed =
      replicas.map(({ output }) => output.stderr + output.stdout).join('') + readFileSync(auditFile, 'utf8');
    expect(printed).not.toMatch(/TESTVEHCLE/);
  });
});

it('processes with one folder tell each other, and a restart keeps the fence', async () => {
  const store = { VDS_STORE: 'file', VDS_STORE_DIR: newFile('store'), VDS_VIN_HASH_KEY: auditKey };
  const environment = { VDS_UPSTREAM_URL: await startFlowing(), ...store };
  const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
  const there = await openStream(two.port);
  expect((await one.call(withdrawal, {}, 'DELETE')).status).toBe(200);
  const sentMs = performance.now();
  await expect.poll(() => there.endedMs).toBeGreaterThan(0);
  expect(there.lastMs - sentMs).toBeLessThan(boundOf(1000));
  expect((await one.stop()).code).toBe(0);
  const next = await startProgram(environment);
  expect(await next.call(locationOf())).toMatchObject(fenced);
  expect((await next.call(consent)).status).toBe(200);
  await expect.poll(async () => (await two.call(locationOf())).status).toBe(200);
});

describe('a line that a full disk has cut', () => {
  const whole = `fence T-1 v/brand_a/${'ab'.repeat(16)}`;
  const names = [`v/brand_a/${'ab'.repeat(16)}`];
  const isBlocked = async (journal: FileJournal) => {
    const blocks = new SharedBlocks(journal);
    expect(await blocks.look()).toBe(true);
    return blocks.set.blocking(names, '') === 'fence';
  };

  it('is removed when the text is written again, so that those who read it then block', async () => {
    const folder = newFile('store');
    const file = join(folder, 'fence.log');
    const early = new SharedBlocks(new FileJournal(folder));
    await new FileJournal(folder).append(['stop T-0 v/brand_a/other']);
    await appendFile(file, whole.slice(0, 22));
    expect(await early.look()).toBe(true);
    await new FileJournal(folder).append([whole]);
    expect(await readFile(file, 'utf8')).toBe(`stop T-0 v/brand_a/other\n${whole}\n`);
    expect(await early.look()).toBe(true);
    expect(early.set.blocking(names, '')).toBe('fence');
    expect(await isBlocked(new FileJournal(folder))).toBe(true);
  });

  it('is not made whole when others are removed', async () => {
    const folder = newFile('store');
    const journal = new FileJournal(folder);
    await journal.append(['stop T-0 v/brand_a/other', 'lift T-2 T-0']);
    await appendFile(join(folder, 'fence.log'), whole.slice(0, 22));
    await journal.remove(['stop T-0 v/brand_a/other']);
    await journal.append([whole]);
    expect(await readFile(join(folder, 'fence.log'), 'utf8')).toBe(`lift T-2 T-0\n${whole}\n`);
  });

  it.skipIf(!canLimitFiles)('of a program hides no withdrawal from others when there is room again', async () => {
    const folder = newFile('store');
    const file = join(folder, 'fence.log');
    // More than the lock beside it has.
    const lifts = Array.from({ length: 20 }, (_, index) => liftText(newTag(Date.now()), `T-${index}`));
    await new FileJournal(folder).append(lifts);
    const { size } = await stat(file);
    const store = { VDS_STORE: 'file', VDS_STORE_DIR: folder, VDS_VIN_HASH_KEY: auditKey };
    const environment = { VDS_UPSTREAM_URL: await startFlowing(), ...store };
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    limitFiles(one.process.pid, size + 40);
    expect((await one.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    await expect.poll(async () => (await stat(file)).size).toBe(size + 40);
    limitFiles(one.process.pid, 'unlimited');
    await expect.poll(() => two.call(locationOf())).toMatchObject(fenced);
    expect(await (await startProgram(environment)).call(locationOf())).toMatchObject(fenced);
  });
});

it('a process that stops tries again to write its fences to a store that fails over', async () => {
  const kept: string[] = [];
  let failures = 2;
  const blocks = new SharedBlocks({
    async append(texts) {
      if (failures-- > 0) throw new Error('away');
      kept.push(...texts);
    },
    read: async () => ({ texts: kept, isWhole: true }),
    remove: async () => {},
  });
  await blocks.add([blockText('fence', 'T-1', 'v/brand_a/a')]);
  expect(await blocks.close()).toBe(0);
  expect(kept).toEqual(['fence T-1 v/brand_a/a']);
});

it.skipIf(!canLimitFiles)('a process that stops says how many fences it could not write to the store', async () => {
  const store = { VDS_STORE: 'file', VDS_STORE_DIR: newFile('store'), VDS_VIN_HASH_KEY: auditKey };
  const proxy = await startProgram({ VDS_UPSTREAM_URL: await startFlowing(), ...store });
  limitFiles(proxy.process.pid, 0);
  expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
  expect((await proxy.stop()).code).toBe(0);
  expect(proxy.output.stderr).toContain('error: 1 entry of the fence could not be written to the store');
});

it('a command names what is missing, and never what was sent', async () => {
  const base = { VDS_UPSTREAM_URL: 'http://127.0.0.1:1', VDS_STORE: 'file', VDS_STORE_DIR: newFile('store') };
  const withKey = { ...base, VDS_VIN_HASH_KEY: auditKey };
  const { VDS_STORE_DIR: _, ...alone } = { ...withKey, VDS_STORE: 'memory' };
  const said = async (environment: Record<string, string>, verb: 'stop' | 'resume', ...list: string[]) => {
    const [code, text] = await stopCommand(environment, verb, ...list);
    expect(text).not.toContain('VEHCLE');
    return `${code} ${text}`;
  };
  expect(await said(base, 'stop', '--vehicle', vin)).toContain('VDS_VIN_HASH_KEY: must be set, as for the proxy');
  expect(await said(alone, 'stop', '--vehicle', vin)).toContain('VDS_STORE: must be file or redis');
  expect(await said(withKey, 'stop', '--vehicle', 'VEHCLE1')).toContain('--vehicle: must be a VIN of 17');
  expect(await said(withKey, 'stop', '--client', 'VEHCLE')).toContain('--client: clients are not told apart');
  expect(await said(withKey, 'stop')).toContain('1 Usage: vds-proxy stop');
  expect(await said(withKey, 'resume', '--vehicle', vin)).toContain('1 nothing of it is stopped');
  expect(await said(withKey, 'resume', '--withdrawn-before', '2030-01-01')).toContain('0 0 withdrawals are forgotten');
  const piped = runProgram(withKey, ['stop', '--vehicles-file', '-']);
  expect(await piped.exit).toBe(1);
});
