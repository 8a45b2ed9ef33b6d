// The PROXY protocol: headers in both forms, what is no header, and real balancers that send them.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { anonymous, type ClientAuth } from '../src/auth/client.js';
import { CountedLimits } from '../src/limits/rate-limits.js';
import { readProxyHeader } from '../src/node/proxy-header.js';
import { isInstalled, startListening } from './support/listening.ts';
import { newFile, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { clientOf, consent, fakeClocks, type ProxyOptions, requestLines, startPair } from './support/set-up.ts';
import { statusOf } from './support/wire.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** A binary header. @param body addresses, ports and extensions */
function binary(command: number, kind: number, body: readonly number[]): Buffer {
  const length = [body.length >> 8, body.length & 255];
  return Buffer.concat([signature, Buffer.from([command, kind, ...length, ...body])]);
}

const ports = [0xd4, 0x31, 0x01, 0xbb];
const v4 = [192, 0, 2, 7, 198, 51, 100, 1, ...ports];
const v6 = [0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 7, 0x20, 1, 0xd, 0xb8, ...Array<number>(12).fill(0)];
const text = (line: string) => Buffer.from(line, 'latin1');

const headers: readonly { what: string; bytes: Buffer; address: string | null }[] = [
  { what: 'text, IPv4', bytes: text('PROXY TCP4 192.0.2.7 198.51.100.1 54321 443\r\n'), address: '192.0.2.7' },
  { what: 'text, IPv6', bytes: text('PROXY TCP6 2001:DB8:0::7 2001:db8::1 1 2\r\n'), address: '2001:db8::7' },
  { what: 'text, unknown', bytes: text('PROXY UNKNOWN\r\n'), address: null },
  { what: 'text, unknown with more', bytes: text('PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n'), address: null },
  { what: 'binary, IPv4', bytes: binary(0x21, 0x11, v4), address: '192.0.2.7' },
  { what: 'binary, IPv6', bytes: binary(0x21, 0x21, [...v6, ...ports]), address: '2001:db8::7' },
  { what: 'binary with extensions', bytes: binary(0x21, 0x11, [...v4, 4, 0, 3, 1, 2, 3]), address: '192.0.2.7' },
  { what: 'binary, of the balancer itself', bytes: binary(0x20, 0x11, v4), address: null },
  { what: 'binary, of the balancer itself, without addresses', bytes: binary(0x20, 0, []), address: null },
  { what: 'binary, unspecified', bytes: binary(0x21, 0, []), address: null },
  { what: 'binary, a socket of a file system', bytes: binary(0x21, 0x31, Array<number>(216).fill(0)), address: null },
];

const malformed: readonly { what: string; bytes: Buffer }[] = [
  { what: 'a request', bytes: text('GET /healthz HTTP/1.1\r\n\r\n') },
  { what: 'small letters', bytes: text('proxy TCP4 192.0.2.7 198.51.100.1 1 2\r\n') },
  { what: 'a family that the address is not of', bytes: text('PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n') },
  { what: 'a number too many in an address', bytes: text('PROXY TCP4 192.0.2.7.1 198.51.100.1 1 2\r\n') },
  { what: 'a name for an address', bytes: text('PROXY TCP4 localhost 198.51.100.1 1 2\r\n') },
  { what: 'a port that is none', bytes: text('PROXY TCP4 192.0.2.7 198.51.100.1 65536 2\r\n') },
  { what: 'datagrams in text', bytes: text('PROXY UDP4 192.0.2.7 198.51.100.1 1 2\r\n') },
  { what: 'two spaces', bytes: text('PROXY TCP4  192.0.2.7 198.51.100.1 1 2\r\n') },
  { what: 'a line without an end', bytes: text(`PROXY UNKNOWN ${'x'.repeat(200)}`) },
  { what: 'a line that is too long', bytes: text(`PROXY UNKNOWN ${'x'.repeat(100)}\r\n`) },
  { what: 'another version', bytes: binary(0x31, 0x11, v4) },
  { what: 'another command', bytes: binary(0x22, 0x11, v4) },
  { what: 'datagrams', bytes: binary(0x21, 0x12, v4) },
  { what: 'half an address', bytes: binary(0x21, 0x11, v4.slice(0, 8)) },
  { what: 'more than 4,096 bytes', bytes: binary(0x21, 0x11, Array<number>(4081).fill(0)) },
];

describe('a header of the PROXY protocol', () => {
  it.each(headers)('is read to its last byte, however it comes in pieces: $what', ({ bytes, address }) => {
    expect(readProxyHeader(Buffer.concat([bytes, text('GET /')]))).toEqual({ address, length: bytes.length });
    for (let length = 0; length < bytes.length; length++)
      expect(readProxyHeader(bytes.subarray(0, length))).toBe('incomplete');
  });

  it.each(malformed)('is told apart from what is none: $what', ({ bytes }) =>
    expect(readProxyHeader(bytes)).toBe('malformed'),
  );
});

const ask = requestLines(`GET ${consent}`);
const local = { proxyProtocolFrom: ['127.0.0.1', 'fd00::/8'] };
const roads = [{ fastPath: true }, { fastPath: false }];

describe.each(roads)('a proxy behind a balancer, fast path $fastPath', (road) => {
  const start = (more: ProxyOptions = {}) => startPair(undefined, { ...road, ...local, ...more });

  it.each(headers)('knows the client from the header: $what', async ({ bytes, address }) => {
    const { proxy, connect } = await start();
    const client = connect();
    // The header comes in two pieces, and a request behind it.
    client.send(bytes.subarray(0, 9).toString('latin1'));
    await expect.poll(() => proxy.server.open).toBe(1);
    expect(statusOf(await client.request(bytes.subarray(9).toString('latin1') + ask))).toBe(200);
    expect(statusOf(await client.request(ask))).toBe(200);
    expect(proxy.records.map((record) => record.address)).toEqual(Array(2).fill(address ?? '127.0.0.1'));
  });

  it.each([{ what: 'nothing but a probe of the port', bytes: '' }, ...malformed.slice(0, 3)])(
    'closes a connection that begins otherwise, and counts it: $what',
    async ({ bytes }) => {
      const { proxy, connect } = await start();
      const client = connect();
      if (bytes === '') client.socket.end();
      else client.send(bytes.toString('latin1'));
      expect(await client.ended()).not.toBe('open');
      expect(client.received).toHaveLength(0);
      expect(proxy.server.refused.counts['no-proxy-header']).toBe(bytes === '' ? 0 : 1);
      expect(proxy.records).toEqual([]);
    },
  );

  it('closes a connection whose header does not come in time', async () => {
    const { proxy, connect } = await start({ headMs: 400 });
    fakeClocks();
    const client = connect();
    client.send('PROXY TCP4');
    await expect.poll(() => proxy.server.open).toBe(1);
    expect(client.ending).toBe('open');
    vi.advanceTimersByTime(400);
    expect(await client.ended()).not.toBe('open');
    expect(proxy.server.refused.counts['no-proxy-header']).toBe(1);
  });

  it('limits clients by their own addresses', async () => {
    const clientAuth: ClientAuth = {
      challenge: 'Name',
      authenticate: (incoming) => (incoming.header('x-api-key') === 'good' ? { ...anonymous, id: 'good' } : null),
    };
    const limits = new CountedLimits(null, { unauthenticated: { calls: 2, seconds: 60 } });
    const { proxy, connect } = await start({ clientAuth, limits, maxPerAddress: 3 });
    const header = (last: number) => `PROXY TCP4 192.0.2.${last} 198.51.100.1 1 2\r\n`;
    const from = async (last: number, key: string) => {
      const client = connect();
      const response = await client.request(header(last) + requestLines(`GET ${consent}`, `X-Api-Key: ${key}`));
      client.close();
      return statusOf(response);
    };
    const statuses = [];
    for (let turn = 0; turn < 3; turn++) statuses.push(await from(7, 'bad'));
    expect([...statuses, await from(8, 'bad'), await from(7, 'good')]).toEqual([401, 401, 429, 401, 200]);
    const clients = [9, 9, 9, 9, 9, 10].map((last) => {
      const client = connect();
      client.send(header(last));
      return client;
    });
    await expect.poll(() => clients.filter(({ ending }) => ending !== 'open').length).toBe(2);
    expect(clients.at(-1)?.ending).toBe('open');
    expect(proxy.server.refused.counts['too-many-of-address']).toBe(2);
  });

  it('takes every other address for a client itself, and reads no header from it', async () => {
    const { proxy, connect } = await start({ proxyProtocolFrom: ['192.0.2.0/24'] });
    expect(statusOf(await connect().request(ask))).toBe(200);
    const forger = connect();
    expect(statusOf(await forger.request(`PROXY TCP4 192.0.2.7 198.51.100.1 1 2\r\n${ask}`))).toBe(400);
    expect(proxy.records.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
  });
});

/** A balancer that passes bytes, and says in its form whom from. */
function balancer(kind: string, port: number, to: number, folder: string): { command: string[]; text: string } {
  const file = `${folder}/balancer.conf`;
  if (kind === 'nginx')
    return {
      command: ['nginx', '-c', file, '-p', folder],
      text: `load_module ${nginxModule}; pid ${folder}/nginx.pid; error_log stderr crit; daemon off; master_process off; events { }
stream { server { listen 127.0.0.1:${port}; proxy_pass 127.0.0.1:${to}; proxy_protocol on; } }`,
    };
  return {
    command: ['haproxy', '-f', file, '-db'],
    text: `defaults
  mode tcp
  timeout connect 30s
  timeout client 60s
  timeout server 60s
listen edge
  bind 127.0.0.1:${port}
  option httpchk GET /readyz
  server one 127.0.0.1:${to} ${kind} check inter 200ms
`,
  };
}

const nginxModule = '/usr/lib/nginx/modules/ngx_stream_module.so';
const hasStream = existsSync(nginxModule);
if (!hasStream) console.warn('not tested: the streams of nginx, whose module is not installed');

const hasHaproxy = isInstalled('haproxy', '-v');
const balancers = [
  ...(hasHaproxy ? ['send-proxy', 'send-proxy-v2'] : []),
  ...(hasStream && isInstalled('nginx', '-v') ? ['nginx'] : []),
];
it.skipIf(balancers.length === 0).each(balancers)(
  'a real balancer says whom it has a connection from: %s',
  async (kind) => {
    const upstream = await startUpstream();
    const [to, port, file] = [await reservedPort(), await reservedPort(), newFile('balancer.conf')];
    const program = await startProgram({
      VDS_UPSTREAM_URL: upstream.url,
      VDS_PORT: String(to),
      VDS_PROXY_PROTOCOL_FROM: '127.0.0.1,::1',
      VDS_ADMIN_PORT: '0',
    });
    const { command, text: configuration } = balancer(kind, port, to, dirname(file));
    writeFileSync(file, configuration);
    const started = await startListening(command, {}, [port]);
    onTestFinished(() => started.kill());
    const call = clientOf(`http://127.0.0.1:${port}`);
    await expect
      .poll(() =>
        call().then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    // Without a balancer nobody gets in from this address.
    await expect(clientOf(program.url)()).rejects.toThrow();
    expect(await program.adminPage('/metrics')).toContain(
      'vds_proxy_connections_refused_total{reason="no-proxy-header"} 1\n',
    );
    expect(program.output.stderr).toContain('1 connection refused: VDS_PROXY_PROTOCOL_FROM has their address');
  },
);
