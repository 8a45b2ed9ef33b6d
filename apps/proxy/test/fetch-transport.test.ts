import { describe, expect, it, vi } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { isConnectError } from '../src/forward/transport/connection-problem.js';
import { FetchTransport } from '../src/forward/transport/fetch/fetch-transport.js';
import { socketFetch } from '../src/forward/transport/fetch/socket-fetch.js';
import { createProxy } from '../src/index.js';
import type { RequestRecord } from '../src/observability/observer.js';
import { errorBody, responseWith, startRawUpstream, successBody } from './support/servers.ts';
import { consent, fakeClocks, stall, withdrawal } from './support/set-up.ts';

const headers = { brand: 'brand_a', authorization: 'Bearer t' };

async function codeOf(proxy: ReturnType<typeof createProxy>, method: string): Promise<string> {
  const response = await proxy.request(withdrawal, { method, headers });
  return ((await response.json()) as { error: { code: string } }).error.code;
}

describe('a DELETE over fetch', () => {
  it('that was sent and reset may have taken effect, and the response says so', async () => {
    const upstream = await startRawUpstream((socket) => socket.resetAndDestroy());
    const proxy = createProxy({ upstreamUrl: upstream.url });
    expect(await codeOf(proxy, 'DELETE')).toBe('upstream-invalid-response');
    expect(upstream.requests()).toHaveLength(1);
  });

  it('that found no connection was not sent, and the response says so, and the log why', async () => {
    const upstreamUrl = `http://127.0.0.1:${await reservedPort()}`;
    const reasons: string[] = [];
    const observer = { call: ({ reason }: RequestRecord) => void reasons.push(reason) };
    expect(await codeOf(createProxy({ upstreamUrl }, { observer }), 'DELETE')).toBe('upstream-unreachable');
    expect(reasons).toEqual(['the connection was refused']);
  });

  it('gets what keeps a runtime from sending it twice, and a GET does not', async () => {
    const seen: unknown[] = [];
    const fetched: typeof fetch = async (_, init) => {
      seen.push(init !== undefined && 'keepalive' in init ? init.keepalive : undefined);
      return new Response(successBody(), { headers: { 'content-type': 'application/json' } });
    };
    const transport = new FetchTransport('http://upstream.test', fetched, (url, init) =>
      fetched(url, { ...init, keepalive: false }),
    );
    const proxy = createProxy({ upstreamUrl: 'http://upstream.test' }, { transport });
    await proxy.request(consent, { headers });
    await proxy.request(withdrawal, { method: 'DELETE', headers });
    expect(seen).toEqual([undefined, false]);
  });
});

it.each([
  { what: 'its token was replaced', broken: false },
  { what: 'its connection broke', broken: true },
])('a GET that is sent again because $what is passed however long its response is', async ({ broken }) => {
  const upstream = await startRawUpstream((socket) => {
    const isFirst = upstream.requests().length === 1;
    if (isFirst && broken) socket.resetAndDestroy();
    else socket.write(isFirst ? responseWith(errorBody('4011'), '401 No') : responseWith(long));
  });
  const long = successBody({ vehicles: [], padding: 'a'.repeat(200_000) });
  // As on Workers, where a response to such a request is read as a whole and must be short.
  const once = async (): Promise<Response> => {
    throw new Error('a response that is too long');
  };
  const transport = new FetchTransport(upstream.url, undefined, once);
  let count = 0;
  const next = async () => `token-${++count}`;
  const tokens = { current: () => null, obtain: next, replace: next, retryAfterSeconds: () => 1 };
  const upstreamAuth = { kind: 'token-endpoint' } as const;
  const proxy = createProxy({ upstreamUrl: upstream.url, upstreamAuth }, { transport, tokens });
  const response = await proxy.request(consent, { headers });
  expect([response.status, (await response.text()).length]).toEqual([200, long.length]);
  expect(upstream.requests()).toHaveLength(2);
});

