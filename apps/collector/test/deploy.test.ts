import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReceiptKey } from '@vehicle-data/archive/receipts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { usage } from '../src/command/usage.ts';
import { readGiven } from '../src/config/options.ts';
import { readSettings } from '../src/config/settings.ts';
import { metricsText } from '../src/operate/metrics.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
const text = (name: string) => readFileSync(fileOf(name), 'utf8');
const isInstalled = (program: string) => {
  const found = spawnSync(program, ['--version']).error === undefined;
  if (!found) console.warn(`the tests with ${program} are skipped: it is not installed`);
  return found;
};

let folder: string;
let contents: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vds-deploy-'));
  contents = {
    VDS_DATABASE_URL_FILE: `postgres://collector:${'secret-7'}@postgres/collector`,
    VDS_PSEUDONYM_KEY_FILE: 'ab'.repeat(32),
    VDS_RECEIPTS_KEY_FILE: await createReceiptKey(),
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the settings of an environment whose files are those that a deployment mounts. */
function settingsOf(environment: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value];
      const path = join(folder, name);
      writeFileSync(path, `${contents[name] ?? 'secret-7'}\n`);
      return [name, path];
    }),
  );
  return readSettings(readGiven(['start'], env), Date.now());
}

test('the image runs the program as a user that is not root, without a shell or npm between it and its signals, and checks its health', async () => {
  const dockerfile = text('Dockerfile');
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  const last = (name: string) => lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  expect(last('FROM')).toMatch(/^node:\d+-slim/);
  expect(last('USER')).toBe('node');
  expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['node', '/app/dist/main.js']);
  expect(last('COPY')).toContain('--chown=root:root');
  const { packageManager } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(dockerfile).toContain(`npx --yes ${packageManager} install --frozen-lockfile`);
  const [, ...list] = JSON.parse(/CMD (\[.*\])/.exec(last('HEALTHCHECK'))?.[1] ?? '[]') as string[];
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const probe = (VDS_PORT: string) =>
    new Promise((resolve) => spawn(process.execPath, list, { env: { VDS_PORT } }).once('exit', resolve));
  expect(await probe(`${port}`)).toBe(0);
  expect(await probe('1')).toBe(1);
});

describe('the Kubernetes manifest', () => {
  const documents = parseAllDocuments(text('kubernetes.yaml'));
  const [deployment, budget] = documents.map((document) => document.toJS());
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const environmentOf = (list: readonly { name: string; value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]));

  test('has settings that the collector starts with, several replicas on a bucket and a database, and a migration before', () => {
    for (const document of documents) expect([...document.errors, ...document.warnings]).toEqual([]);
    const settings = settingsOf(environmentOf(container.env));
    expect(settings.bucket).toMatchObject({ bucket: 'fleet-trips', prefix: 'lake/', region: 'eu-central-1' });
    expect(settings.databaseUrl).toBe(contents['VDS_DATABASE_URL_FILE']);
    expect(deployment.spec.replicas).toBeGreaterThan(1);
    const [first] = pod.initContainers;
    expect([first.args, first.env, first.image]).toEqual([['migrate'], container.env, container.image]);
    expect(budget).toMatchObject({ kind: 'PodDisruptionBudget', spec: { minAvailable: 1 } });
    expect(budget.spec.selector).toEqual(deployment.spec.selector);
  });

  test('has probes that the collector serves, no more rights than it needs, and no secret', () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/healthz', '/readyz']);
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(environmentOf(container.env)['VDS_PORT']) },
    ]);
    expect([pod.enableServiceLinks, pod.automountServiceAccountToken]).toEqual([false, false]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(60);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(text('kubernetes.yaml') + text('vds-collector.service')).not.toMatch(
      /(?:VDS_ACCESS_TOKEN|VDS_DATABASE_URL|AWS_SECRET_ACCESS_KEY|VDS_RECEIPTS_KEY)[=,]/,
    );
  });

  test('names no variable that the program does not know', () => {
    for (const { name } of container.env) expect(usage + text('Dockerfile')).toContain(name.replace(/_FILE$/, ''));
  });
});

describe('the systemd unit', () => {
  const unit = text('vds-collector.service');
  const values = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');

  test('has settings that the collector starts with, time to finish, no rights, and no restart that cannot help', () => {
    const environment = Object.fromEntries(values('Environment').map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
    expect(settingsOf({ ...environment, VDS_BRAND: 'brand_a' })).toMatchObject({ port: 8790, databaseUrl: undefined });
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(60);
    expect(['KillMode', 'User', 'LimitCORE', 'CapabilityBoundingSet', 'RestartPreventExitStatus'].map(values)).toEqual([
      ['mixed'],
      ['vds-collector'],
      ['0'],
      [''],
      ['2'],
    ]);
  });

  test.skipIf(!isInstalled('systemd-analyze'))('is valid to systemd', () => {
    const run = spawnSync('systemd-analyze', ['verify', '--man=no', fileOf('vds-collector.service')], {
      encoding: 'utf8',
    });
    const found = run.stderr.split('\n').filter((line) => line.includes('vds-collector.service'));
    // The program is where an installation puts it.
    expect(found.filter((line) => !line.includes('/usr/local/bin/vds-collector is not executable'))).toEqual([]);
  });
});

test('alert rules and dashboard use only metrics that the collector has, and the dashboard shows all of them', () => {
  const { groups } = parse(text('alert-rules.yaml')) as { groups: { rules: { expr: string }[] }[] };
  const { panels } = JSON.parse(text('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const none = { collected: 0, failed: 0, inARow: 0, throttledMs: 0, purged: 0, failures: new Map() };
  const metrics = metricsText(new Proxy({}, { get: () => 0 }) as Parameters<typeof metricsText>[0], none);
  const known = metrics.match(/(?<=^# TYPE )\S+/gm) ?? [];
  expect(known.length).toBeGreaterThan(10);
  for (const expression of [...shown, ...alerts]) {
    const names = expression.match(/\bvds_collector_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(known).toContain(name);
    expect(expression).not.toMatch(/\bdelta\(/);
    for (const [, name] of expression.matchAll(/\b(?:rate|increase)\((\w+)/g))
      expect(metrics).toContain(`# TYPE ${name} counter\n`);
  }
  for (const name of known) expect(shown.join('\n')).toMatch(new RegExp(`\\b${name}\\b`));
});

test.skipIf(!isInstalled('promtool'))('the alert rules are valid to promtool', () => {
  expect(spawnSync('promtool', ['check', 'rules', fileOf('alert-rules.yaml')])).toMatchObject({ status: 0 });
});
