import { afterEach, describe, expect, it } from 'vitest';
import { anonymous, type ClientAuth } from '../src/auth/client.js';
import type { ProxyConfig } from '../src/config.js';
import type { ClientTimes } from '../src/node/server.js';
import { eventually } from './faults/run-fault.ts';
import { startProxy, type TestProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { valuesOf } from './support/read-messages.ts';
import {
  answerSuccess,
  answerWith,
  type Behaviour,
  type RecordingUpstream,
  startRecordingUpstream,
  successBody,
} from './support/recording-upstream.ts';

const call = 'GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n\r\n';
const head = (length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const failure =
  '{"error":{"code":"5001","message":"m","details":[],"timestamp":"2026-01-01T00:00:00Z","requestId":"upstream-1"}}';
const endless: Behaviour = (socket) => {
  socket.write(`${head(1_000_000_000)}{"a":"`);
  const piece = Buffer.alloc(65_536, 'a');
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function setUp(behave: Behaviour, config: Partial<ProxyConfig> = {}, times: Partial<ClientTimes> = {}) {
  const upstream: RecordingUpstream = await startRecordingUpstream(behave);
  const proxy: TestProxy = await startProxy({ upstreamUrl: upstream.url, ...config }, times);
  cleanUp.push(
    () => upstream.close(),
    () => proxy.close(),
  );
  const connect = () => {
    const client = new RawCaller(proxy.port);
    cleanUp.push(() => client.close());
    return client;
  };
  return { upstream, proxy, connect };
}

describe('a client', () => {
  it('that leaves while the service is silent has its call to the service ended within a second', async () => {
    const { upstream, proxy, connect } = await setUp(() => {});
    const client = connect();
    client.send(call);
    await eventually(() => upstream.requests().length === 1);
    client.socket.resetAndDestroy();
    await eventually(() => upstream.open() === 0, 1000);
    expect(proxy.pipeline.inFlight).toBe(0);
    expect(proxy.records.at(-1)).toMatchObject({ code: 'client-closed-request', status: 0 });
  });

  it('that closes its side while the service is silent is waited for one second, then its call is ended', async () => {
    const { upstream, connect } = await setUp(() => {});
    const client = connect();
    client.send(call);
    await eventually(() => upstream.requests().length === 1);
    client.socket.end();
    await eventually(() => upstream.open() === 0, 2000);
  });

  it('that leaves in the middle of an answer has its call to the service ended within a second', async () => {
    const { upstream, connect } = await setUp(endless);
    const client = connect();
    client.send(call);
    await client.until(() => client.received.length > 100_000, 3000);
    client.close();
    await eventually(() => upstream.open() === 0, 1000);
  });

  it('that half-closes right after its request still gets the answer, whole', async () => {
    const { connect } = await setUp((socket, ...rest) => void setTimeout(() => answerSuccess(socket, ...rest), 100));
    const client = connect();
    client.send(call);
    client.socket.end();
    const [answer] = await client.answers(1);
    expect(statusOf(answer)).toBe(200);
    expect(answer?.body.toString()).toBe(successBody());
    expect(await client.ended()).toBe('closed');
  });

  it('that never reads makes the service wait, costs little memory and is broken off at the deadline', async () => {
    const { upstream, proxy, connect } = await setUp(endless, { deadlineMs: 1500 });
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
    const { proxy, connect } = await setUp(answerSuccess);
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
    expect(statusOf((await other.answers(1))[0])).toBe(200);
    expect(proxy.server.open).toBe(2);
  });

  it('that sends five thousand requests at once gets five thousand answers in order', async () => {
    const { connect } = await setUp(answerSuccess);
    const client = connect();
    const numbers = Array.from({ length: 5000 }, (_, index) => `number-${index}`);
    client.send(numbers.map((id) => `GET /nothing HTTP/1.1\r\nHost: p\r\nX-Request-Id: ${id}\r\n\r\n`).join(''));
    const answers = await client.answers(5000);
    expect(answers.map((answer) => valuesOf(answer, 'x-request-id')[0])).toEqual(numbers);
  });

  it('that drips its request gets 408 and is closed', async () => {
    const { upstream, connect } = await setUp(answerSuccess, {}, { headMs: 300 });
    const client = connect();
    let at = 0;
    const timer = setInterval(() => {
      if (client.ending === 'open') client.send(call[at++] ?? '');
    }, 50);
    cleanUp.push(() => clearInterval(timer));
    const [answer] = await client.answers(1, 3000);
    expect(statusOf(answer)).toBe(408);
    expect(await client.ended()).toBe('closed');
    expect(upstream.records).toHaveLength(0);
  });

  it('has ten seconds for its request when nothing else is set', async () => {
    const { proxy } = await setUp(answerSuccess);
    expect(proxy.server.times.headMs).toBe(10_000);
  });

  it('that opens a connection and says nothing is closed without an answer', async () => {
    const { connect } = await setUp(answerSuccess, {}, { headMs: 200 });
    const client = connect();
    await client.ended(3000);
    expect(client.received.length).toBe(0);
  });

  it('that keeps a connection and says nothing more is closed after the idle time', async () => {
    const { connect } = await setUp(answerSuccess, {}, { idleMs: 200 });
    const client = connect();
    client.send(call);
    await client.answers(1);
    await client.ended(3000);
    expect(client.reading().messages).toHaveLength(1);
  });

  it('gets its answer in pieces as slowly as it reads, byte for byte', async () => {
    const long = Buffer.from(successBody({ vehicles: [], filler: 'x'.repeat(3_000_000) }));
    const { connect } = await setUp((socket) => socket.write(answerWith(long)));
    const client = connect();
    client.send(call);
    for (let turn = 0; turn < 10; turn++) {
      client.socket.pause();
      await new Promise((resolve) => setTimeout(resolve, 20));
      client.socket.resume();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const [answer] = await client.answers(1);
    expect(answer?.body.equals(long)).toBe(true);
  });

  it('of HTTP/1.0 gets chunks as one body that ends with the connection, and a reset when it is cut', async () => {
    const { upstream, connect } = await setUp((socket) =>
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

describe('the service', () => {
  it('that closes a kept-alive connection between two calls is reached again, also by a withdrawal', async () => {
    const { upstream, connect } = await setUp((socket, ...rest) => {
      answerSuccess(socket, ...rest);
      setTimeout(() => socket.destroy(), 5);
    });
    const client = connect();
    for (let turn = 1; turn <= 6; turn++) {
      const line = turn % 2 === 0 ? 'DELETE /v1/vehicles/consent?vin=KMHXX00XXXX000001' : 'GET /v1/vehicles/consent';
      client.send(`${line} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n`);
      expect(statusOf((await client.answers(turn))[turn - 1])).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, turn * 2));
    }
    const withdrawals = upstream.requests().filter((request) => request.start.startsWith('DELETE'));
    expect(withdrawals).toHaveLength(3);
  });

  it('that resets one call is asked once more for a GET, and the client sees nothing of it', async () => {
    let calls = 0;
    const { connect } = await setUp((socket, ...rest) =>
      ++calls === 1 ? socket.resetAndDestroy() : answerSuccess(socket, ...rest),
    );
    const client = connect();
    client.send(call);
    expect(statusOf((await client.answers(1))[0])).toBe(200);
    expect(calls).toBe(2);
  });

  it('that resets every call is not asked twice as often: the retry budget runs out', async () => {
    const { upstream, proxy } = await setUp((socket) => socket.resetAndDestroy());
    for (let turn = 0; turn < 15; turn++) {
      const client = new RawCaller(proxy.port);
      client.send(call);
      await client.answers(1);
      client.close();
    }
    expect(upstream.requests().length).toBeLessThanOrEqual(15 + 12);
  });

  it('that fails most calls is left alone: 503 with Retry-After, until a trial call succeeds', async () => {
    const failure = JSON.stringify({ error: { code: '5001', message: 'm', details: [] } });
    const { upstream, proxy, connect } = await setUp((socket) => socket.write(answerWith(failure, '500 Failed')));
    const client = connect();
    const statuses: number[] = [];
    for (let turn = 1; turn <= 25; turn++) {
      client.send(call);
      statuses.push(statusOf((await client.answers(turn))[turn - 1]));
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
    ['requests that fail with an envelope of the service', 500, 'application/json', failure],
    ['requests that end a gateway with its own 502', 502, 'text/html', '<h1>no</h1>'],
  ])('that fails all %s of one client serves the other one at 99 %% or more', async (_, status, type, body) => {
    const bad = `HTTP/1.1 ${status} No\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const upstream = await startRecordingUpstream((socket, request) =>
      socket.write(request.start.includes('/locations') ? bad : answerWith(successBody())),
    );
    const clientAuth: ClientAuth = {
      challenge: 'Name',
      authenticate: (request) => ({ ...anonymous, id: request.header('x-api-key') ?? '' }),
    };
    const proxy = await startProxy({ upstreamUrl: upstream.url, validateResponses: 'off' }, {}, { clientAuth });
    const [good, failing] = [new RawCaller(proxy.port), new RawCaller(proxy.port)];
    cleanUp.push(
      () => upstream.close(),
      () => proxy.close(),
      () => good.close(),
      () => failing.close(),
    );
    const request = (path: string, client: string) =>
      `GET ${path} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\nX-Api-Key: ${client}\r\n\r\n`;
    let served = 0;
    // Five requests of the failing client, each for another vehicle, beside every one of the other.
    for (let round = 1; round <= 200; round++) {
      for (let index = 0; index < 5; index++)
        failing.send(request(`/v1/vehicles/TESTVEHCL${String(round * 5 + index).padStart(8, '0')}/locations`, 'bad'));
      good.send(request('/v1/vehicles/consent', 'good'));
      const answers = await good.answers(round);
      if (statusOf(answers[round - 1]) === 200) served++;
    }
    await failing.answers(1000);
    expect(served).toBeGreaterThanOrEqual(198);
  });

  it('gets no more calls at once than the limit; the rest is shed at once with 503 and Retry-After', async () => {
    const { upstream, proxy, connect } = await setUp(() => {}, { maxInFlight: 3 });
    const clients = Array.from({ length: 3 }, connect);
    for (const client of clients) client.send(call);
    await eventually(() => upstream.requests().length === 3);
    const fourth = connect();
    fourth.send(call);
    const [shed] = await fourth.answers(1);
    expect(statusOf(shed)).toBe(503);
    expect(shed?.headers).toContainEqual(['retry-after', '1']);
    expect(JSON.parse(shed?.body.toString() ?? '')).toMatchObject({ error: { code: 'overloaded' } });
    for (const client of clients) client.close();
    await eventually(() => proxy.pipeline.inFlight === 0);
  });

  it('is waited for while it sends a good answer slowly, up to the deadline of the call', async () => {
    const body = successBody();
    const { connect } = await setUp((socket) => {
      socket.write(head(body.length));
      for (let at = 0; at < body.length; at += 20) setTimeout(() => socket.write(body.slice(at, at + 20)), at * 3);
    });
    const client = connect();
    client.send(call);
    expect((await client.answers(1))[0]?.body.toString()).toBe(body);
  });
});
