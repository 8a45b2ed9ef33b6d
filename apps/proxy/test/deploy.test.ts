import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { proxySettings } from '../src/config/settings.js';
import { isInstalled } from './support/listening.ts';
import { newFile, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { mistakesOf } from './support/settings.ts';

const upstream = { VDS_UPSTREAM_URL: 'https://vehicle-data.invalid' };
const fileOf = (name: string) => fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
const text = (name: string) => readFileSync(fileOf(name), 'utf8');

/** What is wrong with an environment whose settings may name files that the deployment mounts. */
function mistakesIn(environment: Record<string, string>): readonly string[] {
  const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
  const contents: Readonly<Record<string, string>> = {
    VDS_REDIS_URL_FILE: 'rediss://redis:6379/0\n',
    VDS_VIN_HASH_KEY_FILE: `${'k'.repeat(32)}\n`,
  };
  const content = (name: string) => contents[name] ?? 'secret-7\n';
  return mistakesOf(environment, [], Object.fromEntries(files.map(([name, path]) => [path, content(name)])));
}

it('the Dockerfile runs the program as a user that is not root, without a shell or npm between it and its signals, and checks its health', async () => {
  const dockerfile = text('Dockerfile');
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  const last = (name: string) => lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  // One image for all stages, so that one digest pins it.
  for (const from of lines.filter((line) => line.startsWith('FROM '))) expect(from).toMatch(/^FROM \$\{NODE_IMAGE\}/);
  expect(last('ARG')).toMatch(/^NODE_IMAGE=node:\d+-slim(?:@sha256:[0-9a-f]{64})?$/);
  expect(last('USER')).toBe('node');
  expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['node', '/app/dist/node.js']);
  expect(last('COPY')).toContain('--chown=root:root');
  expect(dockerfile).not.toMatch(/(?:TOKEN|SECRET|PASSWORD|KEY)=/);
  const { packageManager } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(dockerfile).toContain(`npx --yes ${packageManager} install --frozen-lockfile`);

  // The shell that the image has, and no second Node.
  const [shell = '', ...list] = JSON.parse(/CMD (\[.*\])/.exec(last('HEALTHCHECK'))?.[1] ?? '[]') as string[];
  expect(shell).toBe('bash');
  const proxy = await startProgram(upstream);
  const port = String(proxy.port);
  const run = (env: NodeJS.ProcessEnv) => spawnSync(shell, list, { env }).status;
  expect(run({ PORT: port })).toBe(0);
  expect(run({ VDS_PORT: port, PORT: '1' })).toBe(0);
  // As in a container.
  expect(run({ VDS_HOST: '0.0.0.0', PORT: port })).toBe(0);
  const probe = { VDS_PROBE_PORT: port, VDS_PORT: '1' };
  expect(run(probe)).toBe(0);
  await proxy.stop();
  expect(run(probe)).toBe(1);
  const failing = await startUpstream(() => ({ status: 503 }));
  const child = spawn(shell, list, { env: { PORT: new URL(failing.url).port } });
  expect(await once(child, 'exit')).toEqual([1, null]);
});

it('a release builds on an image by its digest, which the registry says while the Dockerfile does not', () => {
  const copy = dirname(newFile('copy'));
  for (const folder of ['build', 'deploy', 'bin']) mkdirSync(join(copy, folder));
  cpSync(new URL('../build/base-image.ts', import.meta.url), join(copy, 'build/base-image.ts'));
  const ask = (named: string, answer: string) => {
    writeFileSync(join(copy, 'deploy/Dockerfile'), text('Dockerfile').replace(/^(ARG NODE_IMAGE)=.*/m, `$1=${named}`));
    const docker = `#!/bin/sh\n[ "$4" = '${named}' ] && echo '${answer}'\n`;
    writeFileSync(join(copy, 'bin/docker'), docker, { mode: 0o755 });
    const env = { ...process.env, PATH: `${join(copy, 'bin')}:${process.env['PATH']}` };
    return spawnSync(process.execPath, [join(copy, 'build/base-image.ts')], { encoding: 'utf8', env });
  };
  const digest = `sha256:${'0a'.repeat(32)}`;
  const other = JSON.stringify({ digest: `sha256:${'b1'.repeat(32)}` });
  expect(ask('node:26-slim', JSON.stringify({ digest })).stdout).toBe(`node:26-slim@${digest}\n`);
  expect(ask(`node:26-slim@${digest}`, other).stdout).toBe(`node:26-slim@${digest}\n`);
  expect(ask('node:26-slim', '{}').status).toBe(1);
});

