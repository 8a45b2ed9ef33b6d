import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check } from '../src/node/check.js';
import { certificateForLocalhost, trust } from './support/certificate.ts';
import { runToEnd, startProgram } from './support/program.ts';
import { portOf, responseWith, startUpstream, successBody } from './support/servers.ts';
import { consent, startProxy, withdrawal } from './support/set-up.ts';
import { settingsOf, tokenSettings } from './support/settings.ts';

const { key, cert, keyFile, certFile } = certificateForLocalhost();

const own = { VDS_UPSTREAM_CA_FILE: certFile };

async function listeningOn(server: Server): Promise<number> {
  const port = await portOf(server);
  onTestFinished(() => void server.close());
  return port;
}

const onData = (act: (socket: Socket) => void) => (socket: Socket) => {
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).on('data', () => act(socket));
};
const longBody = responseWith(successBody({ vehicles: [], filler: 'x'.repeat(200_000) }));
const secureServer = (options: TlsOptions = {}) =>
  createTlsServer(
    { key, cert, ...options },
    onData((socket) => socket.write(longBody)),
  );

const badRequest = 'HTTP/1.1 400 Bad Request\r\n\r\n';
const respondBadly = () => createServer(onData((socket) => socket.end(badRequest)));
const close = () => createServer(onData((socket) => socket.destroy()));
const silent = () => createServer(onData(() => {}));

it.each<{ what: string; server: (() => Server) | null; address: string; method: 'GET' | 'DELETE' }>([
  { what: 'a refused connection', server: null, address: 'http://127.0.0.1', method: 'GET' },
  { what: 'a refused connection', server: null, address: 'http://127.0.0.1', method: 'DELETE' },
  { what: 'an unknown name', server: null, address: 'http://no-such-name.invalid', method: 'GET' },
  { what: 'plain HTTP where TLS is expected', server: respondBadly, address: 'https://127.0.0.1', method: 'GET' },
  { what: 'a close in the TLS handshake', server: close, address: 'https://127.0.0.1', method: 'GET' },
  { what: 'three silent seconds in the TLS handshake', server: silent, address: 'https://127.0.0.1', method: 'DELETE' },
  { what: 'a certificate for another name', server: secureServer, address: 'https://127.0.0.1', method: 'GET' },
])(
  'what keeps an upstream from being reached becomes upstream-unreachable: $what ($address, $method)',
  async ({ server, address, method }) => {
    trust(cert);
    const port = server === null ? 9 : await listeningOn(server());
    const { call } = await startProxy({ upstreamUrl: `${address}:${port}`, deadlineMs: 5000 });
    expect(await call(method === 'GET' ? consent : withdrawal, {}, method)).toMatchObject({
      status: 502,
      code: 'upstream-unreachable',
    });
  },
);

/** What `check` prints about an upstream. */
async function checked(url: string, environment: Record<string, string> = {}): Promise<string> {
  const lines: string[] = [];
  await check(settingsOf({ ...environment, VDS_UPSTREAM_URL: url }), (line) => lines.push(line));
  return lines.slice(1).join('').replace('VDS_UPSTREAM_URL: ', '').replace('cannot be reached: ', '').trim();
}

