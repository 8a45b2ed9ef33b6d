import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CheckMode } from '../src/config.js';
import { createProxy } from '../src/index.js';
import { type Behavior, errorBody, responseWith, successBody } from './support/servers.ts';
import { consent, locationOf, requestLines, startPair } from './support/set-up.ts';
import { statusOf, valuesOf } from './support/wire.ts';

const json = 'Content-Type: application/json\r\n';

/** Trips whose engine speed is out of its range in the last trip, when `wrong`; as many more may follow. */
function trips(count: number, wrong: boolean, more = 0): string {
  const trip = (rpm: number) => ({
    triggerStartTime: '2026-03-01T07:00:00.000Z',
    tripLength: 60_000,
    engine: { rpm: Array(100).fill(rpm) },
  });
  const good = (length: number) => Array.from({ length }, () => trip(800));
  return successBody({ trips: [...good(count - 1), trip(wrong ? 99_999 : 900), ...good(more)] });
}

/** Calls through a proxy with this mode, and gives the response and what was found. */
async function callThrough(mode: CheckMode, sent: Behavior | Buffer, ...headers: string[]) {
  const behave: Behavior = typeof sent === 'function' ? sent : (socket) => socket.write(sent);
  const { upstream, proxy, connect } = await startPair(behave, { validateResponses: mode, deadlineMs: 20_000 });
  const client = connect();
  const target = locationOf().replace('locations', 'powertrains/data?startDate=20260301&endDate=20260301');
  const response = await client.request(requestLines(`GET ${target}`, ...headers));
  const { drift } = proxy.pipeline;
  const checked = () => expect.poll(() => drift.snapshot().checked).toBe(1);
  return { client, upstream, drift, checked, response };
}

const gzip = 'Accept-Encoding: gzip';
const compressed = (body: Buffer) => responseWith(body, '200 OK', `${json}Content-Encoding: gzip\r\n`);

