import getPort from 'get-port';
import { describe, expect, it } from 'vitest';
import { startProgram } from './support/program.ts';
import { type Backend, reverseProxies, startReverseProxy } from './support/reverse-proxy.ts';
import { bearerOf, clientOf, startUpstream, withdrawal } from './support/set-up.ts';

/** Two proxies behind a reverse proxy, and how each of them is started again. */
async function start(name: string, upstreamUrl: string) {
  const backend = async (): Promise<Backend> => ({ port: await getPort(), probePort: await getPort() });
  const backends = [await backend(), await backend()] as const;
  const restart = (index: 0 | 1) =>
    startProgram({
      VDS_UPSTREAM_URL: upstreamUrl,
      VDS_PORT: String(backends[index].port),
      VDS_PROBE_PORT: String(backends[index].probePort),
      VDS_TRUSTED_HOPS: '1',
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: String(index),
    });
  const programs = await Promise.all([restart(0), restart(1)]);
  const call = clientOf(await startReverseProxy(name, backends));
  const status = () =>
    call().then(
      (response) => response.status,
      () => 'reset',
    );
  await expect.poll(status).toBe(200);
  return { programs, restart, call, status };
}

describe.each(reverseProxies)('behind %s', (name) => {
  it('a DELETE whose proxy is killed is not sent again', async () => {
    let deletes = 0;
    const upstream = await startUpstream((request) => {
      if (request.method !== 'DELETE') return {};
      // The proxy that took it is killed while it waits; the other one stays.
      if (++deletes === 1) programs[Number(bearerOf(request))]?.process.kill('SIGKILL');
      return { delayMs: 2000 };
    });
    const { programs, call, status } = await start(name, upstream.url);
    expect((await call(withdrawal, {}, 'DELETE')).status).toBe(502);
    // HAProxy notices at its next check.
    await expect.poll(status).toBe(200);
    expect(deletes).toBe(1);
  });

  it('a rolling restart loses no request', async () => {
    const upstream = await startUpstream(() => ({ delayMs: 5 }));
    const { programs, restart, status } = await start(name, upstream.url);
    const statuses = new Map<number | string, number>();
    let running = true;
    const clients = Array.from({ length: 10 }, async () => {
      while (running) {
        const seen = await status();
        statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
      }
    });
    for (const index of [0, 1] as const) {
      expect(await programs[index].stop()).toMatchObject({ code: 0 });
      await restart(index);
      const served = () => upstream.tokens().slice(-20);
      // Until the reverse proxy has seen that it is back.
      await expect.poll(served).toContain(String(index));
    }
    running = false;
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(100);
  });
});
