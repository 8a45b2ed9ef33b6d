// What no longer leaves the proxy after the success of a withdrawal, in one process.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import type { ProxyConfig } from '../src/config.js';
import { BlockNames } from '../src/fence/block-names.js';
import { blockText, newTag } from '../src/fence/entries.js';
import { Fence } from '../src/fence/fence.js';
import type { JournalReading } from '../src/fence/journal.js';
import { SharedBlocks } from '../src/fence/shared-blocks.js';
import { type Behavior, errorBody, responseWith, successBody } from './support/servers.ts';
import {
  connectTo,
  consent,
  fakeClocks,
  locationOf,
  type ProxyOptions,
  requestLines,
  startPair,
  vin,
  withdrawal,
} from './support/set-up.ts';
import type { WireMessage } from './support/wire.ts';

const other = 'TESTVEHCLE0000002';
const jsonType = 'Content-Type: application/json\r\n';
const listBody = (...vins: readonly string[]) =>
  successBody({ vehicles: vins.map((each) => ({ vin: each, type: 'GN', nickname: 'n', name: 'm', sellname: 's' })) });
const listOf = (...vins: readonly string[]) => responseWith(listBody(...vins));
const good = responseWith(successBody({}));
const own = { upstreamAuth: { kind: 'static', accessToken: 'own' } } satisfies Partial<ProxyConfig>;
const fenced = { status: 400, code: '5006' };

/** A proxy whose upstream responds by the line of the request, and lists these vehicles. */
async function startFenced(
  options: ProxyOptions = {},
  behave: (line: string, socket: Socket) => boolean = () => false,
) {
  const listed = { vins: [vin, other] };
  const respond: Behavior = (socket, request: WireMessage) => {
    const line = request.start;
    if (behave(line, socket)) return;
    if (line.startsWith(`GET ${consent}`)) socket.write(listOf(...listed.vins));
    else socket.write(good);
  };
  const { upstream, proxy } = await startPair(respond, options);
  const get = (path: string, token = 'owner') => proxy.call(path, { authorization: `Bearer ${token}` });
  return {
    upstream,
    proxy,
    listed,
    data: (vehicle = vin, token?: string) => get(locationOf(vehicle), token),
    list: (token?: string) => get(consent, token),
    withdraw: (path = withdrawal, token = 'owner') => proxy.call(path, { authorization: `Bearer ${token}` }, 'DELETE'),
  };
}

it('after a withdrawal nobody gets data of the vehicle under that brand, until a list shows it again', async () => {
  const { data, list, withdraw, proxy, upstream, listed } = await startFenced();
  expect((await data()).status).toBe(200);
  expect((await withdraw()).status).toBe(200);
  const sent = upstream.requests().length;
  expect(await data()).toMatchObject(fenced);
  expect(await data(vin.toLowerCase(), 'another-client')).toMatchObject(fenced);
  expect(upstream.requests()).toHaveLength(sent);
  expect((await data(other)).status).toBe(200);
  expect((await proxy.call(locationOf(), { brand: 'brand_b' })).status).toBe(200);
  listed.vins = [other];
  await list();
  expect(await data()).toMatchObject(fenced);
  expect((await withdraw()).status).toBe(200);
  listed.vins = [other, vin];
  expect((await list()).status).toBe(200);
  expect((await data()).status).toBe(200);
  expect(proxy.pipeline.fence.counts.rejected.fence).toBe(3);
  expect(proxy.unexpected).toEqual([]);
});

it.each([
  { what: 'fails', response: responseWith(errorBody('5001'), '500 Internal Server Error') },
  { what: 'says that there is no consent', response: responseWith(errorBody('4101'), '410 Gone') },
  { what: 'has the envelope of an error and a good status', response: responseWith(errorBody('5006')) },
])('a withdrawal fences nothing when its response $what', async ({ response }) => {
  const { data, withdraw } = await startFenced(
    {},
    (line, socket) => line.startsWith('DELETE') && socket.write(response),
  );
  await withdraw();
  expect((await data()).status).toBe(200);
});

it('an error of the service about consent fences nothing by itself', async () => {
  let first = true;
  const response = responseWith(errorBody('5006'), '400 Bad Request');
  const { data } = await startFenced({}, (line, socket) => {
    if (!line.startsWith('GET /v1/vehicles/T') || !first) return false;
    first = false;
    return socket.write(response);
  });
  expect(await data()).toMatchObject(fenced);
  expect((await data()).status).toBe(200);
});