/** Sends bytes in pieces of a size, each a little after the one before. */
const inPieces =
  (bytes: Buffer, size: number): Behavior =>
  async (socket) => {
    for (let at = 0; at < bytes.length; at += size) {
      socket.write(bytes.subarray(at, at + size));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };

const finding = { operationId: 'getPowertrainData', pointer: '/data/trips/*/engine/rpm/*', rule: 'maximum', count: 1 };

describe('responses that are checked and reported', () => {
  it.each([
    { what: 'short and wrong', body: Buffer.from(trips(2, true)), make: responseWith, findings: [finding] },
    { what: 'long and wrong', body: Buffer.from(trips(2000, true)), make: responseWith, findings: [finding] },
    { what: 'compressed and wrong', body: gzipSync(trips(2000, true)), make: compressed, findings: [finding] },
    { what: 'right', body: Buffer.from(trips(2000, false)), make: responseWith, findings: [] },
  ] as const)(
    'pass unchanged, and findings are counted by place and rule, when they are $what',
    async ({ body, make, findings }) => {
      const { drift, checked, response } = await callThrough('report', make(body), gzip);
      expect(response?.body.equals(body)).toBe(true);
      await checked();
      expect(drift.snapshot().findings).toMatchObject(findings);
    },
  );

  it.each([
    {
      what: 'their compression is broken',
      make: () => gzipSync(trips(20, false)).subarray(0, 60),
      reason: 'broken gzip',
    },
    {
      what: 'their content is too long to inflate',
      make: () => gzipSync(Buffer.alloc(68_000_000, ' '), { level: 1 }),
      reason: 'compressed, and too long',
    },
  ])('count as not checked when $what', async ({ make, reason }) => {
    const body = make();
    const { drift, response } = await callThrough('report', compressed(body), gzip);
    expect(response?.body.equals(body)).toBe(true);
    // A busy machine needs long for 68 MB.
    await expect.poll(() => drift.snapshot().skipped[reason], { timeout: 50_000 }).toBe(1);
  });

  it('include error responses of the upstream', async () => {
    const { drift, response } = await callThrough('report', responseWith(errorBody('5001', 7), '500 Failed'));
    expect(statusOf(response)).toBe(500);
    expect(drift.snapshot().findings).toMatchObject([{ pointer: '/error/message', rule: 'type' }]);
  });

  it('are not read when checks are off', async () => {
    const { drift } = await callThrough('off', responseWith(trips(2, true)));
    expect(drift.snapshot()).toMatchObject({ checked: 0, findings: [] });
  });
});

describe('responses whose checks are enforced', () => {
  it.each([
    { what: 'a wrong value', body: trips(2, true) },
    { what: 'a wrong shape', body: '{"data":{"trips":7}}' },
    { what: 'malformed JSON', body: '{"data":{"trips":[' },
    { what: 'no meta', body: '{"data":{"trips":[]}}' },
  ])('become 502 when they are short and have $what', async ({ body }) => {
    const { drift, response } = await callThrough('enforce', responseWith(body));
    expect(statusOf(response)).toBe(502);
    expect(JSON.parse(response?.body.toString() ?? '')).toMatchObject({ error: { code: 'upstream-invalid-response' } });
    expect(drift.snapshot().findings).toHaveLength(1);
  });

  const long = trips(1500, true);
  const chunked = `Transfer-Encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`;
  it.each([
    { what: 'a wrong value, framed by length', bytes: responseWith(long), findings: [finding] },
    { what: 'a wrong value, with more to come', bytes: responseWith(trips(1500, true, 1500)), findings: [finding] },
    {
      what: 'a wrong value, framed by chunks',
      bytes: Buffer.from(`HTTP/1.1 200 OK\r\n${json}${chunked}`),
      findings: [finding],
    },
    {
      what: 'something missing after the last byte',
      bytes: responseWith(trips(1500, false).slice(0, -2)),
      findings: [{}],
    },
  ])('are cut before the violation when they are long and have $what', async ({ bytes, findings }) => {
    const { client, drift } = await callThrough('enforce', bytes);
    expect(client.ending).not.toBe('open');
    expect(client.reading().messages).toHaveLength(0);
    expect(client.received.length).toBeGreaterThan(100_000);
    expect(client.received.includes('99999')).toBe(false);
    expect(drift.snapshot().findings).toMatchObject(findings);
  });

  it.each([
    { what: 'an error envelope', status: '404 Not Found', body: errorBody('4045'), pieceBytes: 1000 },
    {
      what: 'a long error envelope',
      status: '404 Not Found',
      body: errorBody('4045', 'No data '.repeat(3000)),
      pieceBytes: 1000,
    },
    { what: 'a good response', status: '200 OK', body: trips(60, false), pieceBytes: 1000 },
    { what: 'a short good response', status: '200 OK', body: trips(2, false), pieceBytes: 1_000_000 },
    { what: 'a long good response', status: '200 OK', body: trips(2000, false), pieceBytes: 100_000_000 },
  ])('pass unchanged, also in many pieces: $what', async ({ status, body, pieceBytes }) => {
    const sent = inPieces(responseWith(body, status), pieceBytes);
    const { upstream, response } = await callThrough('enforce', sent, gzip);
    expect(response?.start).toBe(`HTTP/1.1 ${status}`);
    expect(response?.body.toString() === body).toBe(true);
    // They are requested without compression.
    expect(valuesOf(upstream.requests()[0], 'accept-encoding')).toEqual(['identity']);
  });
});

/** Calls through a proxy whose upstream responds with these headers. */
async function responseTo(headers: readonly string[], status = '200 OK', body = successBody()) {
  const lines = ['Content-Type: application/json', ...headers].map((line) => `${line}\r\n`).join('');
  const { connect } = await startPair((socket) => socket.write(responseWith(body, status, lines)));
  return connect().request(requestLines(`GET ${consent}`));
}

it('a response of the upstream reaches the client without headers that are about another hop, site or server', async () => {
  const lines = [
    'Set-Cookie: session=1',
    'Server: internal/1.2',
    'Location: http://inner.test/',
    'ETag: "1"',
    'Access-Control-Allow-Origin: *',
    'Strict-Transport-Security: max-age=1',
    'Keep-Alive: timeout=5',
    'Connection: keep-alive',
    'Trailer: X-A',
    'Upgrade: h2c',
    'X-Accel-Redirect: /etc/passwd',
    'Expires: Sun, 01 Mar 2099 00:00:00 GMT',
    // These the proxy states itself.
    'Cache-Control: public, max-age=9999',
    'X-Content-Type-Options: none',
    'X-Request-Id: of-the-upstream',
  ];
  const response = await responseTo(lines);
  expect(response?.headers.map(([name]) => name).sort()).toEqual([
    'cache-control',
    'content-length',
    'content-type',
    'date',
    'x-content-type-options',
    'x-request-id',
  ]);
  expect(valuesOf(response, 'x-request-id')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(valuesOf(response, 'cache-control')).toEqual(['no-store']);
  expect(valuesOf(response, 'x-content-type-options')).toEqual(['nosniff']);
  expect(valuesOf(response, 'date')).toEqual([expect.stringMatching(/GMT$/)]);
});

it('a response of the upstream keeps its date and what it says about limits, also on 429', async () => {
  const kept = ['Retry-After: 7', 'RateLimit-Remaining: 12', 'X-RateLimit-Limit: 100', 'X-RateLimit-Reset: 1772000000'];
  const lines = [...kept, 'Date: Sun, 01 Mar 2026 07:00:00 GMT'];
  const response = await responseTo(lines, '429 Too Many Requests', errorBody('429'));
  for (const line of lines) {
    const [name = '', value] = line.split(': ');
    expect(valuesOf(response, name.toLowerCase())).toEqual([value]);
  }
  expect(response?.body.toString()).toBe(errorBody('429'));
});

it.each([
  { what: 'a listed page may do', origin: 'https://app.test', method: 'GET', status: 204 },
  { what: 'another page wants to do', origin: 'https://other.test', method: 'GET', status: 405 },
  { what: 'a listed page may not do', origin: 'https://app.test', method: 'DELETE', status: 405 },
])('a preflight ends with its own status when it is for what $what', async ({ origin, method, status }) => {
  const headers = { origin, 'access-control-request-method': method };
  const { proxy, upstream } = await startPair(undefined, { cors: { origins: ['https://app.test'], methods: ['GET'] } });
  const response = await proxy.call(undefined, headers, 'OPTIONS');
  expect(response.status).toBe(status);
  expect(response.headers.get('access-control-allow-methods')).toBe(status === 204 ? 'GET' : null);
  expect(upstream.requests()).toEqual([]);
  const web = createProxy({ upstreamUrl: upstream.url, cors: proxy.pipeline.config.cors });
  expect((await web.request(consent, { method: 'OPTIONS', headers })).status).toBe(status);
});

it('two lines of a header that only a preflight has are no fault of another request', async () => {
  const { connect } = await startPair();
  const line = 'Access-Control-Request-Method: GET';
  expect(statusOf(await connect().request(requestLines(`GET ${consent}`, line, line)))).toBe(200);
});

it.each(['POST /docs/', 'POST /docs/a%20b', 'PUT /healthz', 'DELETE /openapi.json'])(
  '%s gets 405, because pages of the proxy are only read, also where there is none',
  async (line) => {
    const { proxy, connect } = await startPair();
    const response = await connect().request(requestLines(line));
    expect([statusOf(response), valuesOf(response, 'allow')]).toEqual([405, ['GET, HEAD']]);
    expect(proxy.records).toEqual([]);
  },
);