describe('vds-proxy check', () => {
  const [oldTls, newTls] = [{ maxVersion: 'TLSv1.2' } as const, { ...own, VDS_UPSTREAM_MIN_TLS: 'TLSv1.3' }];
  const [wanting, pair] = [
    { requestCert: true, ca: cert },
    { VDS_UPSTREAM_CERT_FILE: certFile, VDS_UPSTREAM_KEY_FILE: keyFile },
  ];
  it.each<{ what: string; options: TlsOptions; host: string; environment: Record<string, string>; outcome: string }>([
    { what: 'its own authority', options: {}, host: 'localhost', environment: own, outcome: 'reached' },
    {
      what: 'an unknown authority',
      options: {},
      host: 'localhost',
      environment: {},
      outcome: 'is not of a known authority (VDS_UPSTREAM_CA_FILE)',
    },
    {
      what: 'another name',
      options: {},
      host: '127.0.0.1',
      environment: own,
      outcome: "the server's certificate is for another host name",
    },
    {
      what: 'an old TLS version',
      options: oldTls,
      host: 'localhost',
      environment: newTls,
      outcome: 'no TLS version in common (VDS_UPSTREAM_MIN_TLS)',
    },
    {
      what: 'no client certificate',
      options: wanting,
      host: 'localhost',
      environment: own,
      outcome: 'wants a client certificate (VDS_UPSTREAM_CERT_FILE)',
    },
    {
      what: 'a client certificate',
      options: wanting,
      host: 'localhost',
      environment: { ...own, ...pair },
      outcome: 'reached',
    },
  ])('names what the TLS of an upstream means for it: $what', async ({ options, host, environment, outcome }) => {
    const port = await listeningOn(secureServer(options));
    expect(await checked(`https://${host}:${port}`, environment)).toContain(outcome);
  });

  it('names what keeps it from a token endpoint and from Redis, without settings of the upstream', async () => {
    const secure = `https://localhost:${await listeningOn(secureServer())}`;
    const redis = { VDS_STORE: 'redis', VDS_REDIS_URL: 'redis://127.0.0.1:9', VDS_STORE_DIR: '' };
    const lines = await checked('http://127.0.0.1:9', { ...tokenSettings(secure), ...redis });
    expect(lines).toMatch(
      /^VDS_TOKEN_URL: .*the server's certificate is not of a known authority \(NODE_EXTRA_CA_CERTS\)$/m,
    );
    expect(lines).toMatch(/^VDS_REDIS_URL: .*the connection was refused$/m);
  });

  const keys = { VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: '/nowhere' };
  it.each<{ line: string; settings: Record<string, string> }>([
    { line: 'VDS_UPSTREAM_CA_FILE: the file cannot be read', settings: { VDS_UPSTREAM_CA_FILE: '/nowhere' } },
    { line: 'VDS_KEYS_FILE: the file cannot be read, or is not a key file', settings: keys },
    { line: 'VDS_STORE: durable-object is for Workers; use redis here', settings: { VDS_STORE: 'durable-object' } },
  ])('says what the proxy does not start with, as the start does: $line', async ({ line, settings }) => {
    const environment = { VDS_UPSTREAM_URL: 'https://v.invalid', ...settings };
    expect(await runToEnd(environment)).toMatchObject({ code: 1, stderr: `vds-proxy: ${line}\n` });
    const lines: string[] = [];
    expect(await check(settingsOf(environment), (each) => lines.push(each))).toBe(false);
    expect(lines).toEqual([`${line}\n`]);
  });

  it('accepts plain http:// to another host where a setting allows it', async () => {
    const allowed = { VDS_ALLOW_PLAINTEXT: 'true' };
    expect(await checked('http://vehicle-data.invalid', allowed)).toBe('the host name is not known');
  });
});

/** An egress proxy that takes CONNECT with these credentials and notes where to; gives its port. */
function startEgress(credentials: string, targets: string[]): Promise<number> {
  const server = createHttpServer().on('connect', ({ headers, url = '' }, socket, head) => {
    if (headers['proxy-authorization'] !== credentials) return void socket.end('HTTP/1.1 407 Wrong\r\n\r\n');
    targets.push(url);
    const onward = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [socket, onward]) each.on('error', () => onward.destroy());
  });
  return listeningOn(server);
}

it('an egress proxy is used by connections with and without TLS, with its credentials', async () => {
  const targets: string[] = [];
  const via = `http://user:p%40ss@127.0.0.1:${await startEgress(`Basic ${btoa('user:p@ss')}`, targets)}`;
  const secure = `https://localhost:${await listeningOn(secureServer())}`;
  const plain = (await startUpstream()).url;
  for (const [url, bytes] of [
    [secure, 200_000],
    [plain, 100],
  ] as const) {
    const { call } = await startProgram({ VDS_UPSTREAM_URL: url, ...own, VDS_UPSTREAM_PROXY: via });
    const { status, text } = await call();
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(bytes);
  }
  expect(targets).toEqual([secure, plain].map((url) => new URL(url).host));
});

it('an egress proxy that rejects is named', async () => {
  const via = { ...own, VDS_UPSTREAM_PROXY: `http://127.0.0.1:${await startEgress('none', [])}` };
  const outcome = 'the egress proxy rejected the connection (VDS_UPSTREAM_PROXY)';
  expect(await checked(`https://localhost:1`, via)).toBe(outcome);
});
