// Events of consents, with the program as a process of its own, and the receiver of standardwebhooks.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import type { QueuedEvent } from '../src/events/event-queue.js';
import { QueueWriter } from '../src/events/queue-writer.js';
import { isInstalled, startListening } from './support/listening.ts';
import { newFile, runToEnd, startProgram } from './support/program.ts';
import { startRedis } from './support/redis.ts';
import { portOf, type Reply, rejection, startUpstream } from './support/servers.ts';
import { consent, locationOf, vin, withdrawal } from './support/set-up.ts';
import { mistakesOf } from './support/settings.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const hashKey = 'k'.repeat(32);

/** Starts a receiver that keeps the events it takes, verified by standardwebhooks. */
async function startReceiver(respond: (count: number) => Reply | null = () => ({ status: 204, body: '' })) {
  const receiver = await startUpstream((_, count) => respond(count));
  const verified = (one: (typeof receiver.seen)[number], by = secret) =>
    new Webhook(by).verify(one.body, one.headers as Record<string, string>) as Record<string, unknown>;
  return {
    url: `${receiver.url}/hook`,
    seen: receiver.seen,
    events: (by = secret) => receiver.seen.map((one) => verified(one, by)),
  };
}

const settings = (upstreamUrl: string, url: string, more: Record<string, string> = {}) => ({
  VDS_UPSTREAM_URL: upstreamUrl,
  VDS_EVENTS_URL: url,
  VDS_EVENTS_SECRET: secret,
  VDS_VIN_HASH_KEY: hashKey,
  VDS_ADMIN_PORT: '0',
  ...more,
});

const newFolder = () => dirname(newFile('events'));
const queuedIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.event'));
const withdrawn = { type: 'vehicle.consent_withdrawn', data: { brand: 'brand_a', vin } };
const ended = { type: 'vehicle.consent_ended', data: { brand: 'brand_a', vin } };
const metric = (text: string, name: string) =>
  Number(new RegExp(`^vds_proxy_events_${name} (\\S+)$`, 'm').exec(text)?.[1]);

describe('after a withdrawal that took effect', () => {
  it('the receiver gets a signed event, and neither log nor queue has the VIN', async () => {
    const [upstream, receiver, folder] = [await startUpstream(), await startReceiver(), newFolder()];
    const proxy = await startProgram(
      settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder, VDS_LOG_LEVEL: 'debug' }),
    );
    expect((await proxy.call(withdrawal, { 'x-request-id': 'request-0007' }, 'DELETE')).status).toBe(200);
    await expect.poll(() => receiver.events()).toMatchObject([withdrawn]);
    expect(receiver.events()[0]).toMatchObject({
      data: { requestId: 'request-0007' },
      timestamp: expect.stringMatching(/^2.*Z$/),
    });
    await expect.poll(() => queuedIn(folder)).toEqual([]);
    expect(metric(await proxy.adminPage('/metrics'), 'delivered_total')).toBe(1);
    const { log } = await proxy.stop();
    expect(log.join('\n')).not.toContain(vin);
  });

  it('the receiver gets no second event of requests for the vehicle that it has cut', async () => {
    let reads = 0;
    const upstream = await startUpstream(({ method }) =>
      method === 'GET' && ++reads > 1 ? { after: new Promise<never>(() => {}) } : {},
    );
    const receiver = await startReceiver();
    const more = { VDS_EVENTS_DIR: newFolder(), VDS_STORE: 'file', VDS_STORE_DIR: newFolder() };
    const proxy = await startProgram(settings(upstream.url, receiver.url, more));
    expect((await proxy.call(locationOf())).status).toBe(200);
    const cut = proxy.call(locationOf());
    await expect.poll(() => reads).toBe(2);
    expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    expect((await cut).code).toBe('5006');
    const other = 'TESTVEHCLE0000002';
    expect((await proxy.call(`${consent}?vin=${other}`, {}, 'DELETE')).status).toBe(200);
    const next = { ...withdrawn, data: { ...withdrawn.data, vin: other } };
    await expect.poll(() => receiver.events().at(-1)).toMatchObject(next);
    expect(receiver.events()).toMatchObject([withdrawn, next]);
  });

  it('one that was rejected with the envelope of an error, with status 400 or 200, emits nothing, and one for all vehicles of a brand names no VIN', async () => {
    const rejections = [400, 200].map((status) => ({ ...rejection('4002'), status }));
    const upstream = await startUpstream((_, count) => rejections[count - 1] ?? {});
    const receiver = await startReceiver();
    const more = { VDS_EVENTS_DIR: newFolder(), VDS_ALLOW_STOP_ALL: 'on' };
    const proxy = await startProgram(settings(upstream.url, receiver.url, more));
    for (const { status } of rejections) expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(status);
    expect((await proxy.call(consent, {}, 'DELETE')).status).toBe(200);
    await expect.poll(() => receiver.events().length).toBe(1);
    expect(Object.keys(receiver.events()[0]?.['data'] ?? {})).toEqual(['brand', 'requestId']);
    expect(metric(await proxy.adminPage('/metrics'), 'delivered_total')).toBe(1);
  });
});

