import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { isInstalled, run } from './support/listening.ts';
import { newFile, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { clientOf, consent, withdrawal } from './support/set-up.ts';

/** Where a proxy behind a reverse proxy serves, and where it is probed. */
interface Backend {
  readonly port: number;
  readonly probePort: number;
}

/** The configuration in `deploy/`, without TLS and with other ports. */
function configuration(name: string, port: number, [one, two]: readonly [Backend, Backend], folder: string): string {
  const file = name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const text = readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8')
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${one.port}`)
    .replaceAll('127.0.0.1:8789', `127.0.0.1:${two.port}`)
    .replace('port 8790', `port ${one.probePort}`)
    .replace('port 8791', `port ${two.probePort}`);
  // On a busy machine a probe takes longer than the time to the next one, and no server would be up.
  if (name === 'haproxy')
    return text
      .replace(/bind :443.*/, `bind 127.0.0.1:${port}`)
      .replace('defaults\n', 'defaults\n  timeout check 20s\n');
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const own = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  return `pid ${folder}/nginx.pid; error_log stderr crit; daemon off;\n${text
    .replace(/^ *ssl_.*$/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('http {', `http {\n${own}`)}`;
}

/** Two proxies behind a reverse proxy, and how each of them is started again. */
async function start(name: string, upstreamUrl: string) {
  const backend = async (): Promise<Backend> => ({ port: await reservedPort(), probePort: await reservedPort() });
  const backends = [await backend(), await backend()] as const;
  const restart = (index: 0 | 1) =>
    startProgram({
      VDS_UPSTREAM_URL: upstreamUrl,
      VDS_PORT: String(backends[index].port),
      VDS_PROBE_PORT: String(backends[index].probePort),
      // Ten times as long as HAProxy's probes are apart; nginx has none.
      VDS_DRAIN_DELAY_MS: name === 'haproxy' ? '5000' : '500',
      VDS_TRUSTED_HOPS: '1',
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: String(index),
    });
  const programs = await Promise.all([restart(0), restart(1)]);
  const [file, port] = [newFile('reverse-proxy.conf'), await reservedPort()];
  writeFileSync(file, configuration(name, port, backends, dirname(file)));
  const flags = name === 'nginx' ? ['-c', file, '-p', dirname(file)] : ['-f', file, '-db'];
  const { process: child } = run([name, ...flags], process.env);
  onTestFinished(() => void child.kill('SIGTERM'));
  const call = clientOf(`http://127.0.0.1:${port}`);
  const status = (method: 'GET' | 'DELETE' = 'GET') =>
    call(method === 'GET' ? consent : withdrawal, {}, method).then(
      (response) => response.status,
      () => 'reset',
    );
  await expect.poll(() => status()).toBe(200);
  return { programs, restart, status };
}

describe.each(['nginx', 'haproxy'])('behind %s', (name) => {
  const test = it.skipIf(!isInstalled(name));

  test('a DELETE whose proxy is killed is not sent again', async () => {
    let deletes = 0;
    const upstream = await startUpstream((request) => {
      if (request.method !== 'DELETE') return {};
      // The proxy that took it is killed while it waits; the other one stays.
      if (++deletes === 1) programs[Number(request.token)]?.process.kill('SIGKILL');
      return { delayMs: 2000 };
    });
    const { programs, status } = await start(name, upstream.url);
    expect(await status('DELETE')).toBe(502);
    // HAProxy notices at its next check.
    await expect.poll(() => status()).toBe(200);
    expect(deletes).toBe(1);
  });

  test('a rolling restart loses no request, but for a DELETE that nginx sends while a proxy closes its port', async () => {
    // Where the restart lasts longer, each request does too.
    const upstream = await startUpstream(() => ({ delayMs: name === 'haproxy' ? 100 : 20 }));
    const { programs, restart, status } = await start(name, upstream.url);
    const outcomes: string[] = [];
    let running = true;
    const clients = Array.from({ length: 4 }, async (_, index) => {
      const method = index === 0 ? 'DELETE' : 'GET';
      while (running) outcomes.push(`${method} ${await status(method)}`);
    });
    for (const index of [0, 1] as const) {
      expect(await programs[index].stop()).toMatchObject({ code: 0 });
      const before = upstream.seen.length;
      await restart(index);
      // Until the reverse proxy has seen that it is back.
      await expect.poll(() => upstream.tokens().slice(before)).toContain(String(index));
    }
    running = false;
    await Promise.all(clients);
    expect(outcomes.length).toBeGreaterThan(100);
    const lost = outcomes.filter((outcome) => !outcome.endsWith(' 200'));
    // One DELETE at a time, and one moment in each restart that nginx, which probes nothing, cannot know of.
    const allowed = name === 'nginx' ? lost.filter((outcome) => outcome === 'DELETE 502').slice(0, 2) : [];
    expect(lost).toEqual(allowed);
    const sent = upstream.seen.filter(({ method }) => method === 'DELETE');
    expect(sent).toHaveLength(outcomes.filter((outcome) => outcome === 'DELETE 200').length);
  });
});
