import { afterEach, describe, expect, it } from 'vitest';
import { type Backend, freePort, fronts, startFront } from './support/front.ts';
import { listen } from './support/listen.ts';
import { startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const path = '/v1/vehicles/consent';
const headers = { brand: 'brand_a', authorization: 'Bearer callers' };

async function get(url: string): Promise<number | string> {
  const answer = await fetch(url + path, { headers }).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status ?? 'reset';
}

async function start(upstreamUrl: string, { port, probePort }: Backend, token = 'own') {
  const program = await startProgram({
    VDS_UPSTREAM_URL: upstreamUrl,
    VDS_PORT: String(port),
    VDS_PROBE_PORT: String(probePort),
    VDS_TRUSTED_HOPS: '1',
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: token,
  });
  cleanUp.push(() => program.process.kill('SIGKILL'));
  return program;
}

async function twoBackends(): Promise<[Backend, Backend]> {
  const one = { port: await freePort(), probePort: await freePort() };
  return [one, { port: await freePort(), probePort: await freePort() }];
}

describe.each(fronts)('behind %s', (name) => {
  it('a DELETE whose proxy is killed is not sent again', async () => {
    let deletes = 0;
    const upstream = await listen((request, response) => {
      const program = programs.get(request.headers.authorization ?? '');
      // The proxy that took it is killed while it waits; the other one stays.
      if (request.method === 'DELETE' && ++deletes === 1) program?.process.kill('SIGKILL');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(successBody());
    });
    cleanUp.push(upstream.close);
    const backends = await twoBackends();
    const programs = new Map([
      ['Bearer one', await start(upstream.url, backends[0], 'one')],
      ['Bearer two', await start(upstream.url, backends[1], 'two')],
    ]);
    const front = await startFront(name, backends);
    cleanUp.push(front.close);
    await expect.poll(() => get(front.url), { timeout: 10_000 }).toBe(200);
    const answer = await fetch(`${front.url}${path}?vin=TESTVEHCLE0000001`, { method: 'DELETE', headers });
    expect(answer.status).toBe(502);
    // HAProxy notices at its next check.
    await expect.poll(() => get(front.url), { timeout: 10_000 }).toBe(200);
    expect(deletes).toBe(1);
  });

  it('a rolling restart loses no request', { timeout: 60_000 }, async () => {
    const upstream = await listen((_, response) =>
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(successBody()), 5),
    );
    cleanUp.push(upstream.close);
    const backends = await twoBackends();
    const programs = [await start(upstream.url, backends[0]), await start(upstream.url, backends[1])];
    const front = await startFront(name, backends);
    cleanUp.push(front.close);
    await expect.poll(() => get(front.url), { timeout: 10_000 }).toBe(200);
    const statuses = new Map<number | string, number>();
    let running = true;
    const clients = Array.from({ length: 20 }, async () => {
      while (running) {
        const status = await get(front.url);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    for (const [index, program] of programs.entries()) {
      program.process.kill('SIGTERM');
      expect(await program.exit).toBe(0);
      await start(upstream.url, backends[index === 0 ? 0 : 1]);
      // Until the reverse proxy has seen that it is back.
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
    running = false;
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(100);
  });
});
