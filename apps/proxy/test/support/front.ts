import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The reverse proxies that can be played with here. */
export const fronts = ['nginx', 'haproxy'].filter((name) => {
  const found = spawnSync(name, ['-v']).error === undefined;
  if (!found) console.warn(`the tests behind ${name} are skipped: it is not installed`);
  return found;
});

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A proxy behind a reverse proxy: where it serves, and where it is probed. */
export interface Backend {
  readonly port: number;
  readonly probePort: number;
}

/** The configuration in `deploy/`, without TLS and with other ports. */
function configuration(name: string, port: number, [one, two]: readonly [Backend, Backend], folder: string): string {
  const file = name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${one.port}`)
    .replaceAll('127.0.0.1:8789', `127.0.0.1:${two.port}`)
    .replace('port 8790', `port ${one.probePort}`)
    .replace('port 8791', `port ${two.probePort}`);
  if (name === 'haproxy') return text.replace(/bind :443.*/, `bind 127.0.0.1:${port}`);
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  return `pid ${folder}/nginx.pid; error_log stderr crit; daemon off;\n${text
    .replace(/^ *ssl_.*$/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('http {', `http {\n${own.join('\n')}`)}`;
}

/** Starts a reverse proxy in front of two proxies, as the files in `deploy/` configure it. */
export async function startFront(name: string, backends: readonly [Backend, Backend]) {
  const folder = mkdtempSync(join(tmpdir(), `vds-${name}-`));
  const port = await freePort();
  const file = join(folder, 'front.conf');
  writeFileSync(file, configuration(name, port, backends, folder));
  const flags = name === 'nginx' ? ['-c', file, '-p', folder] : ['-f', file, '-db'];
  const child = spawn(name, flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let attempt = 0; attempt < 100 && !(await isOpen(port)); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return { url: `http://127.0.0.1:${port}`, close: () => child.kill('SIGTERM') };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