it.each(['GET', 'DELETE'])(
  'a response to a %s over fetch that came before the process stalled is passed',
  async (method) => {
    const deadlineMs = 20_000;
    fakeClocks({ toFake: ['performance'] });
    const upstream = await startRawUpstream((socket) => {
      socket.write(responseWith(successBody()));
      vi.advanceTimersByTime(deadlineMs);
      stall(150);
    });
    const proxy = createProxy({ upstreamUrl: upstream.url, deadlineMs });
    expect((await proxy.request(method === 'GET' ? consent : withdrawal, { method, headers })).status).toBe(200);
  },
);

it('a cut response over fetch, whose end only the connection tells, does not pass as whole when responses are enforced', async () => {
  const half = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${successBody().slice(0, -9)}`;
  const upstream = await startRawUpstream((socket) => socket.end(half));
  const proxy = createProxy({ upstreamUrl: upstream.url, validateResponses: 'enforce' });
  expect((await proxy.request(consent, { headers })).status).toBe(502);
});

it.each([
  { error: new Error('no connection'), nothingSent: true },
  { error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), nothingSent: true },
  {
    error: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
    nothingSent: true,
  },
  {
    error: new TypeError('error sending request for url (http://x/): client error (Connect): tcp connect error'),
    nothingSent: true,
  },
  {
    error: new TypeError('error sending request for url (http://x/): client error (SendRequest): connection reset'),
    nothingSent: false,
  },
  { error: Object.assign(new Error('x'), { code: 'ConnectionRefused' }), nothingSent: true },
  { error: Object.assign(new Error('x'), { code: 'ConnectionClosed' }), nothingSent: false },
  {
    error: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
    nothingSent: false,
  },
  {
    error: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ETIMEDOUT' }) }),
    nothingSent: false,
  },
  { error: new TypeError('fetch failed'), nothingSent: false },
  { error: 'nothing', nothingSent: false },
])('only a known connect error says that nothing was sent (%#)', ({ error, nothingSent }) => {
  expect(isConnectError(error)).toBe(nothingSent);
});

describe('a DELETE over a socket of its own', () => {
  /** A socket that responds with these pieces. */
  function socketWith(pieces: readonly string[]) {
    const sent: string[] = [];
    let opened = 0;
    const connect = () => {
      opened++;
      return {
        opened: Promise.resolve(),
        readable: new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
            controller.close();
          },
        }),
        writable: new WritableStream<Uint8Array>({ write: (chunk) => void sent.push(new TextDecoder().decode(chunk)) }),
        close: async () => {},
      };
    };
    const transport = new FetchTransport('http://upstream.test', undefined, socketFetch(connect));
    return { proxy: createProxy({ upstreamUrl: 'http://upstream.test' }, { transport }), sent, opened: () => opened };
  }

  const body = successBody();
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  it.each([
    { how: 'in one piece', pieces: [`${head}content-length: ${body.length}\r\n\r\n${body}`] },
    { how: 'byte by byte', pieces: [...`${head}content-length: ${body.length}\r\n\r\n${body}`] },
    {
      how: 'in chunks',
      pieces: [
        `HTTP/1.1 103 Hints\r\n\r\n${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
        `${body}\r\n0\r\n\r\n`,
      ],
    },
  ])('passes a response that comes $how', async ({ pieces }) => {
    const { proxy, sent, opened } = socketWith(pieces);
    const response = await proxy.request(withdrawal, { method: 'DELETE', headers });
    expect([response.status, await response.text(), opened()]).toEqual([200, body, 1]);
    expect(sent.join('')).toMatch(
      /^DELETE \/v1\/vehicles\/consent\?vin=TESTVEHCLE0000001 HTTP\/1\.1\r\nhost: upstream\.test\r\nconnection: close\r\n/,
    );
  });

  it.each([
    { response: 'never comes', pieces: [] },
    { response: 'is no HTTP', pieces: ['HELLO\r\n\r\n'] },
    { response: 'is cut', pieces: [`${head}content-length: 5\r\n\r\n`] },
  ])(
    'is reported as one that may have taken effect, and not sent again, when its response $response',
    async ({ pieces }) => {
      const { proxy, opened } = socketWith(pieces);
      expect([await codeOf(proxy, 'DELETE'), opened()]).toEqual(['upstream-invalid-response', 1]);
    },
  );
});