it('a process that stops tries again to queue its events when the queue fails over', async () => {
  const queued: QueuedEvent[] = [];
  const dropped: string[] = [];
  let failures = 2;
  const writer = new QueueWriter({
    queue: {
      async add(event) {
        if (failures-- > 0) throw new Error('away');
        queued.push(event);
        return true;
      },
    },
    counts: { dropped: (reason) => void dropped.push(reason) },
    warnings: { raise() {}, clear() {} },
    say() {},
    onQueued() {},
  });
  const added = writer.add({ id: 'evt_1', createdMs: 0, text: '' });
  await writer.close();
  expect(await added.queued).toBe(true);
  expect([queued.length, dropped]).toEqual([1, []]);
});

it('error 4101 or 5006 for a vehicle that was served emits once that its consent has ended, also after a restart', async () => {
  const codes = { [vin]: '4101', TESTVEHCLE0000003: '5006' };
  let hasEnded = false;
  const upstream = await startUpstream(({ url }) =>
    hasEnded ? rejection(url.includes(vin) ? codes[vin] : codes.TESTVEHCLE0000003) : {},
  );
  const [receiver, folder] = [await startReceiver(), newFolder()];
  const environment = settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder });
  const first = await startProgram(environment);
  for (const vehicle of Object.keys(codes)) await first.call(locationOf(vehicle));
  await first.stop();
  hasEnded = true;
  const second = await startProgram(environment);
  // One that was never served.
  await second.call(locationOf('TESTVEHCLE0000002'));
  for (const [index, [vehicle, code]] of Object.entries(codes).entries()) {
    await Promise.all([1, 2, 3].map(() => second.call(locationOf(vehicle))));
    await expect
      .poll(() => receiver.events().slice(index))
      .toMatchObject([{ ...ended, data: { ...ended.data, vin: vehicle } }]);
    expect(await second.call(locationOf(vehicle))).toMatchObject({ status: 400, code });
  }
  await second.stop();
  expect(receiver.seen).toHaveLength(2);
  expect(readFileSync(join(folder, 'served'), 'utf8')).not.toContain('TESTVEHCLE');
});

it('an event that a crash has lost after the fence stood is made up for by the next request for the vehicle, once', async () => {
  const [upstream, receiver, folder] = [await startUpstream(), await startReceiver(), newFolder()];
  const store = { VDS_STORE: 'file', VDS_STORE_DIR: newFolder() };
  const environment = settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder, ...store });
  const first = await startProgram(environment);
  await first.call(locationOf());
  await first.stop();
  // What is left by a process that was killed between the fence and the queue: a fence, and no event.
  const killed = await startProgram({ ...store, VDS_UPSTREAM_URL: upstream.url, VDS_VIN_HASH_KEY: hashKey });
  expect((await killed.call(withdrawal, {}, 'DELETE')).status).toBe(200);
  killed.process.kill('SIGKILL');
  await killed.exit;
  const second = await startProgram(environment);
  for (let count = 0; count < 3; count++) expect((await second.call(locationOf())).status).toBe(400);
  await expect.poll(() => receiver.events()).toMatchObject([ended]);
  expect((await second.call(locationOf())).status).toBe(400);
  await second.stop();
  expect(receiver.seen).toHaveLength(1);
  expect(upstream.seen).toHaveLength(2);
});

