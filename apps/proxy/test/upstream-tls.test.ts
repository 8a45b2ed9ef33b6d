import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check } from '../src/node/check.js';
import { certificateForLocalhost } from './support/certificate.ts';
import { runToEnd, startProgram } from './support/program.ts';
import { responseWith, successBody } from './support/recording-upstream.ts';
import { consent, startUpstream } from './support/set-up.ts';
import { mistakesOf, settingsOf } from './support/settings.ts';

const { key, cert } = certificateForLocalhost();
const folder = mkdtempSync(join(tmpdir(), 'vds-upstream-tls-'));
const certFile = join(folder, 'cert.pem');
const keyFile = join(folder, 'key.pem');
writeFileSync(certFile, cert);
writeFileSync(keyFile, key);
const own = { VDS_UPSTREAM_CA_FILE: certFile };

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function startSecure(options: TlsOptions = {}): Promise<number> {
  const body = successBody({ vehicles: [], filler: 'x'.repeat(200_000) });
  const server = createTlsServer({ key, cert, ...options }, (socket: Socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).on('data', () => socket.write(responseWith(body)));
  });
  return portOf(server);
}

/** What `check` prints about an upstream. */
async function checked(url: string, environment: Record<string, string> = {}): Promise<string> {
  const lines: string[] = [];
  await check(settingsOf({ VDS_UPSTREAM_URL: url, ...environment }), (line) => lines.push(line));
  return lines.slice(1).join('');
}

describe('vds-proxy check', () => {
  it.each<[string, TlsOptions, string, Record<string, string>, string]>([
    ['its own certificate authority', {}, 'localhost', own, 'reached'],
    [
      'an unknown authority',
      {},
      'localhost',
      {},
      "cannot be reached: the upstream's certificate is not of a known authority (VDS_UPSTREAM_CA_FILE)",
    ],
    ['another name', {}, '127.0.0.1', own, "cannot be reached: the upstream's certificate is for another host name"],
    [
      'an old TLS version',
      { maxVersion: 'TLSv1.2' },
      'localhost',
      { ...own, VDS_UPSTREAM_MIN_TLS: 'TLSv1.3' },
      'cannot be reached: the upstream and the proxy have no TLS version in common (VDS_UPSTREAM_MIN_TLS)',
    ],
    [
      'a client certificate that is missing',
      { requestCert: true, ca: cert },
      'localhost',
      own,
      'cannot be reached: the upstream wants a client certificate (VDS_UPSTREAM_CERT_FILE)',
    ],
    [
      'a client certificate',
      { requestCert: true, ca: cert },
      'localhost',
      { ...own, VDS_UPSTREAM_CERT_FILE: certFile, VDS_UPSTREAM_KEY_FILE: keyFile },
      'reached',
    ],
  ])('names what an upstream with %s means', async (_, options, host, environment, outcome) => {
    const port = await startSecure(options);
    expect(await checked(`https://${host}:${port}`, environment)).toBe(`VDS_UPSTREAM_URL: ${outcome}\n`);
  });

  it.each([
    ['http://vehicle-data.invalid', {}, 'VDS_UPSTREAM_URL: must start with https:// unless it is on this machine'],
    [
      'https://v.invalid',
      { VDS_STORE: 'redis', VDS_REDIS_URL: 'redis://redis:6379' },
      'VDS_REDIS_URL: must start with rediss:// unless',
    ],
    ['https://v.invalid', { VDS_UPSTREAM_CERT_FILE: certFile }, 'VDS_UPSTREAM_KEY_FILE: must be set while'],
    ['https://v.invalid', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0'],
  ])('rejects %s with %j', (url, environment, problem) => {
    expect(mistakesOf({ VDS_UPSTREAM_URL: url, ...environment })).toEqual([expect.stringContaining(problem)]);
  });

  it('names a file that cannot be read', async () => {
    const run = await runToEnd({ VDS_UPSTREAM_URL: 'https://v.invalid', VDS_UPSTREAM_CA_FILE: '/nowhere' });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('vds-proxy: VDS_UPSTREAM_CA_FILE: the file cannot be read');
  });

  it('accepts plain http:// to another host where a setting allows it', async () => {
    const text = await checked('http://vehicle-data.invalid', { VDS_ALLOW_PLAINTEXT: 'true' });
    expect(text).toBe('VDS_UPSTREAM_URL: cannot be reached: the host name is not known\n');
  });
});

describe('an egress proxy', () => {
  /** Takes CONNECT with these credentials and notes where to. */
  async function egress(credentials: string, targets: string[]): Promise<number> {
    const server = createHttpServer().on('connect', (request, socket, head) => {
      if (request.headers['proxy-authorization'] !== credentials) {
        socket.end('HTTP/1.1 407 Wrong\r\n\r\n');
        return;
      }
      targets.push(request.url ?? '');
      const [, port] = (request.url ?? '').split(':');
      const onward = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const each of [socket, onward]) each.on('error', () => onward.destroy());
    });
    return portOf(server);
  }

  it('is used by connections with and without TLS, with its credentials', async () => {
    const targets: string[] = [];
    const via = `http://user:p%40ss@127.0.0.1:${await egress(`Basic ${btoa('user:p@ss')}`, targets)}`;
    const secure = `localhost:${await startSecure()}`;
    const plain = (await startUpstream()).url;
    for (const [url, bytes] of [
      [`https://${secure}`, 200_000],
      [plain, 100],
    ] as const) {
      const { call } = await startProgram({ VDS_UPSTREAM_URL: url, ...own, VDS_UPSTREAM_PROXY: via });
      const { status, text } = await call(consent);
      expect(status).toBe(200);
      expect(text.length).toBeGreaterThan(bytes);
    }
    expect(targets).toEqual([secure, new URL(plain).host]);
  });

  it('that rejects is named', async () => {
    const via = `http://127.0.0.1:${await egress('none', [])}`;
    const text = await checked(`https://localhost:1`, { ...own, VDS_UPSTREAM_PROXY: via });
    expect(text).toBe(
      'VDS_UPSTREAM_URL: cannot be reached: the egress proxy rejected the connection (VDS_UPSTREAM_PROXY)\n',
    );
  });
});
