import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { newFile, startProgram } from './support/program.ts';
import {
  oauthResponse,
  requestTo,
  responseWith,
  startRawUpstream,
  startUpstream,
  successBody,
} from './support/servers.ts';
import { connectTo, consent, locationOf, requestLines, startProxy, vin } from './support/set-up.ts';
import { statusOf } from './support/wire.ts';

const template = '/v1/vehicles/{vin}/locations';
// The latitude violates the contract.
const body = successBody({ location: { latitude: 91.5, longitude: 88.25, speed: { value: 1, unit: 'kph' } } });

async function start(environment: Record<string, string> = {}, delayMs = 0) {
  const upstream = await startUpstream(({ url }) => ({ delayMs, ...(url.endsWith('locations') ? { body } : {}) }));
  const program = await startProgram({ VDS_UPSTREAM_URL: upstream.url, VDS_ADMIN_PORT: '0', ...environment });
  return { ...program, upstream };
}

it('the admin server shows metrics by route template and drift by place, without a VIN, a token or a value', async () => {
  const { call, adminPage, upstream, admin } = await start({ VDS_LOG_LEVEL: 'silent' });
  await call(locationOf());
  await call(locationOf(`${vin.toLowerCase()}x`));
  await call(locationOf(), {}, 'PATCH');
  await call(`/${vin}`);
  const metrics = await adminPage('/metrics');
  const route = `route="${template}"`;
  for (const line of [
    `vds_proxy_requests_total{method="GET",${route},status="200",code=""} 1\n`,
    `vds_proxy_requests_total{method="GET",${route},status="400",code="4002"} 1\n`,
    `vds_proxy_requests_total{method="-",${route},status="405",code="method-not-allowed"} 1\n`,
    'vds_proxy_requests_total{method="-",route="-",status="404",code="no-such-operation"} 1\n',
    `vds_proxy_request_duration_seconds_count{method="GET",${route}} 1\n`,
    `vds_proxy_upstream_response_seconds_count{method="GET",${route}} 1\n`,
    'vds_proxy_circuit_breaker_rejections_total 0\n',
    'vds_proxy_circuit_breaker_open{brand="brand_a"} 0\n',
  ])
    expect(metrics).toContain(line);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
  // The conventions of Prometheus: https://prometheus.io/docs/practices/naming/
  const own = [...metrics.matchAll(/^# TYPE (vds_proxy_\S+) (\w+)$/gm)];
  expect(own.length).toBeGreaterThan(10);
  for (const [, name = '', type] of own) {
    expect(metrics).toContain(`# HELP ${name} `);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/_ms$|millis|minutes/);
  }
  await expect.poll(() => adminPage('/drift')).toContain('/data/location/latitude');
  expect(await adminPage('/metrics')).toContain('vds_proxy_drift_findings_total 1\n');
  const drift = await adminPage('/drift');
  expect(JSON.parse(drift)).toMatchObject({ checked: 1 });
  expect(metrics + drift).not.toMatch(/testvehcle|of-the-client|91\.5|88\.25/i);

  expect((await fetch(`${admin}${consent}`)).status).toBe(404);
  expect((await fetch(`${admin}/metrics`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${admin}/metrics?x=y`, { method: 'HEAD' })).status).toBe(200);
  expect((await requestTo(`${admin}/metrics`, { host: 'evil.test' })).status).toBe(403);
  for (const path of ['/metrics', '/drift', '/tokens']) expect((await call(path)).status).toBe(404);
  expect(upstream.seen).toHaveLength(1);
});

it('the admin server shows the state of tokens and the day by which consent must be renewed, and no token', async () => {
  const issuer = await startUpstream((_, count) =>
    count === 1 ? oauthResponse('token-zebra', { refresh_token: 'refresh-zebra' }) : { status: 500 },
  );
  const configFile = newFile('settings.json');
  const others = { brand_b: { 'refresh-token': 'second-zebra' }, brand_c: { 'refresh-token': 'third-zebra' } };
  writeFileSync(configFile, JSON.stringify({ 'by-brand': others }));
  const { call, adminPage, output } = await start({
    VDS_STORE: 'file',
    VDS_STORE_DIR: dirname(newFile('store')),
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: issuer.url,
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'first-zebra',
    VDS_CONFIG_FILE: configFile,
    VDS_CLIENT_ID: 'me',
    VDS_LOG_LEVEL: 'debug',
  });
  expect((await call()).status).toBe(200);
  expect((await call(consent, { brand: 'brand_c' })).status).toBe(503);
  const tokens = await adminPage('/tokens');
  const renewal = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  expect(JSON.parse(tokens)).toMatchObject({
    tokens: [
      { brand: 'brand_a', state: 'valid', renewConsentBy: renewal },
      { brand: 'brand_b', state: 'none', renewConsentBy: null },
      { brand: 'brand_c', state: 'failing' },
    ],
  });
  const metrics = await adminPage('/metrics');
  expect(metrics).toContain('vds_proxy_token_requests_total{brand="brand_a",outcome="ok"} 1\n');
  // None of a brand that nobody has used: 0 raises an alert.
  expect(metrics.match(/^vds_proxy_token_valid.+/gm)).toEqual([
    'vds_proxy_token_valid{brand="brand_a"} 1',
    'vds_proxy_token_valid{brand="brand_c"} 0',
  ]);
  const seconds = Date.parse(renewal) / 1000;
  expect(metrics).toContain(`vds_proxy_consent_renewal_timestamp_seconds{brand="brand_a"} ${seconds}\n`);
  expect(tokens + metrics + output.stderr + output.stdout).not.toContain('zebra');
});

it('a log whose reader is gone loses lines, and no request', async () => {
  const { call, process: child } = await start();
  child.stderr?.destroy();
  for (let round = 0; round < 5; round++) {
    const { status, headers } = await call(locationOf());
    expect([status, headers.has('server-timing')]).toEqual([200, false]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(child.exitCode).toBe(null);
});

it('a log whose reader stalls stops no request, and not the end of the program', async () => {
  const { process: child, port, call, adminPage } = await start();
  child.stderr?.removeAllListeners('data');
  child.stderr?.pause();
  const dropped = async () =>
    Number(/^vds_proxy_log_lines_dropped_total (\d+)$/m.exec(await adminPage('/metrics'))?.[1]);
  expect(await dropped()).toBe(0);
  // More than the pipe, this process and the megabyte of waiting lines hold together.
  const client = connectTo(port);
  let responses = 0;
  client.socket.removeAllListeners('data');
  client.socket.on('data', (bytes: Buffer) => {
    responses += bytes.toString('latin1').split('HTTP/1.1 404').length - 1;
  });
  client.send(`GET /${'x'.repeat(40)} HTTP/1.1\r\nHost: p\r\n\r\n`.repeat(8000));
  // Some are cut in two by the way in which they come.
  await expect.poll(() => responses).toBeGreaterThan(7500);
  expect(await dropped()).toBeGreaterThan(100);
  expect((await call(locationOf())).status).toBe(200);
  // What the program itself says finds no room either.
  child.kill('SIGHUP');
  await expect.poll(() => adminPage('/metrics')).toContain('vds_proxy_reloads_total{outcome="ok"} 1\n');
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(child.exitCode).toBe(0);
});

it('SIGTERM ends readiness and waits for a request until its deadline; a second signal ends the program at once', async () => {
  const settings = { VDS_DEADLINE_MS: '1500', VDS_DRAIN_DELAY_MS: '500' };
  const { call, ready, process: child, exit, upstream } = await start(settings, 60_000);
  const stuck = call(locationOf());
  await expect.poll(() => upstream.seen.length).toBe(1);
  child.kill('SIGTERM');
  await expect.poll(() => ready().catch(() => 'closed')).not.toContain('"ready"');
  expect((await stuck).status).toBe(504);
  expect(await exit).toBe(0);

  const other = await start({}, 60_000);
  const broken = other.call(locationOf()).catch(() => 'broken off');
  await expect.poll(() => other.upstream.seen.length).toBe(1);
  other.process.kill('SIGQUIT');
  await new Promise((resolve) => setTimeout(resolve, 200));
  other.process.kill('SIGTERM');
  expect([await other.exit, await broken]).toEqual([1, 'broken off']);
});

it('a stream that takes longer than the deadline ends whole after SIGTERM where VDS_DRAIN_MS leaves it the time', async () => {
  const upstream = await startRawUpstream((socket) => {
    const bytes = responseWith(successBody());
    socket.write(bytes.subarray(0, -9));
    // Later than the deadline and the second that a request has without the setting.
    setTimeout(() => socket.write(bytes.subarray(-9)), 8000);
  });
  const times = { VDS_DEADLINE_MS: '5000', VDS_BODY_IDLE_MS: '60000', VDS_DRAIN_MS: '60000' };
  const { call, process: child, exit } = await startProgram({ VDS_UPSTREAM_URL: upstream.url, ...times });
  const whole = call();
  await expect.poll(() => upstream.requests().length).toBe(1);
  child.kill('SIGTERM');
  expect(await whole).toMatchObject({ status: 200, text: successBody() });
  expect(await exit).toBe(0);
});

it('a request identifier says nothing about those of other clients', async () => {
  const { call } = await startProxy({ upstreamUrl: (await startUpstream()).url });
  const identifiers = [];
  for (let round = 0; round < 20; round++)
    identifiers.push((await call(locationOf())).headers.get('x-request-id') ?? '');
  // Of identifiers that count up, all but the last figures are the same.
  expect(new Set(identifiers.map((identifier) => identifier.slice(0, 8))).size).toBe(20);
  expect(new Set(identifiers.map((identifier) => identifier.slice(-8))).size).toBe(20);
});

it('the time of the upstream is told apart from that of a client that reads slowly, in metrics and log', async () => {
  const whole = successBody();
  let end = () => {};
  const upstream = await startRawUpstream((socket) => {
    const bytes = responseWith(whole);
    setTimeout(() => socket.write(bytes.subarray(0, -9)), 300);
    end = () => socket.write(bytes.subarray(-9));
  });
  const { port, adminPage, stop } = await startProgram({ VDS_UPSTREAM_URL: upstream.url, VDS_ADMIN_PORT: '0' });
  const client = connectTo(port);
  client.send(requestLines(`GET ${consent}`));
  // The proxy has the beginning of the response, however late; its end comes long after it.
  await client.until(() => client.received.length > 0, 60_000);
  setTimeout(() => end(), 400);
  expect((await client.responses(1)).map(statusOf)).toEqual([200]);
  const metrics = await adminPage('/metrics');
  const sum = (name: string) => Number(new RegExp(`^vds_proxy_${name}_sum\\{.*\\} (\\S+)$`, 'm').exec(metrics)?.[1]);
  expect(sum('upstream_response_seconds')).toBeGreaterThanOrEqual(0.29);
  expect(sum('request_duration_seconds') - sum('upstream_response_seconds')).toBeGreaterThan(0.3);
  const { log } = await stop();
  const { ms, upstreamMs } = JSON.parse(log.find((line) => line.includes('"upstreamMs"')) ?? '{}');
  expect(ms - upstreamMs).toBeGreaterThan(300);
});

it('a client that cannot be authenticated is counted by the reason, and none of it holds a key', async () => {
  const keysFile = newFile('keys.json');
  const revoked = recordOf({ revoked: '2026-01-02T00:00:00.000Z' });
  writeFileSync(keysFile, printKeys([revoked]));
  const keys = {
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: keysFile,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
  };
  const { call, adminPage } = await start(keys);
  for (const key of ['', 'zebra', `${apiKey.slice(0, -1)}_`, apiKey])
    expect((await call(consent, key === '' ? {} : { 'x-api-key': key })).status).toBe(401);
  const metrics = await adminPage('/metrics');
  expect(metrics.match(/^vds_proxy_auth_failures_total.+/gm)?.sort()).toEqual(
    ['malformed', 'no key', 'revoked', 'unknown key'].map(
      (reason) => `vds_proxy_auth_failures_total{reason="${reason}"} 1`,
    ),
  );
});