it('the compose file has the proxy with settings that it starts with, Redis and the sandbox', () => {
  const { services } = parse(text('compose.yaml'));
  const { proxy, sandbox } = services;
  expect(Object.keys(services)).toEqual(['proxy', 'sandbox', 'redis']);
  expect(mistakesIn(proxy.environment)).toEqual([]);
  // The admin port checks the name that it is called by only while it listens on loopback.
  expect([proxy.environment.VDS_ADMIN_HOST, proxy.ports]).toEqual([undefined, ['127.0.0.1:8787:8787']]);
  expect(proxy.volumes).toEqual([`./keys:${proxy.environment.VDS_KEYS_FILE.replace(/\/[^/]+$/, '')}:ro`]);
  for (const { build } of [proxy, sandbox])
    expect(existsSync(new URL(`../../../${build.dockerfile}`, import.meta.url))).toBe(true);
});

describe('the systemd unit', () => {
  const unit = text('vds-proxy.service');
  const values = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');

  it('has settings that the proxy starts with, time to finish, no rights, and reloads keys and settings', () => {
    const environment = Object.fromEntries(values('Environment').map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
    const config = JSON.stringify({
      'upstream-url': 'https://vehicle-data.invalid',
      'client-auth': 'api-key',
      'upstream-auth': 'token-endpoint',
      'token-url': 'https://tokens.vehicle-data.invalid/token',
      'client-id': 'me',
      'client-secret-file': '/etc/vds-proxy/client-secret',
      'keys-file': '/etc/vds-proxy/keys.json',
    });
    const files = { [environment['VDS_CONFIG_FILE']]: config, '/etc/vds-proxy/client-secret': 'secret-7\n' };
    expect(mistakesOf(environment, [], files)).toEqual([]);
    // A credential is a copy from the start of the unit: no revocation would be seen.
    expect(values('LoadCredential')).toEqual([]);
    expect(values('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
    // A token renewal that is under way ends first.
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(30);
    expect(values('KillMode')).toEqual(['mixed']);
    // The signs come from a process of their own.
    expect(['Type', 'NotifyAccess'].map(values)).toEqual([['notify'], ['all']]);
    for (const key of ['After', 'Wants']) expect(values(key)).toEqual(['network-online.target time-sync.target']);
    expect(['User', 'LimitCORE', 'CapabilityBoundingSet'].map(values)).toEqual([['vds-proxy'], ['0'], ['']]);
  });

  it.skipIf(!isInstalled('systemd-analyze'))('is valid to systemd', () => {
    const run = spawnSync('systemd-analyze', ['verify', '--man=no', fileOf('vds-proxy.service')], { encoding: 'utf8' });
    expect(run.stderr.split('\n').filter((line) => line.includes('vds-proxy.service'))).toEqual([]);
  });
});

// Envoy is in no registry that tests can use, so its promises are read from the file.
it('the configuration of Envoy retries no DELETE, passes the address of the client, logs no path, which holds the VIN, and cuts no long response', () => {
  const { listeners } = parse(text('envoy.yaml')).static_resources;
  const manager = listeners[0].filter_chains[0].filters[0].typed_config;
  const { routes } = manager.route_config.virtual_hosts[0];
  const [deletes] = routes;
  expect(deletes.match.headers).toEqual([{ name: ':method', string_match: { exact: 'DELETE' } }]);
  expect(deletes.route).not.toHaveProperty('retry_policy');
  expect(manager.use_remote_address).toBe(true);
  expect(manager).not.toHaveProperty('access_log');
  // `timeout` alone would cut a response that takes longer, however steadily it comes.
  for (const { route } of routes) expect(route).toMatchObject({ timeout: '0s', idle_timeout: '60s' });
});

it('the Worker has Cloudflare keep no log, whose every line would hold the address of the request, and so the VIN', () => {
  const { observability } = JSON.parse(readFileSync(new URL('../wrangler.json', import.meta.url), 'utf8'));
  expect(observability).toEqual({ enabled: false });
});

it('the configuration of the Worker has every binding that the Worker reads', () => {
  const { assets, durable_objects, kv_namespaces } = JSON.parse(
    readFileSync(new URL('../wrangler.json', import.meta.url), 'utf8'),
  );
  const bound = [assets, ...durable_objects.bindings, ...kv_namespaces].map(({ binding, name }) => binding ?? name);
  const sources = ['worker.ts', 'worker/bindings.ts'].map((name) =>
    readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8'),
  );
  const named = [...sources.join('\n').matchAll(/environment\['(\w+)'\]/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(2);
  expect(bound.sort()).toEqual(named.sort());
});

function documentsOf(yaml: string) {
  const documents = parseAllDocuments(yaml).filter(({ contents }) => contents !== null);
  for (const document of documents) expect([...document.errors, ...document.warnings]).toEqual([]);
  return documents.map((document) => document.toJS());
}

type Manifests = ReturnType<typeof documentsOf>;

const ofKind = (documents: Manifests, kind: string) => documents.find((each) => each.kind === kind);

/** What Helm makes of the chart. */
function render(...flags: string[]) {
  const list = ['template', 'vds-proxy', fileOf('chart'), '--kube-version', '1.31.0', ...flags];
  const { status, stdout, stderr } = spawnSync('helm', list, { encoding: 'utf8' });
  return { status, stderr, documents: status === 0 ? documentsOf(stdout) : [] };
}
const hasHelm = isInstalled('helm', 'version');

describe('the Kubernetes manifest', () => {
  it('has settings that the proxy starts with, probes that it serves, and a grace longer than its end takes', () => {
    const pod = ofKind(documentsOf(text('kubernetes.yaml')), 'Deployment').spec.template.spec;
    const [{ env, ports, lifecycle, ...container }] = pod.containers;
    const named = (list: readonly Record<string, unknown>[], key: string): Record<string, string> =>
      Object.fromEntries(list.map((each) => [each['name'], String(each[key])]));
    const environment = named(env, 'value');
    expect(mistakesIn(environment)).toEqual([]);
    expect(pod.enableServiceLinks).toBe(false);
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const { httpGet } of probes) expect(httpGet.port).toBe('probe');
    const standard = proxySettings.settings.find((setting) => setting.variable === 'VDS_PORT')?.default;
    const { VDS_ADMIN_PORT: admin, VDS_PROBE_PORT: probe, VDS_PORT: http = standard } = environment;
    expect(named(ports, 'containerPort')).toEqual({ http, probe, admin });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10 + lifecycle.preStop.sleep.seconds);
  });

  it.skipIf(!hasHelm)('is what the Helm chart makes of its default values', () => {
    const ofRelease = /^(?:helm\.sh\/|checksum\/|app\.kubernetes\.io\/(?:instance|version|managed-by)$)/;
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    /** Without what names the release, and with the settings in the order of their names. */
    const compared = (documents: Manifests) =>
      documents
        .map((each) =>
          JSON.parse(JSON.stringify(each), (key, value) => {
            if (ofRelease.test(key)) return undefined;
            if (key === 'metadata') return { ...value, labels: {}, annotations: value.annotations ?? {} };
            return key === 'env' ? value.toSorted(byName) : value;
          }),
        )
        .sort((one, other) => (one.kind < other.kind ? -1 : 1));
    expect(compared(render().documents)).toEqual(compared(documentsOf(text('kubernetes.yaml'))));
  });

  it.each(['VDS', 'VDS_PROXY', 'VDS_ADMIN'])('starts beside a Service whose variables begin with %s', (name) => {
    const ofService = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP'];
    const ofPort = ['80_TCP', '80_TCP_PROTO', '80_TCP_PORT', '80_TCP_ADDR'].map((end) => `PORT_${end}`);
    const links = [...ofService, ...ofPort].map((end) => [`${name}_${end}`, '80']);
    links.push([`${name}_PORT`, 'tcp://10.0.0.5:80']);
    expect(mistakesIn({ ...upstream, ...Object.fromEntries(links) })).toEqual([]);
    expect(mistakesIn({ ...upstream, VDS_PROT: '80' })).toHaveLength(1);
  });

  it('holds no secret, nor does the unit', () => {
    const files = ['kubernetes.yaml', 'vds-proxy.service', 'chart/values.yaml', 'chart/templates/deployment.yaml'];
    for (const { variable } of proxySettings.settings.filter(({ secret }) => secret))
      expect(files.map(text).join('')).not.toMatch(new RegExp(`${variable}[=,:]`));
  });
});

describe.skipIf(!hasHelm)('the Helm chart', () => {
  it('pins the image by its digest, and rejects what is none', () => {
    const digest = `sha256:${'0a'.repeat(32)}`;
    const { documents } = render('--set', `image.digest=${digest}`);
    const [container] = ofKind(documents, 'Deployment').spec.template.spec.containers;
    expect(container.image).toBe(`vehicle-data-proxy@${digest}`);
    const wrong = render('--set', 'image.digest=latest');
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('image.digest: must be sha256:')]);
  });

  it('gives each setting to the proxy as text, but those that it makes itself', () => {
    const { documents } = render('--set', 'settings.VDS_MAX_IN_FLIGHT=100', '--set', 'settings.VDS_DOCS=false');
    const [{ env }] = ofKind(documents, 'Deployment').spec.template.spec.containers;
    expect(env).toContainEqual({ name: 'VDS_MAX_IN_FLIGHT', value: '100' });
    expect(env).toContainEqual({ name: 'VDS_DOCS', value: 'false' });
    const { status, stderr } = render('--set', 'settings.VDS_PROBE_PORT=1');
    expect([status, stderr]).toEqual([1, expect.stringContaining('settings.VDS_PROBE_PORT: is set by the chart')]);
  });

  it('without autoscaling, audit log and network policy has none, and as many pods as it says', () => {
    const off = ['autoscaling', 'audit', 'networkPolicy'].flatMap((name) => ['--set', `${name}.enabled=false`]);
    const { documents } = render(...off, '--set', 'replicas=3');
    expect(documents.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'PodDisruptionBudget', 'Service']);
    const { replicas, template } = ofKind(documents, 'Deployment').spec;
    expect([replicas, template.spec.volumes.length]).toEqual([3, 1]);
    expect(JSON.stringify(template)).not.toContain('VDS_AUDIT_FILE');
  });

  it('has a ServiceMonitor whose job the alerts find, also for a release of another name', () => {
    const list = [
      'template',
      'edge',
      fileOf('chart'),
      '--kube-version',
      '1.31.0',
      '--set',
      'serviceMonitor.enabled=true',
    ];
    const documents = documentsOf(spawnSync('helm', list, { encoding: 'utf8' }).stdout);
    const [endpoint] = ofKind(documents, 'ServiceMonitor').spec.endpoints;
    const { matchLabels } = ofKind(documents, 'ServiceMonitor').spec.selector;
    const found = documents.filter(
      ({ kind, metadata }) =>
        kind === 'Service' && Object.entries(matchLabels).every(([name, value]) => metadata.labels[name] === value),
    );
    expect(found.map(({ metadata, spec }) => [metadata.name, spec.ports[0].name])).toEqual([
      ['edge-vds-proxy-metrics', endpoint.port],
    ]);
    const { annotations } = ofKind(documents, 'Deployment').spec.template.metadata;
    expect(Object.keys(annotations)).toEqual(['checksum/settings']);
  });

  it('has the version of the proxy', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(parse(text('chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });
});

it('alert rules and dashboard use only metrics that the proxy has, and the dashboard shows all of its own', async () => {
  const { groups } = parse(text('alert-rules.yaml')) as { groups: { rules: { expr: string }[] }[] };
  const { panels } = JSON.parse(text('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const events = {
    VDS_EVENTS_URL: 'http://127.0.0.1:9/',
    VDS_EVENTS_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    VDS_EVENTS_DIR: newFile('events'),
    VDS_VIN_HASH_KEY: 'k'.repeat(32),
  };
  const receipts = {
    VDS_STORE: 'file',
    VDS_STORE_DIR: newFile('store'),
    VDS_RECEIPTS_DIR: newFile('receipts'),
    VDS_RECEIPTS_KEY_FILE: newFile('receipts.key'),
  };
  writeFileSync(
    receipts.VDS_RECEIPTS_KEY_FILE,
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
  const { call, adminPage } = await startProgram({ ...upstream, ...events, ...receipts, VDS_ADMIN_PORT: '0' });
  await call();
  const metrics = await adminPage('/metrics');
  const known = metrics.match(/(?<=^# TYPE )\S+/gm);
  for (const expression of [...shown, ...alerts]) {
    const names = expression.match(/\b(?:vds_proxy|process|nodejs)_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    // After a restart the values begin at 0 again.
    expect(expression).not.toMatch(/\bdelta\(/);
    for (const name of names) expect(known).toContain(name.replace(/_(?:bucket|count|sum)$/, ''));
    // Of a gauge, Prometheus takes every fall for a restart.
    for (const [, name] of expression.matchAll(/\b(?:rate|increase)\((\w+)/g))
      expect(metrics).not.toContain(`# TYPE ${name} gauge\n`);
  }
  for (const name of known ?? []) if (name.startsWith('vds_proxy_')) expect(shown.join('\n')).toContain(name);
});

it.skipIf(!isInstalled('promtool'))('the alert rules are valid to promtool', () => {
  expect(spawnSync('promtool', ['check', 'rules', fileOf('alert-rules.yaml')])).toMatchObject({ status: 0 });
});
