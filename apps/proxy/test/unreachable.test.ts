import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { certificateForLocalhost } from './support/certificate.ts';
import { responseWith, successBody } from './support/recording-upstream.ts';
import { consent, startProxy, withdrawal } from './support/set-up.ts';

const usual = getCACertificates('default');
const { key, cert } = certificateForLocalhost();
const onData = (act: (socket: Socket) => void) => (socket: Socket) =>
  void socket.on('error', () => {}).on('data', () => act(socket));
const secure = () =>
  createTlsServer(
    { key, cert },
    onData((socket) => socket.write(responseWith(successBody()))),
  );
const unreachable = [502, 'upstream-unreachable'];

it.each<[string, Server | null, string, string, (number | string)[]]>([
  ['a refused connection', null, 'http://127.0.0.1', 'GET', unreachable],
  ['a refused connection', null, 'http://127.0.0.1', 'DELETE', unreachable],
  ['an unknown name', null, 'http://no-such-name.invalid', 'GET', unreachable],
  [
    'plain HTTP where TLS is expected',
    createServer(onData((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    'https://127.0.0.1',
    'GET',
    unreachable,
  ],
  [
    'a close in the TLS handshake',
    createServer(onData((socket) => socket.destroy())),
    'https://127.0.0.1',
    'GET',
    unreachable,
  ],
  [
    'three silent seconds in the TLS handshake',
    createServer(onData(() => {})),
    'https://127.0.0.1',
    'DELETE',
    unreachable,
  ],
  ['a certificate for another name', secure(), 'https://127.0.0.1', 'GET', unreachable],
  ['a good certificate', secure(), 'https://localhost', 'GET', [200, '']],
])('%s of an upstream ($2, $3) has its outcome', async (_, server, address, method, expected) => {
  setDefaultCACertificates([...usual, cert.toString()]);
  onTestFinished(() => setDefaultCACertificates(usual));
  let port = 9;
  if (server !== null) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  }
  const { call } = await startProxy({ upstreamUrl: `${address}:${port}`, deadlineMs: 5000 });
  const { status, code } = await call(method === 'GET' ? consent : withdrawal, {}, method);
  expect([status, code]).toEqual(expected);
});
