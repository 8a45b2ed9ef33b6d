// What an operator is told: each alert fires on the metrics of a real drill, and on nothing else; with good traffic none does.
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { auditKey, canLimitFiles, fillAuditLog, limitFiles } from './support/audited-proxy.ts';
import { isInstalled } from './support/listening.ts';
import { newFile, startProgram } from './support/program.ts';
import { type Expectation, objections, RecordedMetrics, rules } from './support/recorded-metrics.ts';
import { oauthResponse, rejection, startRawUpstream, startUpstream, successBody } from './support/servers.ts';
import { connectTo, consent, locationOf, withdrawal } from './support/set-up.ts';

const vinOf = (index: number) => `TESTVEHCLE${String(index).padStart(7, '0')}`;
type Proxy = Awaited<ReturnType<typeof startProgram>>;

async function start(upstreamUrl: string, more: Record<string, string> = {}): Promise<Proxy> {
  return startProgram({ VDS_UPSTREAM_URL: upstreamUrl, VDS_ADMIN_PORT: '0', VDS_LOG_LEVEL: 'silent', ...more });
}

/** Does something each minute of so many, and records the metrics after it. */
async function record(
  proxy: Proxy,
  minutes: number,
  each: (minute: number) => Promise<unknown> = async () => {},
  metrics = new RecordedMetrics(),
): Promise<RecordedMetrics> {
  for (let minute = 0; minute < minutes; minute++) {
    await each(minute);
    metrics.add(await proxy.adminPage('/metrics'));
  }
  return metrics;
}

/** Settings with clients that have the API key. */
function withKeys(): Record<string, string> {
  const file = newFile('keys.json');
  writeFileSync(file, printKeys([recordOf()]));
  return {
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: file,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN: 'own',
  };
}

const expectations: Expectation[] = [];
const expected = new Set<string>();

/** At the end of what is recorded, these alerts fire and no others: the last test asks promtool, once for all. */
function expectAlerts(metrics: RecordedMetrics, ...alerts: string[]): void {
  const { currentTestName = '' } = expect.getState();
  expectations.push(metrics.expectation(`${currentTestName} (${alerts.join(', ') || 'none'})`, alerts));
  for (const alert of alerts) expected.add(alert);
}

