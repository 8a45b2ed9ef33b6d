import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A command and what it needs in its environment. */
interface Command {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Where a contender listens, what it forwards to, and a folder for its files. */
interface Place {
  readonly port: number;
  readonly upstreamPort: number;
  readonly folder: string;
}

/** One proxy of the bench. */
export interface Contender {
  readonly name: string;
  /** What it is, for the table. */
  readonly title: string;
  /** The contender that it is compared with: nginx, which has an access log where this one has one. */
  readonly yardstick: 'nginx' | 'nginx-log';
  command(place: Place): Command;
}

const program = fileURLToPath(new URL('../dist/node.js', import.meta.url));
const embedding = fileURLToPath(new URL('../runtimes/entries/node.ts', import.meta.url));
const peers = fileURLToPath(new URL('peers/', import.meta.url));

/** What the peers do not do either. */
const quiet = { VDS_VALIDATE_RESPONSES: 'off', VDS_LOG_LEVEL: 'silent' };
// As our program sets it itself.
const nodeFlag = '--semi-space-growth-factor=1';

/** Our program, with all checks of requests; the others check nothing. Nobody reads its log. */
const ours = (
  name: string,
  title: string,
  settings: Record<string, string>,
  yardstick: Contender['yardstick'] = 'nginx',
): Contender => ({
  name,
  title,
  yardstick,
  command: ({ port, upstreamPort }) => ({
    command: ['sh', '-c', 'exec "$0" "$@" 2> /dev/null', process.execPath, program],
    environment: {
      VDS_DEADLINE_MS: '60000',
      VDS_PORT: String(port),
      VDS_UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}`,
      ...settings,
    },
  }),
});

/** The proxy as an application embeds it without further parts. */
const embedded: Contender = {
  name: 'ours-fetch',
  title: '**createProxy** on Hono’s Node server, with fetch',
  yardstick: 'nginx',
  command({ port, upstreamPort }) {
    const config = { upstreamUrl: `http://127.0.0.1:${upstreamPort}`, validateResponses: 'off', deadlineMs: 60_000 };
    return {
      command: [process.execPath, nodeFlag, embedding],
      environment: { RUNTIME: 'hono-fetch', PROXIES: JSON.stringify([{ port, config }]) },
    };
  },
};

/** A peer of `peers/`, which is copied and installed when it is not there yet. */
const peer = (name: string, title: string): Contender => ({
  name,
  title,
  yardstick: 'nginx',
  command({ port, upstreamPort, folder }) {
    cpSync(peers, folder, { recursive: true });
    // Not `ci`: it rejects a lockfile that does not name the runtimes of other platforms.
    const install = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
    if (!existsSync(join(folder, 'node_modules'))) execFileSync('npm', install, { cwd: folder, stdio: 'inherit' });
    return {
      command: [process.execPath, nodeFlag, join(folder, `${name}.mjs`)],
      environment: { PORT: String(port), UPSTREAM: `http://127.0.0.1:${upstreamPort}` },
    };
  },
});

/** The frame of all nginx servers of the bench: one process, connections kept. */
function nginxFrame(folder: string, name: string, http: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${name}-${kind};`,
  );
  return `worker_processes 1; daemon off; master_process off; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log warn;
events { worker_connections 4096; }
http {
  keepalive_requests 100000000; keepalive_timeout 600s; tcp_nodelay on; server_tokens off;
  ${temporary.join(' ')}
${http}
}
`;
}

/** Large responses go through memory: a temporary file for what the client has not read yet would cost it several milliseconds. */
const nginx = (name: Contender['yardstick'], title: string, accessLog: string): Contender => ({
  name,
  title,
  yardstick: name,
  command({ port, upstreamPort, folder }) {
    const http = `  ${accessLog} proxy_max_temp_file_size 0; proxy_buffer_size 16k; proxy_buffers 16 64k; proxy_busy_buffers_size 256k;
  upstream service { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 100000000; keepalive_timeout 600s; }
  server { listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; proxy_set_header X-Request-Id $request_id;
    } }`;
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, nginxFrame(folder, name, http));
    return { command: ['nginx', '-c', file, '-e', join(folder, `${name}.log`)] };
  },
});

/** The upstream of all: nginx with the file `body.json`. */
export const origin: Contender = {
  name: 'origin',
  title: 'nginx, a file',
  yardstick: 'nginx',
  command({ port, folder }) {
    const http = `  access_log off; sendfile on; tcp_nopush on; open_file_cache max=100 inactive=600s; default_type application/json; types { }
  server {
    listen 127.0.0.1:${port} backlog=4096; root ${folder};
    location / { try_files /body.json =404; }
  }`;
    const file = join(folder, 'origin.conf');
    writeFileSync(file, nginxFrame(folder, 'origin', http));
    return { command: ['nginx', '-c', file, '-e', join(folder, 'origin.log')] };
  },
};

const haproxy: Contender = {
  name: 'haproxy',
  title: 'haproxy',
  yardstick: 'nginx',
  command({ port, upstreamPort, folder }) {
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(
      file,
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
  bind 127.0.0.1:${port}
  http-request set-header X-Request-Id %[uuid]
  default_backend service
backend service
  server origin 127.0.0.1:${upstreamPort} pool-max-conn 256
`,
    );
    return { command: ['haproxy', '-db', '-q', '-f', file] };
  },
};

/** Every proxy of the bench, ours first, as people run it. */
export const contenders: readonly Contender[] = [
  ours('ours-defaults', '**vds-proxy**', {}, 'nginx-log'),
  nginx('nginx-log', 'nginx, proxy_pass with its access log', 'access_log /dev/null;'),
  ours('ours', '**vds-proxy**, no log, responses not checked', quiet),
  ours('ours-hono', '**vds-proxy**, the same, fast path off', { ...quiet, VDS_FAST_PATH: 'off' }),
  embedded,
  nginx('nginx', 'nginx, proxy_pass', 'access_log off;'),
  haproxy,
  peer('fastify-http-proxy', '@fastify/http-proxy'),
  peer('hono-proxy', 'hono/proxy on Node'),
];
