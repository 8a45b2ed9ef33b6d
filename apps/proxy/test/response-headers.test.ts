import { describe, expect, it } from 'vitest';
import { valuesOf, type WireMessage } from './support/read-messages.ts';
import { responseWith, successBody } from './support/recording-upstream.ts';
import { startProxy, startRawUpstream } from './support/set-up.ts';

async function responseTo(
  headers: string,
  status = '200 OK',
  body = successBody(),
  request = '',
): Promise<WireMessage> {
  const upstream = await startRawUpstream((socket) =>
    socket.write(responseWith(body, status, `Content-Type: application/json\r\n${headers}`)),
  );
  const { connect } = await startProxy({ upstreamUrl: upstream.url });
  const client = connect();
  client.send(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${request}\r\n`);
  const [response] = await client.responses(1);
  if (response === undefined) throw new Error('no response came');
  return response;
}

describe('a response of the upstream', () => {
  it.each([
    'Set-Cookie: session=1',
    'Server: internal/1.2',
    'X-Powered-By: Express',
    'Via: 1.1 inner',
    'Location: http://inner.test/',
    'ETag: "1"',
    'Last-Modified: Sun, 01 Mar 2026 00:00:00 GMT',
    'Access-Control-Allow-Origin: *',
    'Alt-Svc: h2=":443"',
    'Strict-Transport-Security: max-age=1',
    'X-Internal-Host: inner.test',
    'Keep-Alive: timeout=5',
    'Connection: keep-alive',
    'Trailer: X-A',
    'Upgrade: h2c',
    'Proxy-Authenticate: Basic',
    'Refresh: 0; url=http://other.test/',
    'X-Accel-Redirect: /etc/passwd',
  ])('reaches the client without its %s', async (line) => {
    const response = await responseTo(`${line}\r\n`);
    const [name = '', value = ''] = line.split(': ');
    expect(valuesOf(response, name.toLowerCase())).toEqual([]);
    expect(JSON.stringify(response.headers)).not.toContain(value);
  });

  it.each([
    ['Retry-After', '7'],
    ['RateLimit-Remaining', '12'],
    ['X-RateLimit-Limit', '100'],
    ['X-RateLimit-Reset', '1772000000'],
  ])('reaches the client with its %s, also on 429', async (name, value) => {
    const error = JSON.stringify({ error: { code: '429', message: 'Too many requests', details: [] } });
    const response = await responseTo(`${name}: ${value}\r\n`, '429 Too Many Requests', error);
    expect(valuesOf(response, name.toLowerCase())).toEqual([value]);
    expect(response.body.toString()).toBe(error);
  });

  it('may not be stored nor have its type guessed, whatever the upstream says', async () => {
    const response = await responseTo(
      'Cache-Control: public, max-age=9999\r\nExpires: Sun, 01 Mar 2099 00:00:00 GMT\r\nX-Content-Type-Options: none\r\n',
    );
    expect(valuesOf(response, 'cache-control')).toEqual(['no-store']);
    expect(valuesOf(response, 'x-content-type-options')).toEqual(['nosniff']);
    expect(valuesOf(response, 'expires')).toEqual([]);
  });

  it("carries the client's request identifier, or the proxy's own, never the upstream's", async () => {
    const own = await responseTo('X-Request-Id: of-the-upstream\r\n');
    expect(valuesOf(own, 'x-request-id')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const clients = await responseTo(
      'X-Request-Id: of-the-upstream\r\n',
      '200 OK',
      successBody(),
      'X-Request-Id: of-the-client\r\n',
    );
    expect(valuesOf(clients, 'x-request-id')).toEqual(['of-the-client']);
  });

  it('keeps its date, and gets one when it has none', async () => {
    const date = 'Sun, 01 Mar 2026 07:00:00 GMT';
    expect(valuesOf(await responseTo(`Date: ${date}\r\n`), 'date')).toEqual([date]);
    expect(valuesOf(await responseTo(''), 'date')).toEqual([expect.stringMatching(/GMT$/)]);
  });
});