it('once the client has the success of a withdrawal, its event outlives the process, also before the receiver is there', async () => {
  const [upstream, folder] = [await startUpstream(), newFolder()];
  const environment = settings(upstream.url, 'http://127.0.0.1:1/', { VDS_EVENTS_DIR: folder });
  const first = await startProgram(environment);
  for (let count = 1; count <= 20; count++) {
    await first.call(withdrawal, {}, 'DELETE');
    expect(queuedIn(folder)).toHaveLength(count);
  }
  for (const name of queuedIn(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(vin);
  first.process.kill('SIGKILL');
  await first.exit;
  const receiver = await startReceiver();
  await startProgram({ ...environment, VDS_EVENTS_URL: receiver.url });
  await expect.poll(() => receiver.events()).toMatchObject(Array(20).fill(withdrawn));
});

describe('a receiver that does not take an event', () => {
  it('gets it again, with the same identifier, when it responds with 500, redirects or breaks the connection off', async () => {
    const replies: Record<string, Reply | null> = {
      500: { status: 500 },
      307: { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      unreachable: null,
    };
    const receivers = await Promise.all(
      Object.values(replies).map((reply) => startReceiver((count) => (count <= 2 ? reply : { status: 200, body: '' }))),
    );
    const upstream = await startUpstream();
    const urls = receivers.map(({ url }) => url).join(',');
    const proxy = await startProgram(settings(upstream.url, urls, { VDS_EVENTS_DIR: newFolder() }));
    await proxy.call(withdrawal, {}, 'DELETE');
    for (const { seen } of receivers) {
      await expect.poll(() => seen.length).toBe(3);
      expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    }
    const text = await proxy.adminPage('/metrics');
    for (const reason of Object.keys(replies))
      expect(metric(text, `failed_total\\{reason="${reason}"\\}`), reason).toBe(2);
  });

  it('because it is gone gets no other one until a restart, and requests continue', async () => {
    const receiver = await startReceiver((count) => ({ status: count === 1 ? 410 : 200, body: '' }));
    const [upstream, folder] = [await startUpstream(), newFolder()];
    const environment = settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder });
    const first = await startProgram(environment);
    await first.call(withdrawal, {}, 'DELETE');
    await expect.poll(() => first.output.stderr).toContain('410');
    expect((await first.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    await expect.poll(() => queuedIn(folder)).toHaveLength(2);
    expect(await first.ready()).toContain('events');
    await first.stop();
    expect(receiver.seen).toHaveLength(1);
    await startProgram(environment);
    await expect.poll(() => receiver.seen.length).toBe(3);
  });

  it('because it is stuck, with no room for the queue, slows and fails no request', async () => {
    const stuck = createServer(() => {});
    onTestFinished(() => void stuck.close());
    const port = await portOf(stuck);
    const [upstream, receiver, folder] = [await startUpstream(), await startReceiver(), newFolder()];
    const proxy = await startProgram(settings(upstream.url, `http://127.0.0.1:${port}/`, { VDS_EVENTS_DIR: folder }));
    rmSync(folder, { recursive: true });
    // A file where the folder was: nothing can be written, also by root.
    writeFileSync(folder, '');
    for (let count = 0; count < 5; count++) expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    await expect.poll(() => proxy.output.stderr).toContain('events cannot be queued');
    rmSync(folder);
    mkdirSync(folder);
    await expect.poll(() => queuedIn(folder)).toHaveLength(5);
    proxy.process.kill('SIGKILL');
    await proxy.exit;
    await startProgram(settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder }));
    await expect.poll(() => receiver.events().length).toBe(5);
  });
});

it('what is older than three days is given up, with a line and a count, and a full queue drops new events, not requests: they are made up for', async () => {
  const [upstream, receiver, folder] = [await startUpstream(), await startReceiver(), newFolder()];
  const old = Date.now() - 4 * 86_400_000;
  for (let index = 0; index < 3; index++) writeFileSync(join(folder, `${old}-evt_old${index}.event`), 'x');
  const environment = settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder });
  const proxy = await startProgram(environment);
  const expired = async () => metric(await proxy.adminPage('/metrics'), 'dropped_total\\{reason="expired"\\}');
  await expect.poll(expired).toBe(3);
  expect(proxy.output.stderr).toContain('error: event evt_old0 was not delivered for three days');
  await proxy.stop();
  // Sealed with a secret that is gone: they stay. Ten thousand names of one file.
  const sealed = newFile('sealed');
  writeFileSync(sealed, 'x');
  for (let index = 0; index < 10_000; index++) linkSync(sealed, join(folder, `${Date.now()}-evt_${index}.event`));
  const store = { VDS_STORE: 'file', VDS_STORE_DIR: newFolder() };
  const full = await startProgram({ ...environment, ...store });
  expect((await full.call(locationOf())).status).toBe(200);
  expect((await full.call(withdrawal, {}, 'DELETE')).status).toBe(200);
  await expect.poll(() => full.output.stderr).toContain('the queue of events is full');
  for (let count = 0; count < 5; count++) expect((await full.call(locationOf())).status).toBe(400);
  expect(metric(await full.adminPage('/metrics'), 'dropped_total\\{reason="queue-full"\\}')).toBe(1);
  await full.stop();
  // The receiver, which was away for longer than the queue has room, has taken what waited.
  for (const name of queuedIn(folder)) unlinkSync(join(folder, name));
  const next = await startProgram({ ...environment, ...store });
  expect((await next.call(locationOf())).status).toBe(400);
  await expect.poll(() => receiver.events()).toMatchObject([ended]);
});

