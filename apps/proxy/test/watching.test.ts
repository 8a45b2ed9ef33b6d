import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './support/listen.ts';
import { runProgram, startProgram } from './support/program.ts';
import { RawCaller } from './support/raw-client.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const vin = 'TESTVEHCLE0000001';
const location = `/v1/vehicles/${vin}/locations`;
const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

async function service(delayMs = 0) {
  const seen: string[][] = [];
  const upstream = await listen((request, response) => {
    seen.push(request.rawHeaders);
    const data = { location: { latitude: 91.5, longitude: 8.25, speed: { value: 1, unit: 'kph' } } };
    const body = request.url?.endsWith('locations') ? successBody(data) : successBody();
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), delayMs);
  });
  cleanUp.push(upstream.close);
  return { url: upstream.url, seen };
}

async function proxy(environment: Record<string, string>) {
  const program = await startProgram(environment);
  cleanUp.push(() => program.process.kill('SIGKILL'));
  const admin = /metrics on (http:\S+)\/metrics\n/.exec(program.output.stdout)?.[1] ?? '';
  const call = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${program.port}${path}`, {
      method,
      headers: { brand: 'brand_a', authorization: 'Bearer secret-7', ...headers },
    });
  return { ...program, admin, call };
}

const text = async (url: string, method = 'GET') => (await fetch(url, { method })).text();

describe('the admin port', () => {
  it('shows metrics by route template, without a VIN or a token', async () => {
    const { url } = await service();
    const { admin, call } = await proxy({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    await (await call(location)).text();
    await (await call(`/v1/vehicles/${vin.toLowerCase()}x/locations`)).text();
    await (await call(location, {}, 'PATCH')).text();
    await (await call(`/${vin}`)).text();
    const metrics = await text(`${admin}/metrics`);
    const route = 'route="/v1/vehicles/{vin}/locations"';
    expect(metrics).toContain(`vds_proxy_requests_total{method="GET",${route},status="200",code=""} 1\n`);
    expect(metrics).toContain(`vds_proxy_requests_total{method="GET",${route},status="400",code="4002"} 1\n`);
    expect(metrics).toContain(
      `vds_proxy_requests_total{method="-",${route},status="405",code="method-not-allowed"} 1\n`,
    );
    expect(metrics).toContain(
      'vds_proxy_requests_total{method="-",route="-",status="404",code="no-such-operation"} 1\n',
    );
    expect(metrics).toContain(`vds_proxy_request_duration_seconds_count{method="GET",${route}} 1\n`);
    expect(metrics).toContain('vds_proxy_circuit_breaker{state="closed"} 1\n');
    expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(metrics).not.toMatch(/TESTVEHCLE|testvehcle|secret-7/);
  });

  it('follows the conventions of Prometheus', async () => {
    const { url } = await service();
    const { admin } = await proxy({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    const metrics = await text(`${admin}/metrics`);
    const own = [...metrics.matchAll(/^# TYPE (vds_proxy_\S+) (\w+)$/gm)];
    expect(own.length).toBeGreaterThan(10);
    for (const [, name = '', type] of own) {
      expect(metrics).toContain(`# HELP ${name} `);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name).not.toMatch(/_ms$|millis|minutes/);
    }
  });

  it('shows contract drift by place, without a value', async () => {
    const { url } = await service();
    const { admin, call } = await proxy({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    await (await call(location)).text();
    await expect.poll(() => text(`${admin}/drift`)).toContain('/data/location/latitude');
    const drift = await text(`${admin}/drift`);
    expect(JSON.parse(drift)).toMatchObject({ checked: 1 });
    expect(drift).not.toMatch(/91\.5|8\.25|TESTVEHCLE/);
    expect(await text(`${admin}/metrics`)).toMatch(/^vds_proxy_drift_findings [1-9]\d*$/m);
  });

  it('shows the states of tokens, never their values', async () => {
    const { url } = await service();
    const issuer = await listen((_, response) => {
      response.writeHead(200).end('{"access_token":"token-zebra","expires_in":3600,"refresh_token":"refresh-zebra"}');
    });
    cleanUp.push(issuer.close);
    const { admin, call, output } = await proxy({
      VDS_UPSTREAM_URL: url,
      VDS_ADMIN_PORT: '0',
      VDS_STORE: 'file',
      VDS_STORE_DIR: await mkdtemp(join(tmpdir(), 'vds-store-')),
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: issuer.url,
      VDS_TOKEN_GRANT: 'refresh-token',
      VDS_REFRESH_TOKEN: 'first-zebra',
      VDS_CLIENT_ID: 'me',
      VDS_LOG_LEVEL: 'debug',
    });
    expect((await call('/v1/vehicles/consent')).status).toBe(200);
    const tokens = await text(`${admin}/tokens`);
    const renewal = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    expect(JSON.parse(tokens)).toMatchObject({
      tokens: [
        { brand: 'brand_a', state: 'valid', renewConsentBy: renewal, failuresInARow: 0 },
        { brand: 'brand_b', state: 'none', renewConsentBy: null },
        { brand: 'brand_c', state: 'none' },
      ],
    });
    const metrics = await text(`${admin}/metrics`);
    expect(metrics).toContain('vds_proxy_token_requests_total{brand="brand_a",outcome="ok"} 1\n');
    expect(metrics).toContain('vds_proxy_token_valid{brand="brand_a"} 1\n');
    expect(metrics).toContain(
      `vds_proxy_consent_renewal_timestamp_seconds{brand="brand_a"} ${Date.parse(renewal) / 1000}\n`,
    );
    expect(tokens + metrics + output.stderr + output.stdout).not.toContain('zebra');
  });

  it('serves nothing else, and the port of clients serves none of it', async () => {
    const { url, seen } = await service();
    const { admin, call } = await proxy({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    expect((await fetch(`${admin}/v1/vehicles/consent`)).status).toBe(404);
    expect((await fetch(`${admin}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${admin}/metrics`, { method: 'HEAD' })).status).toBe(200);
    for (const path of ['/metrics', '/drift', '/tokens']) expect((await call(path)).status).toBe(404);
    expect(seen).toHaveLength(0);
  });

  it('that is taken is named', async () => {
    const { url } = await service();
    const first = await proxy({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    const taken = new URL(first.admin).port;
    const run = runProgram({ VDS_UPSTREAM_URL: url, VDS_PORT: '0', VDS_ADMIN_PORT: taken });
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toBe('vds-proxy: VDS_ADMIN_PORT: the port is already in use\n');
  });
});

describe('the log', () => {
  it('has one line of JSON a call, with template, client and trace', async () => {
    const { url } = await service();
    const { call, output, process: child, exit } = await proxy({ VDS_UPSTREAM_URL: url, VDS_LOG_LEVEL: 'debug' });
    await (await call(location, { traceparent: parent })).text();
    await (await call(`${location}?zebra=1`)).text();
    child.kill('SIGTERM');
    await exit;
    const lines = output.stderr.trim().split('\n');
    expect(lines).toHaveLength(2);
    const [first, second] = lines.map((line) => JSON.parse(line) as object);
    const template = '/v1/vehicles/{vin}/locations';
    const traceId = parent.slice(3, 35);
    expect(first).toMatchObject({ method: 'GET', template, status: 200, code: '', traceId, attempts: 1 });
    expect(second).toMatchObject({ method: 'GET', template, status: 400, code: '4002' });
    expect(output.stderr).not.toMatch(/TESTVEHCLE|secret-7|zebra|8\.25/);
  });

  it('whose reader is gone loses lines, and no call', async () => {
    const { url } = await service();
    const run = await proxy({ VDS_UPSTREAM_URL: url });
    run.process.stderr?.destroy();
    for (let round = 0; round < 5; round++) {
      expect((await run.call(location)).status).toBe(200);
      await wait(150);
    }
    expect(run.process.exitCode).toBe(null);
  });

  it('whose reader stalls stops no request, and not the end of the program', { timeout: 30_000 }, async () => {
    const { url } = await service();
    const run = await proxy({ VDS_UPSTREAM_URL: url, VDS_DRAIN_DELAY_MS: '0', VDS_ADMIN_PORT: '0' });
    run.process.stderr?.removeAllListeners('data');
    run.process.stderr?.pause();
    const dropped = async () =>
      Number(/^vds_proxy_log_lines_dropped_total (\d+)$/m.exec(await text(`${run.admin}/metrics`))?.[1]);
    expect(await dropped()).toBe(0);
    // More than the pipe, this process and the megabyte of waiting lines hold together.
    const client = new RawCaller(run.port);
    cleanUp.push(() => client.close());
    let responses = 0;
    client.socket.removeAllListeners('data');
    client.socket.on('data', (bytes: Buffer) => {
      responses += bytes.toString('latin1').split('HTTP/1.1 404').length - 1;
    });
    client.send(`GET /${'x'.repeat(40)} HTTP/1.1\r\nHost: p\r\n\r\n`.repeat(8000));
    // Some are cut in two by the way in which they come.
    await expect.poll(() => responses, { timeout: 20_000 }).toBeGreaterThan(7500);
    expect(await dropped()).toBeGreaterThan(100);
    expect((await run.call(location)).status).toBe(200);
    run.process.kill('SIGTERM');
    await new Promise((resolve) => run.process.once('exit', resolve));
    expect(run.process.exitCode).toBe(0);
  });
});

describe('an answer', () => {
  it('says how long the service took, when that is switched on', async () => {
    const { url } = await service(40);
    const on = await proxy({ VDS_UPSTREAM_URL: url, VDS_SERVER_TIMING: 'true' });
    const timing = (await on.call(location)).headers.get('server-timing') ?? '';
    expect(timing).toMatch(/^service;dur=\d+\.\d$/);
    expect(Number(timing.split('=')[1])).toBeGreaterThan(30);
    const off = await proxy({ VDS_UPSTREAM_URL: url });
    expect((await off.call(location)).headers.has('server-timing')).toBe(false);
  });
});

describe('SIGTERM', () => {
  it('lets 50 of 50 calls under way finish, takes no new ones, and ends with 0', { timeout: 20_000 }, async () => {
    const { url, seen } = await service(1500);
    const { call, port, process: child, exit } = await proxy({ VDS_UPSTREAM_URL: url });
    const calls = Array.from({ length: 50 }, async () => {
      const answer = await call(location);
      return { status: answer.status, body: await answer.text() };
    });
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(50);
    child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          (answer) => answer.status,
          () => 'refused',
        ),
      )
      .not.toBe(200);
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(200);
      expect(body).toContain('"location"');
    }
    expect(await exit).toBe(0);
  });

  it('waits for a request until its deadline, and ends with 0', { timeout: 20_000 }, async () => {
    const { url, seen } = await service(60_000);
    const { call, process: child, exit } = await proxy({ VDS_UPSTREAM_URL: url, VDS_DEADLINE_MS: '2000' });
    const stuck = call(location);
    await expect.poll(() => seen.length).toBe(1);
    child.kill('SIGTERM');
    expect((await stuck).status).toBe(504);
    expect(await exit).toBe(0);
  });

  it('that comes a second time ends it at once', async () => {
    const { url, seen } = await service(60_000);
    const { call, process: child, exit } = await proxy({ VDS_UPSTREAM_URL: url });
    const stuck = call(location).catch(() => 'broken off');
    await expect.poll(() => seen.length).toBe(1);
    child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    expect(await stuck).toBe('broken off');
  });
});
