import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.ts';
import { RawCaller } from './support/raw-client.ts';
import { valuesOf, type WireMessage } from './support/read-messages.ts';
import { answerWith, startRecordingUpstream, successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function answerTo(headers: string, status = '200 OK', body = successBody(), request = ''): Promise<WireMessage> {
  const upstream = await startRecordingUpstream((socket) =>
    socket.write(answerWith(body, status, `Content-Type: application/json\r\n${headers}`)),
  );
  const proxy = await startProxy({ upstreamUrl: upstream.url });
  const client = new RawCaller(proxy.port);
  cleanUp.push(
    () => upstream.close(),
    () => proxy.close(),
    () => client.close(),
  );
  client.send(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n${request}\r\n`);
  const [answer] = await client.answers(1);
  if (answer === undefined) throw new Error('no answer came');
  return answer;
}

describe('an answer of the service', () => {
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
    const answer = await answerTo(`${line}\r\n`);
    const [name = '', value = ''] = line.split(': ');
    expect(valuesOf(answer, name.toLowerCase())).toEqual([]);
    expect(JSON.stringify(answer.headers)).not.toContain(value);
  });

  it.each([
    ['Retry-After', '7'],
    ['RateLimit-Remaining', '12'],
    ['X-RateLimit-Limit', '100'],
    ['X-RateLimit-Reset', '1772000000'],
  ])('reaches the client with its %s, also on 429', async (name, value) => {
    const error = JSON.stringify({ error: { code: '429', message: 'Too many requests', details: [] } });
    const answer = await answerTo(`${name}: ${value}\r\n`, '429 Too Many Requests', error);
    expect(valuesOf(answer, name.toLowerCase())).toEqual([value]);
    expect(answer.body.toString()).toBe(error);
  });

  it('may not be stored nor have its type guessed, whatever the service says', async () => {
    const answer = await answerTo(
      'Cache-Control: public, max-age=9999\r\nExpires: Sun, 01 Mar 2099 00:00:00 GMT\r\nX-Content-Type-Options: none\r\n',
    );
    expect(valuesOf(answer, 'cache-control')).toEqual(['no-store']);
    expect(valuesOf(answer, 'x-content-type-options')).toEqual(['nosniff']);
    expect(valuesOf(answer, 'expires')).toEqual([]);
  });

  it("carries the client's request identifier, or the proxy's own, never the service's", async () => {
    const own = await answerTo('X-Request-Id: of-the-service\r\n');
    expect(valuesOf(own, 'x-request-id')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const clients = await answerTo(
      'X-Request-Id: of-the-service\r\n',
      '200 OK',
      successBody(),
      'X-Request-Id: of-the-client\r\n',
    );
    expect(valuesOf(clients, 'x-request-id')).toEqual(['of-the-client']);
  });

  it('keeps its date, and gets one when it has none', async () => {
    const date = 'Sun, 01 Mar 2026 07:00:00 GMT';
    expect(valuesOf(await answerTo(`Date: ${date}\r\n`), 'date')).toEqual([date]);
    expect(valuesOf(await answerTo(''), 'date')).toEqual([expect.stringMatching(/GMT$/)]);
  });
});
