import { describe, expect, it, onTestFinished } from 'vitest';
import { anonymous, type ClientAuth } from '../src/auth/client.js';
import type { ProxyConfig } from '../src/config.js';
import type { ClientTimes } from '../src/node/server.js';
import { eventually } from './faults/run-fault.ts';
import { statusOf } from './support/raw-client.ts';
import { valuesOf } from './support/read-messages.ts';
import { type Behaviour, respondSuccess, responseWith, successBody } from './support/recording-upstream.ts';
import { rejection, startProxy, startRawUpstream } from './support/set-up.ts';

const call = 'GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n\r\n';
const head = (length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const failure = rejection('5001').body ?? '';
const endless: Behaviour = (socket) => {
  socket.write(`${head(1_000_000_000)}{"a":"`);
  const piece = Buffer.alloc(65_536, 'a');
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

async function start(behave?: Behaviour, config: Partial<ProxyConfig> = {}, times: Partial<ClientTimes> = {}) {
  const upstream = await startRawUpstream(behave);
  const proxy = await startProxy({ upstreamUrl: upstream.url, ...config }, {}, times);
  return { upstream, proxy, connect: proxy.connect };
}

describe('a client', () => {
  it('that leaves while the upstream is silent has its request to the upstream ended within a second', async () => {
    const { upstream, proxy, connect } = await start(() => {});
    const client = connect();
    client.send(call);
    await eventually(() => upstream.requests().length === 1);
    client.socket.resetAndDestroy();
    await eventually(() => upstream.open() === 0, 1000);
    expect(proxy.pipeline.inFlight).toBe(0);
    expect(proxy.records.at(-1)).toMatchObject({ code: 'client-closed-request', status: 0 });
  });

  it('that closes its side while the upstream is silent is waited for one second, then its request is ended', async () => {
    const { upstream, connect } = await start(() => {});
    const client = connect();
    client.send(call);
    await eventually(() => upstream.requests().length === 1);
    client.socket.end();
    await eventually(() => upstream.open() === 0, 2000);
  });

  it('that leaves in the middle of a response has its request to the upstream ended within a second', async () => {
    const { upstream, connect } = await start(endless);
    const client = connect();
    client.send(call);
    await client.until(() => client.received.length > 100_000, 3000);
    client.close();
    await eventually(() => upstream.open() === 0, 1000);
  });

  it('that half-closes right after its request still gets the whole response', async () => {
    const { connect } = await start((socket, ...rest) => void setTimeout(() => respondSuccess(socket, ...rest), 100));
    const client = connect();
    client.send(call);
    client.socket.end();
    const [response] = await client.responses(1);
    expect(statusOf(response)).toBe(200);
    expect(response?.body.toString()).toBe(successBody());
    expect(await client.ended()).toBe('closed');
  });

  it('that never reads makes the upstream wait, costs little memory and is broken off at the deadline', async () => {
    const { upstream, proxy, connect } = await start(endless, { deadlineMs: 1500 });
    const client = connect();
    client.socket.pause();
    client.send(call);
    // Until the kernel's buffers of two connections and one read buffer are full; the response has a gigabyte.
    let written = -1;
    const writtenSince = () => {
      const before = written;
      written = upstream.records[0]?.socket.bytesWritten ?? 0;
      return written - before;
    };
    await expect.poll(writtenSince, { interval: 300, timeout: 10_000 }).toBe(0);
    expect(written).toBeLessThan(100_000_000);
    await eventually(() => upstream.open() === 0, 3000);
    await eventually(() => proxy.server.open === 0, 3000);
    expect(proxy.records.at(-1)).toMatchObject({ code: 'client-too-slow' });
  });

  it('that never reads its error responses is not read from either', async () => {
    const { proxy, connect } = await start();
    const client = connect();
    client.socket.pause();
    const flood = 'GET /nothing HTTP/1.1\r\nHost: p\r\n\r\n'.repeat(2000);
    let accepted = 0;
    for (let round = 0; round < 400 && accepted === round; round++) {
      if (client.socket.write(flood)) accepted++;
      else
        await Promise.race([
          new Promise((resolve) => client.socket.once('drain', () => resolve(accepted++))),
          new Promise((resolve) => setTimeout(resolve, 400)),
        ]);
    }
    expect(accepted).toBeLessThan(400);
    const other = connect();
    other.send(call);
    expect(statusOf((await other.responses(1))[0])).toBe(200);
    expect(proxy.server.open).toBe(2);
  });

  it('that sends five thousand requests at once gets five thousand responses in order', async () => {
    const { connect } = await start();
    const client = connect();
    const numbers = Array.from({ length: 5000 }, (_, index) => `number-${index}`);
    client.send(numbers.map((id) => `GET /nothing HTTP/1.1\r\nHost: p\r\nX-Request-Id: ${id}\r\n\r\n`).join(''));
    const responses = await client.responses(5000);
    expect(responses.map((response) => valuesOf(response, 'x-request-id')[0])).toEqual(numbers);
  });

  it('that drips its request gets 408 and is closed', async () => {
    expect((await start()).proxy.server.times.headMs).toBe(10_000);
    const { upstream, connect } = await start(undefined, {}, { headMs: 300 });
    const client = connect();
    let at = 0;
    const timer = setInterval(() => {
      if (client.ending === 'open') client.send(call[at++] ?? '');
    }, 50);
    onTestFinished(() => clearInterval(timer));
    const [response] = await client.responses(1, 3000);
    expect(statusOf(response)).toBe(408);
    expect(await client.ended()).toBe('closed');
    expect(upstream.records).toHaveLength(0);
  });

  it('that opens a connection and is silent is closed, also after a response', async () => {
    const { connect } = await start(undefined, {}, { headMs: 200, idleMs: 200 });
    const [silent, idle] = [connect(), connect()];
    idle.send(call);
    await Promise.all([silent.ended(3000), idle.ended(3000)]);
    expect([silent.received.length, idle.reading().messages.length]).toEqual([0, 1]);
  });

  it('of HTTP/1.0 gets chunks as one body that ends with the connection, and a reset when it is cut', async () => {
    const { upstream, connect } = await start((socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      ),
    );
    const old = call.replace('HTTP/1.1', 'HTTP/1.0');
    const first = connect();
    first.send(old);
    expect(await first.ended()).toBe('closed');
    expect(first.received.toString()).toMatch(/\r\n\r\n\{\}$/);
    upstream.behave = (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n');
    const second = connect();
    second.send(old);
    expect(await second.ended()).toBe('reset');
  });
});

describe('an upstream', () => {
  it('that closes a kept-alive connection between two requests is reached again, also by a withdrawal', async () => {
    const { upstream, connect } = await start((socket, ...rest) => {
      respondSuccess(socket, ...rest);
      setTimeout(() => socket.destroy(), 5);
    });
    const client = connect();
    for (let turn = 1; turn <= 6; turn++) {
      const line = turn % 2 === 0 ? 'DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001' : 'GET /v1/vehicles/consent';
      client.send(`${line} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n`);
      expect(statusOf((await client.responses(turn))[turn - 1])).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, turn * 2));
    }
    const withdrawals = upstream.requests().filter((request) => request.start.startsWith('DELETE'));
    expect(withdrawals).toHaveLength(3);
  });

  it('that resets one request gets a GET once more, and the client sees nothing of it', async () => {
    let calls = 0;
    const { connect } = await start((socket, ...rest) =>
      ++calls === 1 ? socket.resetAndDestroy() : respondSuccess(socket, ...rest),
    );
    const client = connect();
    client.send(call);
    expect(statusOf((await client.responses(1))[0])).toBe(200);
    expect(calls).toBe(2);
  });

  it('that resets every request does not get twice as many: the retry budget runs out', async () => {
    const { upstream, connect } = await start((socket) => socket.resetAndDestroy());
    for (let turn = 0; turn < 15; turn++) {
      const client = connect();
      client.send(call);
      await client.responses(1);
      client.close();
    }
    expect(upstream.requests().length).toBeLessThanOrEqual(15 + 12);
  });

  it('that fails most requests opens the circuit breaker: 503 with Retry-After', async () => {
    const { upstream, proxy, connect } = await start((socket) => socket.write(responseWith(failure, '500 Failed')));
    const client = connect();
    const statuses: number[] = [];
    for (let turn = 1; turn <= 25; turn++) {
      client.send(call);
      statuses.push(statusOf((await client.responses(turn))[turn - 1]));
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(500));
    expect(statuses.slice(20)).toEqual(Array(5).fill(503));
    const shed = client.reading().messages.at(-1);
    expect(shed?.headers).toContainEqual(['retry-after', '5']);
    expect(upstream.requests()).toHaveLength(20);
    expect(proxy.pipeline.forwarder.breakers.state).toBe('open');
  });

  it.each([
    ['tokens that a gateway rejects with its own 401', 401, 'text/html', '<h1>no</h1>'],
    ['requests that fail with an error envelope', 500, 'application/json', failure],
    ['requests that end a gateway with its own 502', 502, 'text/html', '<h1>no</h1>'],
  ])('that fails all %s of one client serves the other one at 99 %% or more', async (_, status, type, body) => {
    const bad = `HTTP/1.1 ${status} No\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const clientAuth: ClientAuth = {
      challenge: 'Name',
      authenticate: (request) => ({ ...anonymous, id: request.header('x-api-key') ?? '' }),
    };
    const upstream = await startRawUpstream((socket, request) =>
      socket.write(request.start.includes('/locations') ? bad : responseWith(successBody())),
    );
    const { connect } = await startProxy({ upstreamUrl: upstream.url, validateResponses: 'off' }, { clientAuth });
    const [good, failing] = [connect(), connect()];
    const request = (path: string, client: string) =>
      `GET ${path} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\nX-Api-Key: ${client}\r\n\r\n`;
    let served = 0;
    // Five requests of the failing client, each for another vehicle, beside every one of the other.
    for (let round = 1; round <= 200; round++) {
      for (let index = 0; index < 5; index++)
        failing.send(request(`/v1/vehicles/TESTVEHCL${String(round * 5 + index).padStart(8, '0')}/locations`, 'bad'));
      good.send(request('/v1/vehicles/consent', 'good'));
      const responses = await good.responses(round);
      if (statusOf(responses[round - 1]) === 200) served++;
    }
    await failing.responses(1000);
    expect(served).toBeGreaterThanOrEqual(198);
  });

  it('gets no more requests at once than the limit; the rest is shed at once with 503 and Retry-After', async () => {
    const { upstream, proxy, connect } = await start(() => {}, { maxInFlight: 3 });
    const clients = Array.from({ length: 3 }, connect);
    for (const client of clients) client.send(call);
    await eventually(() => upstream.requests().length === 3);
    const fourth = connect();
    fourth.send(call);
    const [shed] = await fourth.responses(1);
    expect(statusOf(shed)).toBe(503);
    expect(shed?.headers).toContainEqual(['retry-after', '1']);
    expect(JSON.parse(shed?.body.toString() ?? '')).toMatchObject({ error: { code: 'overloaded' } });
    for (const client of clients) client.close();
    await eventually(() => proxy.pipeline.inFlight === 0);
  });

  it('is waited for while it sends a good response slowly, up to the deadline', async () => {
    const body = successBody();
    const { connect } = await start((socket) => {
      socket.write(head(body.length));
      for (let at = 0; at < body.length; at += 20) setTimeout(() => socket.write(body.slice(at, at + 20)), at * 3);
    });
    const client = connect();
    client.send(call);
    expect((await client.responses(1))[0]?.body.toString()).toBe(body);
  });

  it('gets as many connections as requests were in flight at once, however many follow', async () => {
    const waiting: (() => void)[] = [];
    const { upstream, connect } = await start((...request) => {
      if (waiting.push(() => respondSuccess(...request)) === 200) for (const respond of waiting.splice(0)) respond();
    });
    const clients = Array.from({ length: 200 }, connect);
    for (let round = 1; round <= 3; round++) {
      for (const client of clients) client.send(call);
      const responses = await Promise.all(clients.map((client) => client.responses(round)));
      expect(new Set(responses.map((given) => statusOf(given.at(-1))))).toEqual(new Set([200]));
    }
    expect(upstream.records).toHaveLength(200);
  });
});
