import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilOpen(port: number): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      setTimeout(() => socket.destroy(), 50);
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the peer does not listen');
}

const nginx = (port: number, service: number, folder: string) => `
daemon off; worker_processes 1; pid ${folder}/pid; error_log /dev/null;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream service { server 127.0.0.1:${service}; keepalive 16; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}`;

const haproxy = (port: number, service: number) => `
defaults
  mode http
  timeout connect 2s
  timeout client 5s
  timeout server 5s
frontend front
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one 127.0.0.1:${service}
`;

/** Starts another proxy, as its manual shows it, in front of a service. */
export async function startPeers(
  name: 'nginx' | 'haproxy',
  service: number,
): Promise<{ port: number; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), `vds-${name}-`));
  const port = await freePort();
  const file = join(folder, 'config');
  writeFileSync(file, name === 'nginx' ? nginx(port, service, folder) : haproxy(port, service));
  const [command, flags] = name === 'nginx' ? ['nginx', ['-c', file, '-p', folder]] : ['haproxy', ['-db', '-f', file]];
  const child = spawn(command as string, flags as string[], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
  });
  await untilOpen(port);
  return { port, stop: () => child.kill('SIGTERM') };
}
