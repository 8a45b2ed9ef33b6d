import { createServer } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { certificateForLocalhost } from './support/certificate.ts';
import { startProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { answerWith, successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function callThrough(upstreamUrl: string, method = 'GET', deadlineMs = 5000) {
  const proxy = await startProxy({ upstreamUrl, deadlineMs });
  cleanUp.push(() => proxy.close());
  const client = new RawCaller(proxy.port);
  cleanUp.push(() => client.close());
  const query = method === 'DELETE' ? '?vin=KMHXX00XXXX000001' : '';
  client.send(
    `${method} /v1/vehicles/consent${query} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n`,
  );
  const [answer] = await client.answers(1);
  return {
    status: statusOf(answer),
    code: (JSON.parse(answer?.body.toString() ?? '') as { error?: { code: string } }).error?.code,
    proxy,
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a service that cannot be reached gives 502 upstream-unreachable', () => {
  it.each(['GET', 'DELETE'])('when it refuses the connection of a %s', async (method) => {
    const closed = createServer();
    const port = await listen(closed);
    closed.close();
    expect(await callThrough(`http://127.0.0.1:${port}`, method)).toMatchObject({
      status: 502,
      code: 'upstream-unreachable',
    });
  });

  it('when its name does not exist', async () => {
    const answer = await callThrough('http://no-such-name.invalid');
    expect(answer).toMatchObject({ status: 502, code: 'upstream-unreachable' });
  });

  it('when it speaks no TLS where TLS is expected', async () => {
    const plain = createServer((socket) =>
      socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    const port = await listen(plain);
    expect(await callThrough(`https://127.0.0.1:${port}`)).toMatchObject({ status: 502, code: 'upstream-unreachable' });
  });

  it('when it closes during the TLS handshake', async () => {
    const port = await listen(
      createServer((socket) => socket.on('error', () => {}).on('data', () => socket.destroy())),
    );
    expect(await callThrough(`https://127.0.0.1:${port}`)).toMatchObject({ status: 502, code: 'upstream-unreachable' });
  });

  it('when the TLS handshake does not go on, after three seconds at most', async () => {
    const port = await listen(createServer((socket) => void socket.on('error', () => {}).resume()));
    expect(await callThrough(`https://127.0.0.1:${port}`, 'DELETE')).toMatchObject({
      status: 502,
      code: 'upstream-unreachable',
    });
  }, 10_000);
});

describe('a service behind TLS', () => {
  const usual = getCACertificates('default');
  const { key, cert } = certificateForLocalhost();
  afterAll(() => setDefaultCACertificates(usual));

  async function secureService(): Promise<number> {
    const body = successBody({ vehicles: [], filler: 'x'.repeat(300_000) });
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write(answerWith(body)));
    });
    return listen(server);
  }

  it('with a certificate of an unknown issuer is not talked to', async () => {
    const port = await secureService();
    expect(await callThrough(`https://localhost:${port}`)).toMatchObject({ status: 502, code: 'upstream-unreachable' });
  });

  it('with a certificate for another name is not talked to', async () => {
    const port = await secureService();
    setDefaultCACertificates([...usual, cert.toString()]);
    expect(await callThrough(`https://127.0.0.1:${port}`)).toMatchObject({ status: 502, code: 'upstream-unreachable' });
  });

  it('with a good certificate is', async () => {
    const port = await secureService();
    setDefaultCACertificates([...usual, cert.toString()]);
    expect(await callThrough(`https://localhost:${port}`)).toMatchObject({ status: 200 });
  });
});
