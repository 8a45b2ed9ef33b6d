import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../src/app.js';
import { anonymous, type ClientAuth } from '../src/auth/client.js';
import { createMetrics } from '../src/node/metrics.js';
import { type Behavior, errorBody, respondSuccess, responseWith, successBody } from './support/servers.ts';
import {
  byName,
  consent,
  fakeClocks,
  locationOf,
  type ProxyOptions,
  requestLines,
  stall,
  startPair,
} from './support/set-up.ts';
import { statusOf, valuesOf } from './support/wire.ts';

const call = requestLines('GET /v1/vehicles/consent');
const withdrawal = requestLines('DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001');
const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
const health = 'GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n';
const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const failed = responseWith(errorBody('5001'), '500 Failed');
const silent: Behavior = () => {};
const endless: Behavior = (socket) => {
  socket.write(`${json}Content-Length: 1000000000\r\n\r\n{"a":"`);
  const piece = Buffer.alloc(65_536, 'a');
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

/** A proxy whose upstream holds its response back until `respond`. */
async function startHeld(options: ProxyOptions = {}) {
  const held: (() => void)[] = [];
  const hold: Behavior = (...request) => void held.push(() => respondSuccess(...request));
  return {
    ...(await startPair(hold, { deadlineMs: 60_000, ...options })),
    respond: () => {
      for (const respond of held.splice(0)) respond();
    },
  };
}

/** The proxy's sides of the connections that clients make from now on. */
function socketsOf(proxy: { readonly port: number }): readonly Socket[] {
  const sockets: Socket[] = [];
  const keep = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === proxy.port) sockets.push(socket);
  };
  subscribe('net.server.socket', keep);
  onTestFinished(() => void unsubscribe('net.server.socket', keep));
  return sockets;
}

/** What a number has grown by since the last call, 1 until it does. A busy event loop reads or writes between two calls. */
function growthOf(value: () => number): () => number {
  const start = value();
  let last = start;
  return () => {
    const before = last;
    last = value();
    return last === start ? 1 : last - before;
  };
}

