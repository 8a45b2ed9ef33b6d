// Which uses of Node's internals (`src/platform/node-internals.ts`) matter to clients that connect directly, and which still do behind
// nginx: `node bench/internals-behind-nginx.js` after a build. The same clients do the same to both, and what each use did is counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// In the proxy's process, the module is replaced by one that counts.
const counting = `
import { registerHooks } from 'node:module';
const counted = ${JSON.stringify(`
  import * as own from './node-internals.js?own';
  const count = {
    'handOver: connections that Node reads on': 0,
    'dropRest: connections with something behind the last request': 0,
    'bytesTaken: looks at a client with a piece half taken': 0,
    'passClose: responses that Node did not notify': 0,
  };
  const [handed, rest, taken, close] = Object.keys(count);
  process.on('SIGUSR2', () => console.error('COUNT ' + JSON.stringify(count)));
  export const takeConnections = own.takeConnections;
  export function handOver(socket, bytes, toNode) { count[handed]++; own.handOver(socket, bytes, toNode); }
  export const allowHalfOpen = own.allowHalfOpen;
  export function dropRest(socket) { own.dropRest(socket); socket.once('data', () => count[rest]++); }
  export function bytesTaken(socket) {
    if ((socket._handle?.writeQueueSize ?? 0) > 0) count[taken]++;
    return own.bytesTaken(socket);
  }
  export function passClose(response) {
    let isNotified = false;
    response.once('close', () => (isNotified = true));
    setImmediate(() => { if (!isNotified && !response.closed) { count[close]++; own.passClose(response); } });
  }`)};
registerHooks({
  load: (url, context, next) => url.endsWith('/platform/node-internals.js')
    ? { format: 'module', shortCircuit: true, source: counted } : next(url, context),
});`;

const folder = mkdtempSync(join(tmpdir(), 'internals-'));
writeFileSync(join(folder, 'count.mjs'), counting);

/** A list after 200 ms, or for driving data a body that never ends. */
const upstream = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (!request.url?.includes('/driving/')) {
    const list = { meta: { code: 200, success: { code: '2000', message: 'OK' } }, data: { vehicles: [] } };
    setTimeout(() => response.end(JSON.stringify(list)), 200);
    return;
  }
  const piece = Buffer.alloc(65_536, 'a');
  response.write('{"a":"');
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more).on('error', () => {});
  more();
});
const listening = async (server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
};
const freePort = async () => {
  const server = createTcpServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
};

const head = (target, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer token\r\n${more}\r\n`;
const list = '/v1/vehicles/consent';
const call = head(list);
const driving = '/v1/vehicles/KMHXX00XXXX000001/driving/data?startDate=20260301&endDate=20260302';
const long = head(driving);
const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sends bytes and reads for a while. */
async function client(port, bytes, { end = false, paused = false, ms = 1500, reset = false, next = '' } = {}) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (bytes) => (received += bytes.subarray(0, 1000).toString('latin1')));
  await once(socket, 'connect');
  if (paused) socket.pause();
  else socket.resume();
  if (end) socket.end(bytes);
  else socket.write(bytes);
  if (next !== '') {
    await sleep(1000);
    socket.write(next);
  }
  await sleep(ms);
  if (reset) socket.resetAndDestroy();
  else socket.destroy();
  return received.split('HTTP/1.1 200 ').length - 1;
}

const clients = (port) => [
  client(port, call + call, { end: true }),
  client(port, call),
  client(port, head(driving, 'Connection: upgrade\r\nUpgrade: h2c\r\n'), { next: call, ms: 2500 }),
  client(port, `POST ${list} HTTP/1.1\r\nHost: p\r\nContent-Length: 0\r\n\r\n`),
  client(port, call + call + tunnel, { ms: 100, reset: true }),
  client(port, long, { paused: true, ms: 6000 }),
];

const upstreamPort = await listening(upstream);
const proxyPort = await freePort();
const nginxPort = await freePort();
// As deploy/nginx.conf says, without TLS.
writeFileSync(
  join(folder, 'nginx.conf'),
  `worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream vds { server 127.0.0.1:${proxyPort}; keepalive 16; }
  server {
    listen 127.0.0.1:${nginxPort};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_buffering off;
    location / { proxy_pass http://vds; proxy_next_upstream off; }
  }
}`,
);
const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'inherit' });

/** What each use did while the clients were there. */
async function countedBy(reach) {
  const program = fileURLToPath(new URL('../dist/node.js', import.meta.url));
  const env = {
    ...process.env,
    VDS_UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}`,
    VDS_PORT: `${proxyPort}`,
    VDS_DOCS: 'false',
  };
  const proxy = spawn(process.execPath, ['--import', join(folder, 'count.mjs'), program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let errors = '';
  proxy.stdout.on('data', (text) => (printed += text));
  proxy.stderr.on('data', (text) => (errors += text));
  const until = async (isThere) => {
    const deadline = performance.now() + 60_000;
    while (!isThere()) {
      if (performance.now() > deadline || proxy.exitCode !== null)
        throw new Error(`no response of the proxy: ${errors}`);
      await sleep(50);
    }
  };
  await until(() => printed.includes('listening on'));
  const [halfClosed] = await Promise.all(clients(reach));
  await sleep(500);
  proxy.kill('SIGUSR2');
  await until(() => errors.includes('COUNT '));
  proxy.kill('SIGKILL');
  await once(proxy, 'exit');
  const counts = JSON.parse(/COUNT (.*)/.exec(errors)?.[1] ?? '{}');
  return { ...counts, 'allowHalfOpen: responses to a client that had closed its side': halfClosed };
}

try {
  const direct = await countedBy(proxyPort);
  const behind = await countedBy(nginxPort);
  console.log(`${process.version}, times that each use did something:\n\ndirectly  behind nginx`);
  for (const [use, count] of Object.entries(direct))
    console.log(`${String(count).padStart(8)}  ${String(behind[use]).padStart(12)}  ${use}`);
} finally {
  nginx.kill('SIGQUIT');
  upstream.closeAllConnections();
  upstream.close();
  await once(nginx, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