/** A stream of data that has begun and never ends by itself. */
async function startStream(options: ProxyOptions = {}) {
  const streams: Socket[] = [];
  const started = await startFenced(options, (line, socket) => {
    if (!line.includes('/driving/data')) return false;
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{ \r\n');
    streams.push(socket);
    return true;
  });
  const open = async (vehicle = vin, ...headers: string[]) => {
    const client = connectTo(started.proxy.port);
    client.send(
      requestLines(`GET /v1/vehicles/${vehicle}/driving/data?startDate=20260301&endDate=20260302`, ...headers),
    );
    await expect.poll(() => client.reading().rest.toString()).toContain('{ ');
    return client;
  };
  return { ...started, streams, open };
}

it('a stream under way is cut before the success of the withdrawal is sent, and other streams go on', async () => {
  const { withdraw, open, streams, proxy } = await startStream();
  const [mine, others] = [await open(), await open(other)];
  expect((await withdraw()).status).toBe(200);
  expect(await mine.ended()).toBe('reset');
  for (const socket of streams) if (!socket.destroyed) socket.write('2\r\n }\r\n0\r\n\r\n');
  expect((await others.responses(1)).map(({ body }) => body.toString())).toEqual(['{  }']);
  expect(proxy.records.find(({ code }) => code === '5006')).toMatchObject({
    status: 200,
    reason: 'the owner has withdrawn consent',
  });
});

it('a request that waits for its response gets the error of the contract, and its late response reaches nobody', async () => {
  let late: Socket | undefined;
  const { withdraw, data } = await startFenced({}, (line, socket) => {
    if (!line.includes('/locations') || late !== undefined) return false;
    late = socket;
    return true;
  });
  const waiting = data();
  await expect.poll(() => late).toBeDefined();
  expect((await withdraw()).status).toBe(200);
  expect(await waiting).toMatchObject(fenced);
  if (late !== undefined && !late.closed) await once(late, 'close');
});

it('a list from before the withdrawal neither lifts the fence nor shows the vehicle when it comes after', async () => {
  const waiting: Socket[] = [];
  const { withdraw, list, data, proxy } = await startFenced({}, (line, socket) => {
    if (!line.startsWith(`GET ${consent}`) || waiting.length === 2) return false;
    waiting.push(socket);
    return true;
  });
  const [shows, hides] = [list('one'), list('two')];
  await expect.poll(() => waiting).toHaveLength(2);
  expect((await withdraw()).status).toBe(200);
  waiting[0]?.write(listOf(vin, other));
  waiting[1]?.write(listOf(other));
  const both = await Promise.all([shows, hides]);
  expect(both.map(({ status, code }) => `${status} ${code}`).sort()).toEqual(['200 ', '503 list-outdated']);
  expect(await data()).toMatchObject(fenced);
  expect((await list()).status).toBe(200);
  expect((await data()).status).toBe(200);
  expect(proxy.pipeline.fence.counts.lateLists).toBe(1);
});

it('of a list that has begun, what comes after the withdrawal is held, and cut when it shows the vehicle', async () => {
  const waiting: Socket[] = [];
  const whole = listOf(other, vin).toString();
  const at = whole.indexOf(vin) - 9;
  const { withdraw, proxy } = await startFenced({}, (line, socket) => {
    if (!line.startsWith(`GET ${consent}`)) return false;
    waiting.push(socket);
    return socket.write(whole.slice(0, at));
  });
  const client = connectTo(proxy.port);
  client.send(requestLines(`GET ${consent}`));
  await expect.poll(() => client.reading().rest.toString()).toContain(other);
  expect((await withdraw()).status).toBe(200);
  waiting[0]?.write(whole.slice(at));
  expect(await client.ended()).toBe('reset');
  expect(client.reading().rest.toString()).not.toContain(vin);
});

it.each([
  { form: 'plain', responseOf: (bytes: Buffer) => responseWith(bytes) },
  {
    form: 'compressed',
    responseOf: (bytes: Buffer) => responseWith(gzipSync(bytes), '200 OK', `${jsonType}Content-Encoding: gzip\r\n`),
  },
])('a list of consents is read in any pieces when it is $form', async ({ responseOf }) => {
  const { withdraw, list, data } = await startFenced({}, (line, socket) => {
    if (!line.startsWith(`GET ${consent}`)) return false;
    const bytes = responseOf(Buffer.from(listBody(vin)));
    const send = (from: number) => {
      socket.write(bytes.subarray(from, from + 40));
      if (from + 40 < bytes.length) setImmediate(() => send(from + 40));
    };
    send(0);
    return true;
  });
  await withdraw();
  const shown = await list();
  expect([shown.status, shown.text]).toEqual([200, listBody(vin)]);
  expect((await data()).status).toBe(200);
});

it('with more withdrawals than are kept apart, all vehicles of the brand wait until a list shows them', async () => {
  const { withdraw, list, data, listed, proxy } = await startFenced({ fence: new Fence({ maxEntries: 2 }) });
  const vehicles = Array.from({ length: 5 }, (_, index) => `TESTVEHCLE000001${index}`);
  for (const each of vehicles) expect((await withdraw(`${consent}?vin=${each}`)).status).toBe(200);
  for (const each of vehicles.slice(0, 2)) expect(await data(each)).toMatchObject(fenced);
  for (const each of [...vehicles.slice(2), vin])
    expect(await data(each)).toMatchObject({ status: 503, code: 'overloaded' });
  expect(proxy.pipeline.fence.blocks.set.blocks).toBe(3);
  listed.vins = [vin];
  await list();
  expect((await data(vin)).status).toBe(200);
  expect(await data(other)).toMatchObject({ status: 503 });
});

it("with the proxy's own token, a withdrawal of all fences the brand until a list shows a vehicle", async () => {
  const { withdraw, list, data, proxy, listed } = await startFenced({ ...own, allowStopAll: true });
  expect((await withdraw(consent)).status).toBe(200);
  expect([await data(), await data(other)]).toMatchObject([fenced, fenced]);
  expect((await proxy.call(locationOf(), { brand: 'brand_b' })).status).toBe(200);
  listed.vins = [other];
  await list();
  expect(await data()).toMatchObject(fenced);
  expect((await data(other)).status).toBe(200);
  await withdraw(consent);
  expect(await data(other)).toMatchObject(fenced);
});

it('with tokens of many owners, a withdrawal of all fences the vehicles of one owner alone', async () => {
  const { withdraw, list, data, listed } = await startFenced({ allowStopAll: true });
  listed.vins = [vin];
  await list('one');
  listed.vins = [other];
  await list('two');
  expect((await withdraw(consent, 'one')).status).toBe(200);
  expect([
    await data(vin, 'one'),
    await data(vin, 'newer-token'),
    await data('TESTVEHCLE0000009', 'one'),
  ]).toMatchObject([fenced, fenced, fenced]);
  expect((await data(other, 'two')).status).toBe(200);
  listed.vins = [vin];
  await list('one');
  expect((await data(vin, 'one')).status).toBe(200);
  expect(await data('TESTVEHCLE0000009', 'one')).toMatchObject(fenced);
});

it.each([
  { story: 'that has just started', idleMs: null },
  { story: 'that was idle for an hour', idleMs: 3_600_000 },
])('in a Worker isolate $story, no request passes before it knows what others have blocked', async ({ idleMs }) => {
  const names = new BlockNames('shared');
  const texts: string[] = [];
  const readings: (() => void)[] = [];
  let onReading = (_: number) => {};
  const read = () =>
    new Promise<JournalReading>((resolve) => {
      onReading(readings.push(() => resolve({ texts: [...texts], isWhole: true })));
    });
  const readingsBegun = (count: number) =>
    new Promise<void>((resolve) => {
      onReading = (begun) => begun === count && resolve();
    });
  const endReadings = () => {
    for (const end of readings.splice(0)) end();
  };
  fakeClocks({ toFake: ['performance'] });
  const blocks = new SharedBlocks({ append: async () => {}, remove: async () => {}, read });
  const { data, upstream } = await startFenced({ fence: new Fence({ names, blocks, looksWithRequests: true }) });
  if (idleMs !== null) {
    const begun = readingsBegun(1);
    const first = data();
    await begun;
    endReadings();
    expect((await first).status).toBe(200);
    vi.advanceTimersByTime(idleMs);
  }
  const sent = upstream.requests().length;
  texts.push(blockText('fence', newTag(Date.now()), await names.vehicle('brand_a', vin)));
  const begun = readingsBegun(2);
  const responses = [data(), data(vin, 'another-client')];
  await Promise.race([begun, ...responses]);
  endReadings();
  for (const response of responses) expect(await response).toMatchObject(fenced);
  expect(upstream.requests()).toHaveLength(sent);
  // What is known is young now.
  expect(await data()).toMatchObject(fenced);
  expect(readings).toHaveLength(0);
});