it('while a secret is replaced, events carry both signatures, and what waited is opened with the old one', async () => {
  const next = `whsec_${randomBytes(32).toString('base64')}`;
  const [upstream, folder, receiver] = [await startUpstream(), newFolder(), await startReceiver()];
  const first = await startProgram(settings(upstream.url, 'http://127.0.0.1:1/', { VDS_EVENTS_DIR: folder }));
  await first.call(withdrawal, {}, 'DELETE');
  await expect.poll(() => queuedIn(folder)).toHaveLength(1);
  await first.stop();
  await startProgram(
    settings(upstream.url, receiver.url, { VDS_EVENTS_DIR: folder, VDS_EVENTS_SECRET: `${next},${secret}` }),
  );
  await expect.poll(() => receiver.seen.length).toBe(1);
  expect(receiver.events()).toEqual(receiver.events(next));
});

it.runIf(isInstalled('redis-server'))(
  'two replicas on one Redis deliver each event once, and take over from one that was killed',
  async () => {
    const port = await reservedPort();
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', newFolder(), '--save', ''];
    const redis = await startListening(['redis-server', ...flags], {}, [port]);
    onTestFinished(() => redis.kill());
    let hasEnded = false;
    const upstream = await startUpstream(({ method }) => (hasEnded && method === 'GET' ? rejection('5006') : {}));
    const receiver = await startReceiver();
    const environment = settings(upstream.url, receiver.url, {
      VDS_STORE: 'redis',
      VDS_REDIS_URL: `redis://127.0.0.1:${port}`,
    });
    const [one, two] = await Promise.all([startProgram(environment), startProgram(environment)]);
    const vehicles = Array.from({ length: 20 }, (_, index) => `TESTVEHCLE00001${String(index).padStart(2, '0')}`);
    for (const vehicle of vehicles) await one.call(`${consent}?vin=${vehicle}`, {}, 'DELETE');
    await expect.poll(() => receiver.seen.length).toBe(20);
    await one.call(locationOf());
    await one.stop();
    hasEnded = true;
    // The other replica knows from Redis that it was served.
    await two.call(locationOf());
    await expect.poll(() => receiver.seen.length).toBe(21);
    expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(21);
    await expect.poll(async () => metric(await two.adminPage('/metrics'), 'queued')).toBe(0);
  },
);

