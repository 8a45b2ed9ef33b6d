import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nginxFrame } from './origin.ts';

/** Where a contender listens and what it forwards to. */
export interface Surroundings {
  readonly port: number;
  readonly upstreamPort: number;
  readonly tls: boolean;
  readonly certificate: string;
  /** Folder for files of this run. */
  readonly folder: string;
  /** Folder into which the peers are installed. */
  readonly peers: string;
}

/** One proxy of the bench. */
export interface Contender {
  readonly name: string;
  /** What it is, for the tables. */
  readonly title: string;
  /** Whether it lives in the folder of the peers. */
  readonly peer: boolean;
  start(place: Surroundings): { readonly command: readonly string[]; readonly environment: Record<string, string> };
}

const proxyEntry = fileURLToPath(new URL('../dist/node.js', import.meta.url));

function upstreamUrl({ tls, upstreamPort }: Surroundings): string {
  return `${tls ? 'https' : 'http'}://127.0.0.1:${upstreamPort}`;
}

function trust({ certificate }: Surroundings): Record<string, string> {
  return { NODE_EXTRA_CA_CERTS: certificate };
}

const quiet: Record<string, string> = {
  VDS_VALIDATE_RESPONSES: 'off',
  VDS_LOG_LEVEL: 'silent',
  VDS_DEADLINE_MS: '60000',
};

/** Our program with settings that differ from the quiet ones. */
function ours(name: string, title: string, settings: Record<string, string> = {}): Contender {
  return {
    name,
    title,
    peer: false,
    start: (place) => ({
      command: [process.execPath, proxyEntry],
      environment: {
        ...quiet,
        ...settings,
        VDS_PORT: String(place.port),
        VDS_UPSTREAM_URL: upstreamUrl(place),
        ...trust(place),
      },
    }),
  };
}

/** A server file that Node runs. */
function served(name: string, title: string, file: (place: Surroundings) => string, peer: boolean): Contender {
  return {
    name,
    title,
    peer,
    start: (place) => ({
      // As our program sets it itself.
      command: [process.execPath, '--semi-space-growth-factor=1', file(place)],
      environment: { PORT: String(place.port), UPSTREAM: upstreamUrl(place), ...trust(place) },
    }),
  };
}

const nginx: Contender = {
  name: 'nginx',
  title: 'nginx, proxy_pass',
  peer: false,
  start(place) {
    const http = `  proxy_max_temp_file_size 0; proxy_buffer_size 16k; proxy_buffers 16 64k; proxy_busy_buffers_size 256k;
  upstream service { server 127.0.0.1:${place.upstreamPort}; keepalive 256; keepalive_requests 100000000; keepalive_timeout 600s; }
  server { listen 127.0.0.1:${place.port} backlog=4096;
    location / {
      proxy_pass ${place.tls ? 'https' : 'http'}://service; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; proxy_set_header X-Request-Id $request_id;
    } }`;
    const configuration = join(place.folder, 'nginx.conf');
    writeFileSync(configuration, nginxFrame(place.folder, 'nginx', http));
    return { command: ['nginx', '-c', configuration, '-e', join(place.folder, 'nginx.log')], environment: {} };
  },
};

const haproxy: Contender = {
  name: 'haproxy',
  title: 'haproxy',
  peer: false,
  start(place) {
    const configuration = join(place.folder, 'haproxy.cfg');
    writeFileSync(
      configuration,
      `global
  maxconn 4096
  nbthread 1
  tune.bufsize 65536
defaults
  mode http
  http-reuse always
  timeout client 600s
  timeout server 600s
  timeout connect 5s
  timeout http-keep-alive 600s
frontend clients
  bind 127.0.0.1:${place.port}
  http-request set-header X-Request-Id %[uuid]
  default_backend service
backend service
  server origin 127.0.0.1:${place.upstreamPort} pool-max-conn 256${place.tls ? ' ssl verify none' : ''}
`,
    );
    return { command: ['haproxy', '-db', '-q', '-f', configuration], environment: {} };
  },
};

const app = fileURLToPath(new URL('ours/app-on-node.ts', import.meta.url));
const peerFile = (file: string) => (place: Surroundings) => join(place.peers, file);

/** Every proxy of the tables, ours first. The others check nothing. */
export const contenders: readonly Contender[] = [
  ours('ours', '**vds-proxy**, all request checks'),
  ours('ours-hono', '**vds-proxy**, fast path off', { VDS_FAST_PATH: 'off' }),
  served('ours-app', '**`createProxy`** on @hono/node-server with `fetch`', () => app, false),
  nginx,
  haproxy,
  served('node-http', 'node:http, piped', peerFile('node-http.mjs'), true),
  served('fastify', '@fastify/http-proxy', peerFile('fastify-http-proxy.mjs'), true),
  served('hono-proxy', 'hono/proxy on Node', peerFile('hono-proxy.mjs'), true),
];

const limit = { VDS_LIMIT_PER_CLIENT: '999999999/60s', VDS_LIMIT_PER_VEHICLE: '999999999/60s' };
const log = { VDS_LOG_LEVEL: 'info' };
const metrics = { VDS_ADMIN_PORT: '0' };

/** Ours with its guards switched on one by one, each alone beside the checks of requests, and then together. */
export const guardLadder: readonly Contender[] = [
  nginx,
  ours('request-checks', 'request checks'),
  ours('access-log', 'request checks + access log', log),
  ours('metrics', 'request checks + metrics', metrics),
  ours('limits', 'request checks + limits for clients and vehicles', limit),
  ours('operations', 'request checks + access log + metrics + limits', { ...log, ...metrics, ...limit }),
  ours('report', 'request checks + responses checked, reported', { VDS_VALIDATE_RESPONSES: 'report' }),
  ours('enforce', 'request checks + responses checked, enforced', { VDS_VALIDATE_RESPONSES: 'enforce' }),
  ours('everything', 'everything', { ...log, ...metrics, ...limit, VDS_VALIDATE_RESPONSES: 'enforce' }),
];
