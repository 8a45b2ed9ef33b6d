import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '../src/config/read-settings.js';
import { settings } from '../src/config/settings.js';
import { Metrics } from '../src/observability/metrics.js';
import { startProgram } from './support/program.ts';

const text = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');
const files: Readonly<Record<string, string>> = { secret: 'secret-7\n', 'redis-url': 'rediss://redis:6379/0\n' };

/** What is wrong with an environment, as the program sees it; files are those that the deployment mounts. */
function mistakesIn(environment: Record<string, string>, config = '{}'): readonly string[] {
  const readFile = (path: string) =>
    path.endsWith('config.json') ? config : (files[path.endsWith('redis-url') ? 'redis-url' : 'secret'] ?? '');
  const reading = readSettings({ environment, arguments: [], readFile });
  return reading.ok ? [] : reading.mistakes;
}

describe('the Dockerfile', () => {
  const lines = text('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = lines.map((line) => line.split(' ')[0] ?? '');

  it('has only known instructions, in two stages of one slim base', () => {
    const known = 'FROM ARG WORKDIR COPY RUN ENV USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT'.split(' ');
    for (const instruction of instructions) expect(known).toContain(instruction);
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(bases).toEqual(['node:26-slim', 'node:26-slim']);
  });

  it('runs as a user that is not root, without a shell or npm between it and its signals', () => {
    const after = (name: string) => lines.slice(instructions.lastIndexOf('FROM')).find((line) => line.startsWith(name));
    expect(after('USER')).toBe('USER node');
    expect(JSON.parse(after('ENTRYPOINT')?.slice(11) ?? '')).toEqual(['node', '/app/dist/node.js']);
    expect(after('COPY')).toContain('--chown=root:root');
    expect(lines.join('\n')).not.toMatch(/(?:TOKEN|SECRET|PASSWORD|KEY)=/);
  });

  it('installs with the package manager of the repository', () => {
    const root = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const { packageManager } = JSON.parse(root) as { packageManager: string };
    expect(text('Dockerfile')).toContain(`npx --yes ${packageManager} install --frozen-lockfile`);
  });

  it('has a health check that succeeds while the proxy runs and fails otherwise', async () => {
    const check = /CMD (\[.*\])/.exec(lines.find((line) => line.startsWith('HEALTHCHECK')) ?? '')?.[1] ?? '[]';
    const [, ...list] = JSON.parse(check) as string[];
    const proxy = await startProgram({ VDS_UPSTREAM_URL: 'http://127.0.0.1:9' });
    const run = () => spawnSync(process.execPath, list, { env: { VDS_PORT: String(proxy.port) } }).status;
    expect(run()).toBe(0);
    proxy.process.kill('SIGKILL');
    await proxy.exit;
    expect(run()).toBe(1);
  });
});

describe('the compose file', () => {
  const compose = parse(text('compose.yaml'), { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, string>; volumes?: string[]; build?: { dockerfile: string; args?: object } }
    >;
  };

  it('has the proxy, Redis and the sandbox, with settings that the proxy starts with', () => {
    expect(Object.keys(compose.services)).toEqual(['proxy', 'sandbox', 'redis']);
    expect(mistakesIn(compose.services['proxy']?.environment ?? {})).toEqual([]);
    expect(compose.services['sandbox']?.build).toMatchObject({ args: { APP: 'sandbox' } });
    const folder = compose.services['proxy']?.environment?.['VDS_KEYS_FILE']?.replace(/\/[^/]+$/, '');
    expect(compose.services['proxy']?.volumes).toEqual([`./keys:${folder}:ro`]);
  });

  it('sets only what the sandbox knows', () => {
    const sandbox = readFileSync(new URL('../../sandbox/src/node.ts', import.meta.url), 'utf8');
    for (const name of Object.keys(compose.services['sandbox']?.environment ?? {})) expect(sandbox).toContain(name);
  });
});

describe('the systemd unit', () => {
  const unit = text('vds-proxy.service');
  const values = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');

  it('has settings that the proxy starts with', () => {
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
    expect(mistakesIn(environment, config)).toEqual([]);
  });

  it('reads keys and settings where they are changed, and reloads them', () => {
    // A credential is a copy from the start of the unit: no revocation would be seen.
    expect(values('LoadCredential')).toEqual([]);
    expect(values('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
  });

  it('gives the program time to finish its calls, and no rights', () => {
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(10);
    expect(values('User')).toEqual(['vds-proxy']);
    expect(values('LimitCORE')).toEqual(['0']);
    expect(values('CapabilityBoundingSet')).toEqual(['']);
  });

  const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;
  if (!hasAnalyzer) console.warn('the unit is not verified by systemd: systemd-analyze is not installed');
  it.skipIf(!hasAnalyzer)('is taken by systemd', () => {
    const path = new URL('../deploy/vds-proxy.service', import.meta.url).pathname;
    const run = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    expect(run.stderr.split('\n').filter((line) => line.includes('vds-proxy.service'))).toEqual([]);
  });

  it.skipIf(!hasAnalyzer)('leaves the program exposed to at most 2 of the 10 that systemd counts', () => {
    const path = new URL('../deploy/vds-proxy.service', import.meta.url).pathname;
    const run = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path]);
    expect(run.status).toBe(0);
  });
});

// Envoy is not in any registry that tests can use: its own words are checked, and that it finds the proxies.
describe('the configuration of Envoy', () => {
  interface Route {
    readonly match: { readonly prefix: string; readonly headers?: readonly object[] };
    readonly route: { readonly cluster: string; readonly timeout: string; readonly retry_policy?: object };
  }
  const { listeners, clusters } = (
    parse(text('envoy.yaml')) as {
      static_resources: {
        listeners: {
          filter_chains: {
            filters: {
              typed_config: Record<string, unknown> & {
                route_config: { virtual_hosts: { routes: Route[] }[] };
              };
            }[];
          }[];
        }[];
        clusters: { name: string; health_checks: { http_health_check: { path: string } }[]; load_assignment: object }[];
      };
    }
  ).static_resources;
  const manager = listeners[0]?.filter_chains[0]?.filters[0]?.typed_config;
  const routes = manager?.route_config.virtual_hosts[0]?.routes ?? [];

  it('never sends a DELETE again, and lets every request have its deadline', () => {
    const [deletes, others] = routes;
    expect(routes).toHaveLength(2);
    expect(deletes?.match.headers).toEqual([{ name: ':method', string_match: { exact: 'DELETE' } }]);
    expect(deletes?.route.retry_policy).toBeUndefined();
    expect(others?.match).toEqual({ prefix: '/' });
    expect(others?.route.retry_policy).toEqual({ retry_on: 'reset-before-request', num_retries: 1 });
    for (const { route } of routes) expect(Number.parseInt(route.timeout, 10)).toBeGreaterThan(10);
  });

  it('passes the address of the client, asks probes, and writes no path into a log', () => {
    expect(manager).toMatchObject({ use_remote_address: true, request_headers_timeout: '10s' });
    expect(manager).not.toHaveProperty('access_log');
    expect(clusters.map(({ name }) => name)).toEqual(routes.slice(0, 1).map(({ route }) => route.cluster));
    expect(clusters[0]?.health_checks[0]?.http_health_check.path).toBe('/readyz');
    const ports = [...JSON.stringify(clusters[0]?.load_assignment).matchAll(/"port_value":(\d+)/g)].map(
      ([, port]) => port,
    );
    expect(ports).toEqual(['8787', '8790', '8789', '8791']);
  });
});

describe('the Kubernetes manifest', () => {
  type Env = { name: string; value: string };
  const documents = parseAllDocuments(text('kubernetes.yaml'));
  const [deployment, service, budget, policy] = documents.map((document) => document.toJS() as Record<string, unknown>);

  it('is four documents without a mistake of form', () => {
    for (const document of documents) expect([...document.errors, ...document.warnings]).toEqual([]);
    expect([deployment, service, budget, policy].map((each) => each?.['kind'])).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'NetworkPolicy',
    ]);
  });

  it('has settings that the proxy starts with, probes that it answers, and a grace longer than its end takes', () => {
    const pod = (deployment as { spec: { template: { spec: Record<string, unknown> } } }).spec.template.spec;
    const [container] = pod['containers'] as [
      {
        env: Env[];
        ports: { name: string; containerPort: number }[];
        lifecycle: { preStop: { sleep: { seconds: number } } };
      } & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', { httpGet: { path: string; port: string } }>,
    ];
    const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    expect(mistakesIn(environment)).toEqual([]);
    expect(pod['enableServiceLinks']).toBe(false);
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'probe' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'probe' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'probe' });
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, String(containerPort)]));
    const standard = settings.find((setting) => setting.variable === 'VDS_PORT')?.default;
    const { VDS_ADMIN_PORT: admin, VDS_PROBE_PORT: probe, VDS_PORT: http = standard } = environment;
    expect(ports).toEqual({ http, probe, admin });
    expect(pod['terminationGracePeriodSeconds']).toBeGreaterThan(10 + container.lifecycle.preStop.sleep.seconds);
  });

  it.each(['VDS', 'VDS_PROXY', 'VDS_ADMIN'])('starts beside a Service whose variables begin with %s', (name) => {
    const address = 'tcp://10.0.0.5:80';
    const links = {
      [`${name}_SERVICE_HOST`]: '10.0.0.5',
      [`${name}_SERVICE_PORT`]: '80',
      [`${name}_SERVICE_PORT_HTTP`]: '80',
      [`${name}_PORT`]: address,
      [`${name}_PORT_80_TCP`]: address,
      [`${name}_PORT_80_TCP_PROTO`]: 'tcp',
      [`${name}_PORT_80_TCP_PORT`]: '80',
      [`${name}_PORT_80_TCP_ADDR`]: '10.0.0.5',
    };
    expect(mistakesIn({ VDS_UPSTREAM_URL: 'https://vehicle-data.invalid', ...links })).toEqual([]);
    expect(mistakesIn({ VDS_UPSTREAM_URL: 'https://vehicle-data.invalid', VDS_PROT: '80' })).toHaveLength(1);
  });

  it('holds no secret', () => {
    const names = settings.filter(({ secret }) => secret).map((setting) => setting.variable);
    for (const name of names)
      for (const file of ['kubernetes.yaml', 'vds-proxy.service'])
        expect(text(file)).not.toMatch(new RegExp(`${name}[=,]`));
  });
});

