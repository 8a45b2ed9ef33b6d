import { expect, it } from 'vitest';
import { createProxy } from '../src/index.js';
import { errorBody, responseWith, successBody } from './support/servers.ts';
import { consent, requestLines, startPair } from './support/set-up.ts';
import { statusOf, valuesOf } from './support/wire.ts';

async function responseTo(headers: readonly string[], status = '200 OK', body = successBody()) {
  const lines = ['Content-Type: application/json', ...headers].map((line) => `${line}\r\n`).join('');
  const { connect } = await startPair((socket) => socket.write(responseWith(body, status, lines)));
  return connect().request(requestLines('GET /v1/vehicles/consent'));
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
  ['a listed page may do', { origin: 'https://app.test', 'access-control-request-method': 'GET' }, 204],
  ['another page wants to do', { origin: 'https://other.test', 'access-control-request-method': 'GET' }, 405],
  ['a listed page may not do', { origin: 'https://app.test', 'access-control-request-method': 'DELETE' }, 405],
])('a preflight for what %s ends with its own status', async (_, headers, status) => {
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