describe.skipIf(!isInstalled('promtool') || !canLimitFiles)('an alert fires', () => {
  it('neither on good traffic, nor on a few requests without good credentials, nor on a restart', async () => {
    const upstream = await startUpstream();
    const settings = {
      ...withKeys(),
      VDS_AUDIT_FILE: newFile('audit.ndjson'),
      VDS_VIN_HASH_KEY: auditKey,
      VDS_AUDIT_READS: 'on',
    };
    const traffic = (proxy: Proxy) => async (minute: number) => {
      for (let index = 0; index < 4; index++)
        expect((await proxy.call(consent, { 'x-api-key': apiKey })).status).toBe(200);
      if (minute % 3 === 0) expect((await proxy.call(consent)).status).toBe(401);
    };
    const first = await start(upstream.url, settings);
    const metrics = await record(first, 15, traffic(first));
    expect((await first.call(withdrawal, { 'x-api-key': apiKey }, 'DELETE')).status).toBe(200);
    // The minutes are played in an instant, in which its entry would wait for the disk.
    await expect.poll(() => first.adminPage('/metrics')).toContain('vds_proxy_audit_entries_waiting 0\n');
    expectAlerts(await record(first, 10, undefined, metrics));
    await first.stop();
    const second = await start(upstream.url, settings);
    expectAlerts(await record(second, 15, traffic(second), metrics));
  });

  it('when the upstream fails: share of errors, and the circuit breaker', async () => {
    const upstream = await startUpstream(() => rejection('5001', 500));
    const proxy = await start(upstream.url);
    const burst = (minute: number) =>
      Promise.all(Array.from({ length: 10 }, (_, index) => proxy.call(locationOf(vinOf(minute * 10 + index)))));
    expectAlerts(await record(proxy, 20, burst), 'VdsProxyErrors', 'VdsProxyCircuitBreakerOpen');
    expect(await proxy.adminPage('/metrics')).toContain('vds_proxy_circuit_breaker_open{brand="brand_a"} 1\n');
  });

  it('when responses begin late, and when they end late', async () => {
    const body = successBody();
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const minutes = 15;
    /** Ends two requests each minute, each after it has waited; two more are sent while so many pairs wait. */
    const drill = async (first: string, last: string, waitMs: number, pairs: number) => {
      const held: { readonly waited: Promise<void>; readonly end: () => void }[] = [];
      const upstream = await startRawUpstream((socket) => {
        socket.write(first);
        held.push({ waited: wait(waitMs), end: () => socket.write(last) });
      });
      const proxy = await start(upstream.url, { VDS_DEADLINE_MS: '120000', VDS_BODY_IDLE_MS: '120000' });
      let [sent, ended] = [0, 0];
      const send = () => {
        sent++;
        void proxy.call().then(() => ended++);
      };
      return record(proxy, minutes, async (minute) => {
        while (sent < 2 * Math.min(minute + pairs, minutes)) send();
        for (let count = 0; count < 2; count++) {
          await expect.poll(() => held.length).toBeGreaterThan(0);
          const request = held.shift();
          await request?.waited;
          request?.end();
        }
        await expect.poll(() => ended).toBe(2 * (minute + 1));
      });
    };
    const [upstreamSlow, bodySlow] = await Promise.all([
      // Few at a time: none takes so long to its end that this is an alert as well.
      drill('', head + body, 2600, 5),
      drill(head + body.slice(0, 9), body.slice(9), 5100, minutes),
    ]);
    expectAlerts(upstreamSlow, 'VdsProxyUpstreamSlow');
    expectAlerts(bodySlow, 'VdsProxySlow');
  });

  it('when the program has ended', async () => {
    const proxy = await start((await startUpstream()).url);
    const metrics = await record(proxy, 5, () => proxy.call());
    await proxy.stop();
    for (let minute = 0; minute < 6; minute++) metrics.add(null);
    expectAlerts(metrics, 'VdsProxyDown');
  });

  it('when requests fill what may be in flight', async () => {
    const upstream = await startRawUpstream(() => {});
    const proxy = await start(upstream.url, { VDS_MAX_IN_FLIGHT: '4', VDS_DEADLINE_MS: '60000' });
    const client = connectTo(proxy.port);
    for (let index = 0; index < 4; index++) {
      const socket = index === 0 ? client : connectTo(proxy.port);
      socket.send(`GET ${consent} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n`);
    }
    await expect.poll(() => upstream.requests().length).toBe(4);
    expectAlerts(await record(proxy, 5), 'VdsProxySaturated');
  });

  it.each<{ what: string; limit: Record<string, string> }>([
    { what: 'without a limit', limit: {} },
    { what: 'also when a limit rejects them with 429', limit: { VDS_LIMIT_UNAUTHENTICATED: '5/60s' } },
  ])('when many requests have no good credentials, $what', async ({ limit }) => {
    const upstream = await startUpstream();
    const proxy = await start(upstream.url, { ...withKeys(), ...limit });
    const metrics = await record(proxy, 12, async () => {
      for (let index = 0; index < 15; index++) {
        if (index % 5 === 0) expect((await proxy.call(consent, { 'x-api-key': apiKey })).status).toBe(200);
        await proxy.call(consent, { 'x-api-key': `${apiKey.slice(0, -1)}_` });
      }
    });
    expectAlerts(metrics, 'VdsProxyUnauthenticated');
    expect(await proxy.adminPage('/metrics')).toMatch(/auth_failures_total\{reason="unknown key"\} \d+\n/);
  });

  it('when the audit log cannot be written, and when a process that was killed meanwhile has left a gap', async () => {
    const file = newFile('audit.ndjson');
    await fillAuditLog(file);
    const upstream = await startUpstream();
    const audit = { VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: auditKey, VDS_LOG_LEVEL: 'error' };
    const first = await start(upstream.url, audit);
    limitFiles(first.process.pid, (await stat(file)).size);
    expect((await first.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    await expect.poll(() => first.ready()).toContain('audit-log');
    const metrics = await record(first, 8);
    expectAlerts(metrics, 'VdsProxyAuditEntriesWaiting', 'VdsProxyWarning');
    first.process.kill('SIGKILL');
    await first.exit;
    const second = await start(upstream.url, audit);
    await expect.poll(() => second.adminPage('/metrics')).toMatch(/audit_entries_total\{kind="gap"\} 1\n/);
    expectAlerts(await record(second, 5, undefined, metrics), 'VdsProxyAuditGap');
  });

  it('when there is no access token, and when the consent behind it ends soon', async () => {
    const upstream = await startUpstream();
    const issuer = await startUpstream(() => ({ status: 500 }));
    const settings = { VDS_UPSTREAM_AUTH: 'token-endpoint', VDS_CLIENT_ID: 'me' };
    const failing = await start(upstream.url, {
      ...settings,
      VDS_TOKEN_URL: issuer.url,
      VDS_CLIENT_SECRET: 'secret-zebra',
      VDS_TOKEN_GRANT: 'client-credentials',
    });
    const alerts = ['VdsProxyErrors', 'VdsProxyTokenFailing'];
    expectAlerts(await record(failing, 20, () => failing.call()), ...alerts);
    const good = await startUpstream(() =>
      oauthResponse('token-zebra', { refresh_token: 'next-zebra', expires_in: 3600 }),
    );
    const rotating = await start(upstream.url, {
      ...settings,
      VDS_BRANDS: 'brand_a',
      VDS_STORE: 'file',
      VDS_STORE_DIR: dirname(newFile('store')),
      VDS_TOKEN_URL: good.url,
      VDS_TOKEN_GRANT: 'refresh-token',
      VDS_REFRESH_TOKEN: 'first-zebra',
    });
    expect((await rotating.call()).status).toBe(200);
    const metrics = await record(rotating, 5);
    expectAlerts(metrics);
    metrics.pass(77);
    expectAlerts(await record(rotating, 5, undefined, metrics), 'VdsProxyConsentExpiring');
  });

  it('when responses differ from the contract', async () => {
    const body = successBody({ location: { latitude: 91.5, longitude: 88.25, speed: { value: 1, unit: 'kph' } } });
    const upstream = await startUpstream(() => ({ body }));
    const proxy = await start(upstream.url);
    await proxy.call(locationOf());
    const metrics = await record(proxy, 2);
    await proxy.call(locationOf());
    await expect.poll(() => proxy.adminPage('/metrics')).toContain('vds_proxy_drift_findings_total 2\n');
    expectAlerts(await record(proxy, 2, undefined, metrics), 'VdsProxyDrift');
  });

  it('when Redis is away: limits, and withdrawals that other processes do not know', async () => {
    const upstream = await startUpstream();
    const proxy = await start(upstream.url, {
      VDS_STORE: 'redis',
      VDS_REDIS_URL: 'redis://127.0.0.1:9/0',
      VDS_VIN_HASH_KEY: auditKey,
      VDS_LIMIT_PER_VEHICLE: '1000/60s',
      VDS_VALIDATE_RESPONSES: 'off',
    });
    const metrics = await record(proxy, 1);
    expect((await proxy.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    await record(proxy, 10, () => proxy.call(locationOf(vinOf(7))), metrics);
    expectAlerts(metrics, 'VdsProxyFenceNotShared', 'VdsProxyRedisFailing', 'VdsProxyWarning');
  });

  it('when an event waits, and when one is too old to be sent', async () => {
    const upstream = await startUpstream();
    const folder = dirname(newFile('events'));
    const settings = {
      VDS_EVENTS_URL: 'http://127.0.0.1:9/',
      VDS_EVENTS_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      VDS_EVENTS_DIR: folder,
      VDS_VIN_HASH_KEY: auditKey,
    };
    const first = await start(upstream.url, settings);
    expect((await first.call(withdrawal, {}, 'DELETE')).status).toBe(200);
    const queued = () => readdirSync(folder).filter((name) => name.endsWith('.event'));
    await expect.poll(queued).toHaveLength(1);
    await first.stop();
    const age = (minutes: number) => {
      for (const name of queued())
        renameSync(join(folder, name), join(folder, `${Date.now() - minutes * 60_000}${name.slice(13)}`));
    };
    age(20);
    const second = await start(upstream.url, settings);
    await expect.poll(() => second.adminPage('/metrics')).toMatch(/events_oldest_seconds 1[12]\d\d/);
    const metrics = await record(second, 8);
    expectAlerts(metrics, 'VdsProxyEventsWaiting');
    await second.stop();
    age(3 * 24 * 60 + 5);
    const third = await start(upstream.url, settings);
    await expect.poll(() => third.adminPage('/metrics')).toMatch(/events_dropped_total\{\S*\} 1\n/);
    expectAlerts(await record(third, 3, undefined, metrics), 'VdsProxyEventsDropped');
  });

  it('when the reader of the log stalls', async () => {
    const proxy = await start((await startUpstream()).url, { VDS_LOG_LEVEL: 'info' });
    const metrics = await record(proxy, 2);
    proxy.process.stderr?.removeAllListeners('data');
    proxy.process.stderr?.pause();
    const client = connectTo(proxy.port);
    client.socket.removeAllListeners('data');
    client.socket.resume();
    client.send(`GET /${'x'.repeat(40)} HTTP/1.1\r\nHost: p\r\n\r\n`.repeat(8000));
    await expect.poll(() => proxy.adminPage('/metrics')).toMatch(/log_lines_dropped_total [1-9]/);
    expectAlerts(await record(proxy, 2, undefined, metrics), 'VdsProxyLogLinesDropped');
  });

  // Ten thousand entries that wait, twenty thousand reads and a full fence: their own drills are in the tests of each.
  it('when a metric that a program has gets a value', async () => {
    const proxy = await start((await startUpstream()).url);
    const page = await proxy.adminPage('/metrics');
    const valuesOf: Record<string, Record<string, number>> = {
      VdsProxyAuditEntriesLost: { vds_proxy_audit_lost_total: 3 },
      VdsProxyAuditReadsLost: { vds_proxy_audit_reads_lost_total: 3 },
      VdsProxyFenceNearlyFull: { vds_proxy_fence_entries: 90_000, vds_proxy_fence_entries_limit: 100_000 },
    };
    for (const [alert, values] of Object.entries(valuesOf)) {
      const metrics = new RecordedMetrics();
      for (let minute = 0; minute < 15; minute++) metrics.add(page, minute < 2 ? {} : values);
      expectAlerts(metrics, alert);
    }
  });

  it('in each drill those that it expects, and no others: of each rule', ({ task }) => {
    expect(objections(expectations)).toBe('');
    const others = task.suite?.tasks.filter((each) => each !== task) ?? [];
    if (others.every(({ result }) => result?.state === 'pass'))
      expect([...expected].sort()).toEqual(rules.map(({ alert }) => alert).sort());
    else console.log('not all drills ran, so nothing is said about the rules without one');
  });
});
