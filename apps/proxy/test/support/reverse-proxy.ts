import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { onTestFinished } from 'vitest';

/** The reverse proxies that are installed here. */
export const reverseProxies = ['nginx', 'haproxy'].filter((name) => {
  const found = spawnSync(name, ['-v']).error === undefined;
  if (!found) console.warn(`the tests behind ${name} are skipped: it is not installed`);
  return found;
});

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

/** Starts a reverse proxy in front of two proxies, as the files in `deploy/` configure it; gives its address. */
export async function startReverseProxy(name: string, backends: readonly [Backend, Backend]) {
  const folder = mkdtempSync(join(tmpdir(), `vds-${name}-`));
  const port = await getPort();
  const file = join(folder, 'reverse-proxy.conf');
  writeFileSync(file, configuration(name, port, backends, folder));
  const flags = name === 'nginx' ? ['-c', file, '-p', folder] : ['-f', file, '-db'];
  const child = spawn(name, flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  return `http://127.0.0.1:${port}`;
}
