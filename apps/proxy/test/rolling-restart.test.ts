import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { listen } from './support/listen.ts';
import { startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Configurations of load balancers that keep connections to two proxies. */
const balancers = {
  nginx: (port: number, [one, two]: readonly number[], folder: string) => `
daemon off; pid ${folder}/pid; error_log /dev/null; events {}
http { access_log off;
  upstream proxies { server 127.0.0.1:${one} max_fails=0; server 127.0.0.1:${two} max_fails=0; keepalive 16; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://proxies; proxy_http_version 1.1; proxy_set_header Connection ""; } } }
`,
  haproxy: (port: number, [one, two]: readonly number[]) => `
defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 10s
  timeout server 20s
  http-reuse always
  option redispatch
frontend clients
  bind 127.0.0.1:${port}
  default_backend proxies
backend proxies
  option httpchk GET /readyz
  server one 127.0.0.1:${one} check inter 200ms fall 1 rise 1
  server two 127.0.0.1:${two} check inter 200ms fall 1 rise 1
`,
};

it.for(['nginx', 'haproxy'] as const)(
  'a rolling restart behind %s loses no request',
  { timeout: 60_000 },
  async (name, { skip }) => {
    if (spawnSync(name, ['-v']).error !== undefined) skip(`${name} is not installed`);
    const upstream = await listen((_, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(successBody()), 20);
    });
    cleanUp.push(upstream.close);
    const ports = [await freePort(), await freePort()];
    const port = await freePort();
    const start = (at: number) =>
      startProgram({ VDS_UPSTREAM_URL: upstream.url, VDS_PORT: String(at), VDS_LOG_LEVEL: 'silent' });
    const proxies = await Promise.all(ports.map(start));
    cleanUp.push(() => proxies.forEach((each) => void each.process.kill('SIGKILL')));
    const folder = mkdtempSync(join(tmpdir(), 'rolling-'));
    writeFileSync(join(folder, 'conf'), balancers[name](port, ports, folder));
    const balancer = spawn(name, name === 'nginx' ? ['-c', join(folder, 'conf')] : ['-f', join(folder, 'conf')], {
      stdio: 'ignore',
    });
    cleanUp.push(
      () => rmSync(folder, { recursive: true }),
      () => balancer.kill(),
    );

    const agent = new Agent({ keepAlive: true });
    cleanUp.push(() => agent.destroy());
    const call = () =>
      new Promise<number>((resolve) => {
        const headers = { brand: 'brand_a', authorization: 'Bearer t' };
        request({ port, host: '127.0.0.1', path: '/v1/vehicles/consent', headers, agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        })
          .on('error', () => resolve(0))
          .end();
      });
    await expect.poll(call, { timeout: 10_000 }).toBe(200);

    const lost: number[] = [];
    let served = 0;
    let stopping = false;
    const clients = Array.from({ length: 20 }, async () => {
      while (!stopping) {
        const status = await call();
        if (status === 200) served++;
        else lost.push(status);
      }
    });
    for (const [index, at] of ports.entries()) {
      await wait(300);
      proxies[index]?.process.kill('SIGTERM');
      expect(await proxies[index]?.exit).toBe(0);
      proxies[index] = await start(at);
      // Until the balancer has seen that it is back.
      await wait(2000);
    }
    stopping = true;
    await Promise.all(clients);
    expect(served).toBeGreaterThan(200);
    expect(lost).toEqual([]);
  },
);