describe('a client', () => {
  it.each([
    { what: 'leaves while the upstream is silent', behave: silent, bytes: call, leave: 'resetAndDestroy' },
    {
      what: 'closes its side while the upstream is silent, which is waited for one second',
      behave: silent,
      bytes: call,
      leave: 'end',
    },
    // An error that nobody handles would end the program; here it fails the run.
    {
      what: 'leaves with requests that wait for another one, also after CONNECT',
      behave: silent,
      bytes: call + call + tunnel,
      leave: 'resetAndDestroy',
    },
    { what: 'leaves in the middle of a response', behave: endless, bytes: call, leave: 'resetAndDestroy' },
  ] as const)('has its requests to the upstream ended when it $what', async ({ behave, bytes, leave }) => {
    const { upstream, proxy, connect } = await startPair(behave, { deadlineMs: 60_000 });
    const client = connect();
    client.send(bytes);
    const requests = bytes.split(call).length - 1;
    await expect.poll(() => upstream.requests().length).toBe(requests);
    if (behave === endless) await client.until(() => client.received.length > 100_000, 60_000);
    client.socket[leave]();
    await expect.poll(upstream.open).toBe(0);
    await expect.poll(() => proxy.pipeline.inFlight).toBe(0);
    expect(proxy.records.map(({ code }) => code)).toEqual(Array(requests).fill('client-closed-request'));
  });

  it('that sends a request while the proxy drains gets its response, and a closed connection', async () => {
    const { proxy, connect } = await startPair();
    const client = connect();
    await client.request(call);
    proxy.pipeline.draining = true;
    const response = await client.request(call);
    expect([statusOf(response), valuesOf(response, 'connection')]).toEqual([200, ['close']]);
    expect(await client.ended()).toBe('closed');
  });

  it.each([
    { what: 'its request', before: 0, last: call, bodies: [successBody()] },
    { what: 'its second request', before: 1, last: call, bodies: [successBody(), successBody()] },
    {
      what: 'further requests',
      before: 1,
      last: call + health,
      bodies: [successBody(), successBody(), '{"status":"ok"}'],
    },
  ])(
    'still gets the whole of each response when it half-closes right after $what',
    async ({ before, last, bodies }) => {
      const behave: Behavior = (...request) => void setTimeout(() => respondSuccess(...request), 100);
      const { upstream, connect } = await startPair(behave, { halfClosedMs: 10_000 });
      const client = connect();
      client.send(call.repeat(before));
      await expect.poll(() => upstream.requests().length).toBe(before);
      client.socket.end(last);
      expect(await client.ended()).toBe('closed');
      expect(client.reading().messages.map(({ body }) => body.toString())).toEqual(bodies);
    },
  );

  it('that half-closes, or sends the rest of its request, while the app is made for it gets its response', async () => {
    const { connect } = await startPair(undefined, { makeApp: (pipeline) => wait(100, createApp(pipeline)) });
    const [client, other] = [connect(), connect()];
    client.socket.end(health);
    other.send(health.slice(0, 9));
    await wait(50);
    other.send(health.slice(9));
    expect(await client.ended()).toBe('closed');
    expect(client.reading().messages.map(statusOf)).toEqual([200]);
    expect((await other.responses(1)).map(statusOf)).toEqual([200]);
  });

  it('that sends requests piece by piece, while long and short responses fill its connection, gets every response', {
    timeout: 240_000,
  }, async () => {
    // A request waits for those before it, which is long where the machine does other work.
    const patient = { deadlineMs: 200_000, bodyIdleMs: 200_000, sendTimeoutMs: 200_000 };
    const { connect } = await startPair((socket, { start }) => {
      const long = start.includes('LONG') ? 'a'.repeat(200_000) : '';
      setTimeout(() => socket.write(responseWith(successBody({ long }))), Number(start.slice(-20, -19)) * 5);
    }, patient);
    const kinds = [
      (index: number) => requestLines(`GET ${locationOf(`LONGVEHCLE000000${index % 7}`)}`),
      (index: number) => requestLines(`GET ${locationOf(`TESTVEHCLE000000${index % 7}`)}`),
      () => requestLines('GET /nothing'),
      () => health,
    ];
    const count = 80;
    const bytes = Array.from({ length: count }, (_, index) => kinds[index % 4]?.(index)).join('');
    const clients = [connect(), connect()];
    for (let at = 0; at < bytes.length; at += 1700) {
      for (const client of clients) client.send(bytes.slice(at, at + 1700));
      await wait(5);
    }
    for (const client of clients) {
      // Eight megabytes go through one process.
      const statuses = (await client.responses(count, 200_000)).map(statusOf);
      expect(statuses).toEqual(Array.from({ length: count }, (_, index) => (index % 4 === 2 ? 404 : 200)));
    }
  });

  it('that wants to upgrade gets a response and a closed connection, and nothing behind it is read', async () => {
    const { upstream, connect } = await startPair();
    const client = connect();
    // A parser that loses the end of a piece would take the value for a request.
    client.send(
      `${requestLines('GET /v1/vehicles/consent', 'Connection: Upgrade', 'Upgrade: h2c')}GET / HTTP/1.1\r\nX: `,
    );
    await client.responses(1);
    client.send(withdrawal);
    expect(await client.ended()).toBe('closed');
    expect(client.reading().messages.map(statusOf)).toEqual([200]);
    expect(upstream.requests()).toHaveLength(1);
  });

  it('that still sends when it is rejected gets the response before the connection ends', async () => {
    const { connect } = await startPair();
    for (let turn = 0; turn < 5; turn++) {
      const client = connect();
      client.send(requestLines('POST /v1/vehicles/consent', 'Content-Length: 20000000'));
      client.send(Buffer.alloc(20_000_000));
      expect(await client.ended()).toBe('closed');
      expect(client.reading().messages.map(statusOf)).toEqual([413]);
    }
  });

  it('that never closes a connection that the proxy ends is dropped', async () => {
    const clientAuth: ClientAuth = { challenge: 'Name', authenticate: () => null };
    const { proxy, connect } = await startPair(undefined, { clientAuth });
    for (const bytes of [call, 'GET /#a HTTP/1.1\r\nHost: p\r\n\r\n', 'no HTTP\r\n\r\n']) {
      const client = connect();
      client.send(bytes);
      expect(await client.ended()).toBe('closed');
    }
    await expect.poll(() => proxy.server.open).toBe(0);
  });

  it('whose connection a response closes has none of its waiting requests begun', async () => {
    const clientAuth: ClientAuth = {
      challenge: 'Name',
      authenticate: (request) => (request.header('x-api-key') === 'bad' ? { rejected: 'bad' } : anonymous),
    };
    const { proxy, connect } = await startPair(silent, { clientAuth });
    const client = connect();
    client.send(requestLines('GET /v1/vehicles/consent', 'X-Api-Key: bad') + call.repeat(15) + withdrawal.repeat(3));
    expect(await client.ended()).toBe('closed');
    await expect.poll(() => proxy.pipeline.inFlight).toBe(0);
    expect(proxy.records.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it.each([
    {
      what: 'one of HTTP/1.0',
      bytes: call.replace('1.1\r\n', '1.0\r\nConnection: keep-alive\r\n'),
      statuses: [200],
    },
    { what: 'a malformed one', bytes: `${call}GET /#a HTTP/1.1\r\nHost: p\r\n\r\n`, statuses: [200, 400] },
    {
      what: 'one behind more than begin at once',
      bytes: `${call}${health.repeat(20)}GET /#a HTTP/1.1\r\nHost: p\r\n\r\n`,
      statuses: [...Array(21).fill(200), 400],
    },
  ])(
    'that sends a flood behind its last request has few of the flood read as requests: the last is $what',
    async ({ bytes, statuses }) => {
      const { upstream, proxy, connect, respond } = await startHeld();
      const sockets = socketsOf(proxy);
      let read = 0;
      const count = () => void read++;
      subscribe('http.server.request.start', count);
      onTestFinished(() => void unsubscribe('http.server.request.start', count));
      const client = connect();
      client.send(bytes);
      await expect.poll(() => upstream.requests().length).toBe(1);
      const flood = 'GET / HTTP/1.1\r\n\r\n'.repeat(100_000);
      client.send(flood);
      await expect.poll(() => sockets[0]?.bytesRead).toBe(bytes.length + flood.length);
      expect(read).toBeLessThan(10_000);
      respond();
      expect(await client.ended()).toBe('closed');
      expect(client.reading().messages.map(statusOf)).toEqual(statuses);
    },
  );

  it('that sends a thousand requests behind a slow one has few of them read or made before their turn, and gets all responses in order, also of what it sends meanwhile', async () => {
    const made = vi.fn(async () => undefined);
    const { upstream, proxy, connect, respond } = await startHeld({ makeApp: (pipeline) => createApp(pipeline, made) });
    // Afterwards the app is made.
    await connect().request(health);
    const sockets = socketsOf(proxy);
    const bytesRead = () => sockets[0]?.bytesRead ?? 0;
    const growth = growthOf(bytesRead);
    const client = connect();
    const numbers = Array.from({ length: 500 }, (_, index) => `number-${index}`);
    // Long, so that half of them is more than is read at once.
    const page = requestLines('GET /llms.txt', `X-Long: ${'a'.repeat(800)}`);
    const flood = numbers.map((id) => page + requestLines('GET /./x', `X-Request-Id: ${id}`)).join('');
    client.send(call + flood);
    await expect.poll(() => upstream.requests().length).toBe(1);
    client.send(health);
    await expect.poll(growth, { interval: 300 }).toBe(0);
    expect(bytesRead()).toBeLessThan(flood.length / 2);
    expect(made.mock.calls.length).toBeLessThan(100);
    respond();
    const responses = await client.responses(1002);
    expect(responses.map(statusOf)).toEqual([200, ...Array(1000).fill(404), 200]);
    const ids = responses.slice(1, -1).map((each) => valuesOf(each, 'x-request-id')[0]);
    expect(ids.filter((_, index) => index % 2 === 1)).toEqual(numbers);
  });

  it('that takes nothing for longer than a silent upstream may be still gets its whole response', async () => {
    // More than the kernel's buffers hold.
    const body = `{"a":"${'a'.repeat(30_000_000)}"}`;
    const { upstream, proxy, connect } = await startPair((socket) => socket.write(responseWith(body)), {
      bodyIdleMs: 3000,
    });
    const slow = connect();
    slow.socket.pause();
    slow.send(call);
    await expect.poll(() => upstream.requests().length).toBe(1);
    upstream.behave = (socket) => socket.write(responseWith(body).subarray(0, 1000));
    const other = connect();
    other.send(call);
    expect(await other.ended()).toBe('reset');
    expect(proxy.records.map(({ code }) => code)).toEqual(['upstream-timeout']);
    const whole = slow.longBody(body.length);
    slow.socket.resume();
    await whole;
  });

  it('that reads is not too slow while its second response waits for the first one', async () => {
    fakeClocks({ toFake: ['performance'] });
    let respondFirst = () => {};
    const { upstream, connect } = await startPair(
      (socket, request) => {
        if (request.start.includes('consent')) respondFirst = () => respondSuccess(socket, request);
        else socket.write(responseWith(successBody({ long: 'a'.repeat(200_000) })));
      },
      { deadlineMs: 600_000 },
    );
    const client = connect();
    client.send(call + requestLines(`GET ${locationOf()}`));
    await expect.poll(() => upstream.requests().length).toBe(2);
    for (let minute = 0; minute < 3; minute++) {
      // Time for the proxy to look at its clock.
      await wait(200);
      vi.advanceTimersByTime(60_000);
    }
    await wait(200);
    respondFirst();
    expect((await client.responses(2)).map(statusOf)).toEqual([200, 200]);
  });

  it('that never reads makes the upstream wait, costs little memory and is broken off', async () => {
    const { upstream, proxy, connect } = await startPair(endless, { sendTimeoutMs: 1500 });
    const client = connect();
    client.socket.pause();
    client.send(call);
    // Until the kernel's buffers of two connections and one read buffer are full; the response has a gigabyte.
    const bytesWritten = () => upstream.connections[0]?.socket.bytesWritten ?? 0;
    await expect.poll(growthOf(bytesWritten), { interval: 300 }).toBe(0);
    expect(bytesWritten()).toBeLessThan(100_000_000);
    await expect.poll(upstream.open).toBe(0);
    await expect.poll(() => proxy.server.open).toBe(0);
    expect(proxy.records.at(-1)).toMatchObject({ code: 'client-too-slow' });
  });

  it('that never reads its error responses, or pages of the proxy, is not read from either, and is closed when it has taken nothing for a while', async () => {
    // Long responses fill the kernel's buffers soon: one of 100 kB, and one with the most details that there are.
    const page = { contentType: 'text/plain', gzip: async () => new Uint8Array(100_000) };
    const makeApp: ProxyOptions['makeApp'] = (pipeline) => createApp(pipeline, async () => page);
    const { proxy, connect } = await startPair(undefined, { sendTimeoutMs: 4000, makeApp });
    const sockets = socketsOf(proxy);
    const bytesRead = () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
    const unknown = Array.from('abcdefghijkl', (name) => `${name.repeat(9)}=`).join('&');
    for (const path of [`${locationOf()}?${unknown}`, '/llms.txt']) {
      const before = bytesRead();
      const flood = requestLines(`GET ${path}`, 'Accept-Encoding: gzip').repeat(25_000);
      const { socket } = connect();
      socket.pause();
      socket.write(flood);
      await expect.poll(growthOf(bytesRead), { interval: 300 }).toBe(0);
      expect(socket.destroyed).toBe(false);
      expect(bytesRead() - before).toBeLessThan(flood.length / 2);
    }
    const other = connect();
    expect(statusOf(await other.request(call))).toBe(200);
    other.close();
    await expect.poll(() => proxy.server.open).toBe(0);
  });

  it('that never reads error responses of the upstream, asked for one by one, has few of them wait in memory, for longer than it may be idle', async () => {
    const long = responseWith(errorBody('4045', 'm'.repeat(60_000)), '404 Not Found');
    const times = { headMs: 2000, idleMs: 2000 };
    const { proxy, connect } = await startPair((socket) => socket.write(long), times);
    const sockets = socketsOf(proxy);
    let waitingBytes = 0;
    const client = connect();
    client.socket.pause();
    // The kernel's buffers hold about ten megabytes, which are 170 responses.
    let sent = 0;
    for (; sent < 400 && proxy.records.length === sent; sent++) {
      client.send(call);
      for (let waits = 0; waits < 1000 && proxy.records.length === sent; waits++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        waitingBytes = Math.max(waitingBytes, ...sockets.map(({ writableLength }) => writableLength));
      }
    }
    expect(sent).toBeLessThan(400);
    expect(waitingBytes).toBeGreaterThan(0);
    expect(waitingBytes).toBeLessThan(1_000_000);
    await wait(3000);
    client.socket.resume();
    expect((await client.responses(sent)).map(statusOf)).toEqual(Array(sent).fill(404));
    // The connection goes on as before.
    expect(statusOf(await client.request(call))).toBe(404);
  });

  it('that sends two requests at once gets the first response and a cut connection, where the second response is cut', async () => {
    const { connect } = await startPair((socket, request) => {
      if (request.start.includes('consent')) setTimeout(() => respondSuccess(socket, request), 100);
      else socket.end(responseWith(successBody()).toString().slice(0, -5));
    });
    const client = connect();
    client.send(call + requestLines('GET /v1/vehicles/KMHXX00XXXX000001/locations'));
    expect(await client.ended()).toMatch(/^(?:reset|closed)$/);
    expect(client.reading().messages.map(statusOf)).toEqual([200]);
  });

  it('that sends no HTTP, piece by piece, while its request is under way gets one error after its response', async () => {
    const { upstream, proxy, connect, respond } = await startHeld();
    const sockets = socketsOf(proxy);
    const client = connect();
    client.send(call);
    await expect.poll(() => upstream.requests().length).toBe(1);
    // Node's parser reports each of them.
    for (let piece = 0; piece < 3; piece++) {
      const before = sockets[0]?.bytesRead ?? 0;
      client.send('NO HTTP\r\n\r\n');
      await expect.poll(() => sockets[0]?.bytesRead).toBeGreaterThan(before);
    }
    respond();
    expect(await client.ended()).toBe('closed');
    expect(client.reading().messages.map(statusOf)).toEqual([200, 400]);
  });

  it('whose head waits in part because the proxy reads no more gets its response, and 408 only for what it has not sent', async () => {
    const { upstream, connect, respond } = await startHeld({ headMs: 400 });
    const clients = [connect(), connect()];
    // More than begin at once, and a part of one more.
    for (const client of clients) client.send(call + health.repeat(20) + health.slice(0, 9));
    await expect.poll(() => upstream.requests().length).toBe(2);
    await wait(100);
    const [whole, half] = clients;
    whole?.send(health.slice(9));
    await wait(1000);
    respond();
    expect((await whole?.responses(22))?.map(statusOf)).toEqual(Array(22).fill(200));
    expect(whole?.ending).toBe('open');
    expect(await half?.ended()).toBe('closed');
    expect(half?.reading().messages.map(statusOf)).toEqual([...Array(21).fill(200), 408]);
  });

  it('whose head has arrived while the process stalled gets its response, not 408', async () => {
    const headMs = 100;
    const { upstream, connect, respond } = await startHeld({ headMs });
    const client = connect();
    client.send(call + health.repeat(20) + health.slice(0, 9));
    await expect.poll(() => upstream.requests().length).toBe(1);
    await wait(2 * headMs);
    client.send(health.slice(9));
    respond();
    // Each turn of the event loop takes longer than a head may: what is in the system is read after the clock was looked at.
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      stall(2 * headMs);
    }
    expect((await client.responses(22)).map(statusOf)).toEqual(Array(22).fill(200));
  });

  it('whose first head has arrived while the process stalled gets its response, not 408', async () => {
    const headMs = 1000;
    const { proxy, connect } = await startPair(undefined, { headMs });
    const sockets = socketsOf(proxy);
    const client = connect();
    client.send(call.slice(0, 9));
    await vi.waitUntil(() => sockets[0]?.bytesRead === 9, { timeout: 60_000, interval: 1 });
    client.send(call.slice(9));
    for (let turn = 0; turn < 3; turn++) {
      stall(1.1 * headMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.responses(1)).map(statusOf)).toEqual([200]);
  });

  it('whose upstream accepted while the process stalled gets its response from the first connection', async () => {
    const { connect } = await startPair();
    const client = connect();
    client.send(health);
    await client.responses(1);
    // Until the time for a connection is over, nothing is read of the one that has begun.
    let connections = 0;
    const count = () => {
      connections++;
      setImmediate(() => stall(3100));
    };
    subscribe('net.client.socket', count);
    onTestFinished(() => void unsubscribe('net.client.socket', count));
    client.send(call);
    expect((await client.responses(2)).map(statusOf)).toEqual([200, 200]);
    expect(connections).toBe(1);
  });

  it.each([
    { what: 'a GET', request: call },
    { what: 'a DELETE', request: withdrawal },
  ])('whose upstream responded to $what before the process stalled gets the response', async ({ request }) => {
    const deadlineMs = 20_000;
    fakeClocks({ toFake: ['performance'] });
    const { proxy, connect } = await startPair(
      (socket, ...rest) => {
        respondSuccess(socket, ...rest);
        // The time of its deadline is over, and so is that between two looks at it, before anything can be read.
        vi.advanceTimersByTime(deadlineMs);
        stall(150);
      },
      { deadlineMs },
    );
    expect(statusOf(await connect().request(request))).toBe(200);
    expect(proxy.records.map(({ status, code }) => [status, code])).toEqual([[200, '']]);
  });

  it('that drips its request gets 408 and is closed', async () => {
    expect((await startPair()).proxy.server.times.headMs).toBe(10_000);
    const { upstream, connect } = await startPair(undefined, { headMs: 300 });
    const client = connect();
    let at = 0;
    const timer = setInterval(() => {
      if (client.ending === 'open') client.send(call[at++] ?? '');
    }, 50);
    onTestFinished(() => clearInterval(timer));
    const [response] = await client.responses(1);
    expect(statusOf(response)).toBe(408);
    expect(await client.ended()).toBe('closed');
    expect(upstream.connections).toHaveLength(0);
  });

  it('that opens a connection and is silent is closed, also after a response', async () => {
    const { connect } = await startPair(undefined, { headMs: 200, idleMs: 200 });
    const [silent, idle] = [connect(), connect()];
    idle.send(call);
    await Promise.all([silent.ended(), idle.ended()]);
    expect([silent.received.length, idle.reading().messages.length]).toEqual([0, 1]);
  });

  it('of HTTP/1.0 gets chunks as one body that ends with the connection, and a reset when it is cut', async () => {
    const chunks = `${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`;
    const { upstream, connect } = await startPair((socket) => socket.write(`${chunks}0\r\n\r\n`));
    const [first, second] = [connect(), connect()];
    first.send(call.replace('HTTP/1.1', 'HTTP/1.0'));
    expect(await first.ended()).toBe('closed');
    expect(first.received.toString()).toMatch(/\r\n\r\n\{\}$/);
    upstream.behave = (socket) => socket.end(chunks);
    second.send(call.replace('HTTP/1.1', 'HTTP/1.0'));
    expect(await second.ended()).toBe('reset');
  });
});

describe('an upstream', () => {
  it('that closes a kept-alive connection between two requests is reached again, also by a withdrawal', async () => {
    const { upstream, connect } = await startPair((socket, ...rest) => {
      respondSuccess(socket, ...rest);
      setTimeout(() => socket.destroy(), 5);
    });
    const client = connect();
    for (let turn = 1; turn <= 6; turn++) {
      expect(statusOf(await client.request(turn % 2 === 0 ? withdrawal : call))).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, turn * 2));
    }
    expect(upstream.requests().filter(({ start }) => start.startsWith('DELETE'))).toHaveLength(3);
  });

  it('gets a GET over a new connection when the kept one is older than many servers keep theirs', async () => {
    fakeClocks({ toFake: ['performance'] });
    const { upstream, connect } = await startPair();
    const client = connect();
    for (const [pauseMs, connections] of [
      [3400, 1],
      [3400, 1],
      [3600, 2],
    ] as const) {
      expect(statusOf(await client.request(call))).toBe(200);
      vi.advanceTimersByTime(pauseMs);
      expect(statusOf(await client.request(call))).toBe(200);
      expect(upstream.connections).toHaveLength(connections);
    }
  });

  it('that closes all the connections it kept, as one that restarts does, is reached by the next GET', async () => {
    const { upstream, connect } = await startPair(() => {});
    const clients = [connect(), connect(), connect()];
    for (const client of clients) client.send(call);
    await expect.poll(() => upstream.requests().length).toBe(3);
    for (const { socket } of upstream.connections) socket.write(responseWith(successBody()));
    for (const client of clients) expect((await client.responses(1)).map(statusOf)).toEqual([200]);
    // Requests meet their end while it is under way.
    const kept = new Set(upstream.connections.map(({ socket }) => socket));
    upstream.behave = (socket, ...rest) => (kept.has(socket) ? socket.destroy() : respondSuccess(socket, ...rest));
    expect(statusOf(await connect().request(call))).toBe(200);
    expect(upstream.requests()).toHaveLength(3 + 2);
  });

  it('that resets requests gets a GET once more, unseen by its client, until the retry budget runs out', async () => {
    const { upstream, connect } = await startPair((socket, ...rest) =>
      upstream.requests().length === 1 ? socket.resetAndDestroy() : respondSuccess(socket, ...rest),
    );
    expect(statusOf(await connect().request(call))).toBe(200);
    expect(upstream.requests()).toHaveLength(2);
    upstream.behave = (socket) => socket.resetAndDestroy();
    for (let turn = 0; turn < 15; turn++) await connect().request(call);
    expect(upstream.requests().length).toBeLessThanOrEqual(2 + 15 + 12);
  });

  it('that fails most requests opens the circuit breaker: 503 with Retry-After', async () => {
    const { upstream, proxy, connect } = await startPair((socket) => socket.write(failed));
    const client = connect();
    const statuses: number[] = [];
    for (let turn = 0; turn < 25; turn++) statuses.push(statusOf(await client.request(call)));
    expect(statuses).toEqual([...Array(20).fill(500), ...Array(5).fill(503)]);
    expect(valuesOf(client.reading().messages.at(-1), 'retry-after')).toEqual(['5']);
    expect(upstream.requests()).toHaveLength(20);
    expect(proxy.records.at(-1)?.reason).toBe('the circuit breaker is open');
  });

  it('that fails has each request counted that a breaker rejects, also one that is half-open', async () => {
    fakeClocks({ toFake: ['performance'] });
    const observer = createMetrics();
    const behave: Behavior = (socket) => socket.write(failed);
    const { connect } = await startPair(behave, { observer, clientAuth: byName });
    const client = connect();
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const name of 'ab'.repeat(12))
        statuses.push(statusOf(await client.request(requestLines('GET /v1/vehicles/consent', `X-Api-Key: ${name}`))));
      vi.advanceTimersByTime(5001);
    }
    vi.advanceTimersByTime(3_600_000);
    expect(statuses.filter((status) => status === 503)).toHaveLength(36);
    expect(await observer.registry.metrics()).toContain(`\nvds_proxy_circuit_breaker_rejections_total 36\n`);
  });

  it.each([
    {
      source: 'one client is rejected itself',
      lastStatus: 503,
      sourceOf: (turn: number) => ['failing', String(turn).padStart(17, '0')],
    },
    {
      source: 'one vehicle is not rejected',
      lastStatus: 500,
      sourceOf: (turn: number) => [`client-${turn}`, undefined],
    },
  ])(
    'that fails all requests of one client or vehicle serves those of others: $source',
    async ({ lastStatus, sourceOf }) => {
      const behave: Behavior = (socket, request) =>
        request.start.includes('consent') ? respondSuccess(socket, request) : socket.write(failed);
      const { connect } = await startPair(behave, { clientAuth: byName });
      const client = connect();
      // More than open the circuit breaker.
      for (let turn = 0; turn < 40; turn++) {
        const [name, vehicle] = sourceOf(turn);
        const failing = await client.request(requestLines(`GET ${locationOf(vehicle)}`, `X-Api-Key: ${name}`));
        if (turn === 39) expect(statusOf(failing)).toBe(lastStatus);
        expect(statusOf(await client.request(requestLines(`GET ${consent}`, 'X-Api-Key: other')))).toBe(200);
      }
    },
  );

  it('gets no more requests at once than the limit; the rest is shed at once with 503 and Retry-After', async () => {
    const { upstream, proxy, connect } = await startPair(silent, { maxInFlight: 3 });
    const clients = Array.from({ length: 3 }, connect);
    for (const client of clients) client.send(call);
    await expect.poll(() => upstream.requests().length).toBe(3);
    const shed = await connect().request(call);
    expect(statusOf(shed)).toBe(503);
    expect(valuesOf(shed, 'retry-after')).toEqual(['1']);
    expect(JSON.parse(shed?.body.toString() ?? '')).toMatchObject({ error: { code: 'overloaded' } });
    for (const client of clients) client.socket.resetAndDestroy();
    await expect.poll(() => proxy.pipeline.inFlight).toBe(0);
  });

  it('gets as many connections as requests were in flight at once, however many follow', async () => {
    // A connection that is idle for some seconds is closed.
    fakeClocks({ toFake: ['performance'] });
    const width = 100;
    const waiting: (() => void)[] = [];
    const { upstream, connect } = await startPair((...request) => {
      if (waiting.push(() => respondSuccess(...request)) === width) for (const respond of waiting.splice(0)) respond();
    });
    const clients = Array.from({ length: width }, connect);
    for (let round = 1; round <= 3; round++) {
      const responses = await Promise.all(clients.map((client) => client.request(call)));
      expect(new Set(responses.map(statusOf))).toEqual(new Set([200]));
    }
    expect(upstream.connections).toHaveLength(width);
  });
});