it.runIf(isInstalled('redis-server')).each([
  { what: 'when it is due', lost: ['due'], isDelivered: true },
  { what: 'when it was queued', lost: ['created'], isDelivered: true },
  { what: 'what it says', lost: ['text'], isDelivered: false },
  { what: 'what it says and when it was queued', lost: ['created', 'text'], isDelivered: false },
])(
  'of an event that waits Redis has evicted $what: delivered $isDelivered, or else given up',
  async ({ lost, isDelivered }) => {
    const redis = await startRedis();
    const port = await reservedPort();
    const upstream = await startUpstream();
    const environment = settings(upstream.url, `http://127.0.0.1:${port}/`, {
      VDS_STORE: 'redis',
      VDS_REDIS_URL: redis.url,
      VDS_REDIS_PREFIX: 'p:',
    });
    const first = await startProgram(environment);
    await first.call(withdrawal, {}, 'DELETE');
    await expect.poll(async () => metric(await first.adminPage('/metrics'), 'queued')).toBe(1);
    await first.stop();
    for (const name of lost) expect(await redis.send('del', `p:{events}:${name}`)).toBe(1);
    const receiver = await startReceiver();
    const second = await startProgram({ ...environment, VDS_EVENTS_URL: receiver.url });
    if (isDelivered) await expect.poll(() => receiver.events()).toMatchObject([withdrawn]);
    else await expect.poll(() => second.output.stderr).toMatch(/error: event evt_\S+ was lost by its queue/);
    await expect.poll(() => redis.send('keys', 'p:{events}:*')).toEqual([]);
    const dropped = metric(await second.adminPage('/metrics'), 'dropped_total\\{reason="queue-failing"\\}');
    expect([receiver.seen.length, dropped]).toEqual(isDelivered ? [1, Number.NaN] : [0, 1]);
  },
);

it('several receivers get each event, and one that is away keeps none from the others', async () => {
  const [upstream, folder, one, two] = [
    await startUpstream(),
    newFolder(),
    await startReceiver(),
    await startReceiver(),
  ];
  const port = await reservedPort();
  const urls = [`http://127.0.0.1:${port}/hook`, one.url, two.url].join(',');
  const proxy = await startProgram(settings(upstream.url, urls, { VDS_EVENTS_DIR: folder }));
  await proxy.call(withdrawal, {}, 'DELETE');
  for (const receiver of [one, two]) await expect.poll(() => receiver.events()).toMatchObject([withdrawn]);
  const ids = [one, two].map(({ seen }) => seen[0]?.headers['webhook-id']);
  expect(ids[0]).toBe(ids[1]);
  await expect.poll(() => proxy.output.stderr).toContain('the receiver does not take events');
  await expect.poll(async () => metric(await proxy.adminPage('/metrics'), 'queued')).toBe(1);
  expect(await proxy.ready()).toContain('events');
});

it('a receiver whose queue cannot be written keeps no event from the others, and gets all when it can', async () => {
  const [upstream, folder, one, two] = [
    await startUpstream(),
    newFolder(),
    await startReceiver(),
    await startReceiver(),
  ];
  const proxy = await startProgram(settings(upstream.url, `${one.url},${two.url}`, { VDS_EVENTS_DIR: folder }));
  const broken = join(folder, 'receiver-2');
  rmSync(broken, { recursive: true });
  // A file where the folder was: nothing can be written, also by root.
  writeFileSync(broken, '');
  for (let count = 1; count <= 3; count++) {
    expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    await expect.poll(() => one.seen.length).toBe(count);
  }
  expect(proxy.output.stderr).toContain('events cannot be queued');
  expect(await proxy.ready()).toContain('events-queue');
  rmSync(broken);
  mkdirSync(broken);
  await expect.poll(() => two.events()).toMatchObject(Array(3).fill(withdrawn));
  await expect.poll(() => proxy.ready()).not.toContain('events-queue');
  const idsOf = ({ seen }: typeof one) => seen.map(({ headers }) => headers['webhook-id']).sort();
  expect(idsOf(one)).toEqual(idsOf(two));
});