describe('the alert rules', () => {
  const rules = parse(text('alert-rules.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] };

  it('ask only for metrics that the proxy has', async () => {
    const proxy = await startProgram({ VDS_UPSTREAM_URL: 'http://127.0.0.1:9', VDS_ADMIN_PORT: '0' });
    const admin = /metrics on (\S+)\n/.exec(proxy.output.stdout)?.[1] ?? '';
    const metrics = await (await fetch(admin)).text();
    proxy.process.kill('SIGKILL');
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1] ?? ''));
    for (const { expr } of rules.groups.flatMap((group) => group.rules))
      for (const [name] of expr.matchAll(/\bvds_proxy_\w+/g)) expect(known).toContain(name);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  if (!hasPromtool) console.warn('the alert rules are not checked by promtool: it is not installed');
  it.skipIf(!hasPromtool)('are good to promtool', () => {
    const file = fileURLToPath(new URL('../deploy/alert-rules.yaml', import.meta.url));
    expect(spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  });
});

describe('the Grafana dashboard', () => {
  interface Panel {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string }[];
  }
  const dashboard = JSON.parse(text('grafana-dashboard.json')) as { uid: string; panels: readonly Panel[] };
  const expressions = dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr));

  it('asks only for metrics that the proxy has, by labels that they have', async () => {
    const proxy = await startProgram({ VDS_UPSTREAM_URL: 'http://127.0.0.1:9', VDS_ADMIN_PORT: '0' });
    const admin = /metrics on (\S+)\n/.exec(proxy.output.stdout)?.[1] ?? '';
    await fetch(`http://127.0.0.1:${proxy.port}/v1/vehicles/consent`, { headers: { brand: 'brand_a' } });
    const metrics = await (await fetch(admin)).text();
    proxy.process.kill('SIGKILL');
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1] ?? ''));
    for (const expression of expressions) {
      const names = [...expression.matchAll(/\b(?:vds_proxy|process|nodejs)_\w+/g)].map((match) => match[0]);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(known).toContain(name.replace(/_(?:bucket|count|sum)$/, ''));
    }
  });

  it('shows every metric of the proxy, except that it drains', () => {
    const own = new Metrics().registry.getMetricsAsArray().map((metric) => metric.name);
    const shown = expressions.join('\n');
    for (const name of own.filter((each) => each.startsWith('vds_proxy_'))) expect(shown).toContain(name);
  });

  it('has panels that do not lie on each other', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(dashboard.panels.map((panel) => panel.id)).size).toBe(dashboard.panels.length);
  });
});