it('an end of consent that one receiver has taken is settled where the queue of another is full', async () => {
  let hasEnded = false;
  const upstream = await startUpstream(({ method }) => (hasEnded && method === 'GET' ? rejection('5006') : {}));
  const [folder, one] = [newFolder(), await startReceiver()];
  const full = join(folder, 'receiver-2');
  mkdirSync(full);
  const sealed = newFile('sealed');
  writeFileSync(sealed, 'x');
  for (let index = 0; index < 10_000; index++) linkSync(sealed, join(full, `${Date.now()}-evt_${index}.event`));
  const environment = settings(upstream.url, `${one.url},http://127.0.0.1:1/`, { VDS_EVENTS_DIR: folder });
  const first = await startProgram(environment);
  await first.call(locationOf());
  hasEnded = true;
  await first.call(locationOf());
  await expect.poll(() => one.events()).toMatchObject([ended]);
  await expect.poll(() => first.output.stderr).toContain('has no room in the queue');
  expect(metric(await first.adminPage('/metrics'), 'dropped_total\\{reason="queue-full"\\}')).toBe(1);
  await first.stop();
  const second = await startProgram(environment);
  await second.call(locationOf());
  // Queued after whatever that request emits.
  await second.call(withdrawal, {}, 'DELETE');
  await expect.poll(() => one.events()).toContainEqual(expect.objectContaining({ type: withdrawn.type }));
  await second.stop();
  expect(one.events()).toMatchObject([ended, withdrawn]);
});

describe('settings that would not work are rejected', () => {
  const base = settings('https://vehicle-data.invalid', 'http://127.0.0.1:3000/', { VDS_EVENTS_DIR: '/tmp/x' });
  it.each<{ more: Record<string, string>; problem: string }>([
    { more: {}, problem: '' },
    { more: { VDS_EVENTS_SECRET: 'short' }, problem: 'VDS_EVENTS_SECRET: must be 24 to 64 random bytes in base64' },
    { more: { VDS_EVENTS_SECRET: '' }, problem: 'VDS_EVENTS_SECRET: must' },
    { more: { VDS_VIN_HASH_KEY: '' }, problem: 'VDS_VIN_HASH_KEY: must' },
    { more: { VDS_EVENTS_DIR: '' }, problem: 'VDS_EVENTS_DIR: must' },
    { more: { VDS_WORKERS: '2' }, problem: 'VDS_STORE: must be redis' },
    { more: { VDS_EVENTS_URL: 'http://receiver.invalid/' }, problem: 'VDS_EVENTS_URL: must start with https://' },
    { more: { VDS_EVENTS_URL: '' }, problem: 'would never use it' },
    {
      more: { VDS_EVENTS_URL: 'http://127.0.0.1/a,http://receiver.invalid/' },
      problem: 'VDS_EVENTS_URL: must start with https://',
    },
    {
      more: { VDS_EVENTS_URL: 'http://127.0.0.1/a,http://127.0.0.1/a' },
      problem: 'VDS_EVENTS_URL: must not hold an address twice',
    },
  ])('with the name of each, and good ones pass: $more', ({ more, problem }) => {
    const given = Object.entries({ ...base, ...more }).filter(([, value]) => value !== '');
    expect(mistakesOf(Object.fromEntries(given)).join('\n').slice(0, 2000)).toContain(problem);
    if (problem === '') expect(mistakesOf(Object.fromEntries(given))).toEqual([]);
  });

  it('a folder that cannot be made keeps the program from starting', async () => {
    const file = newFile('events');
    writeFileSync(file, '');
    // In /proc, a folder can be missing that can also not be made.
    for (const folder of [join(file, 'x'), '/proc/nowhere']) {
      const { code, stderr } = await runToEnd({ ...base, VDS_PORT: '0', VDS_EVENTS_DIR: folder });
      expect([code, stderr]).toEqual([1, expect.stringContaining('VDS_EVENTS_DIR: the folder cannot be made')]);
    }
  });
});
