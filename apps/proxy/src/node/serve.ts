import cluster from 'node:cluster';
import { writeSync } from 'node:fs';
import { createApp } from '../app.js';
import { openWithdrawalAudit, type WithdrawalAudit } from '../audit/withdrawal-audit.js';
import type { Settings, SettingValues } from '../config/read-settings.js';
import { tokensFrom } from '../config/tokens-from-settings.js';
import { sharedTicker } from '../forward/ticker.js';
import { UsageByClient } from '../observability/client-usage.js';
import { openJsonLog } from '../observability/json-log.js';
import { logLevelOf } from '../observability/log-line.js';
import { Metrics } from '../observability/metrics.js';
import { observeTogether } from '../observability/observer.js';
import { spanObserver } from '../observability/spans.js';
import { Warnings } from '../observability/warnings.js';
import { Pipeline } from '../pipeline.js';
import { newRequestId } from '../request/request-id.js';
import { healthResponse } from '../response/health.js';
import { errorBody } from '../response/proxy-error.js';
import { openStore } from '../store/open-store.js';
import { ManagedTokens } from '../upstream-token/managed-tokens.js';
import { listenOn, shownHost } from './addresses.js';
import { type AdminPage, AdminServer } from './admin-server.js';
import { openAdmin } from './open-admin.js';
import { openParts } from './open-parts.js';
import { pagesFromDisk } from './pages-from-disk.js';
import { processIndex } from './processes.js';
import { type ReadFromFiles, reloadOnChange } from './reload.js';
import { say } from './say.js';
import { ProxyServer } from './server.js';

/** Time for requests to end after their deadline, while the program stops, in milliseconds. */
const drainMarginMs = 1000;

/**
 * Starts the proxy and runs it until it is told to stop.
 *
 * @param read reads the settings again, for a reload
 */
export async function serve(settings: Settings, read: () => ReadFromFiles): Promise<void> {
  const { values } = settings;
  const warnings = new Warnings(say);
  const metrics = values.has('VDS_ADMIN_PORT') ? new Metrics() : null;
  const log = openJsonLog(logLevelOf(values.get('VDS_LOG_LEVEL')), () => metrics?.noteDroppedLine());
  const spans = values.get('VDS_TRACES') === 'true' ? [spanObserver()] : [];
  const { store, redis } = await openStore(values);
  const usage = new UsageByClient();
  const lasting = { redis, warnings, onAway: () => metrics?.noteStoreAway() };
  let opened = openParts(settings, lasting);
  const tokens = new ManagedTokens(tokensFrom(settings), store, (brand, outcome) =>
    metrics?.noteTokenRequest(brand, outcome),
  );
  const audit = openAudit(values, warnings);
  const lastingParts = {
    ticker: sharedTicker(),
    observer: observeTogether([log, usage, ...(metrics === null ? [] : [metrics]), ...spans]),
    tokens,
    ...(audit === null ? {} : { onWithdrawal: audit.onWithdrawal }),
  };
  const pipeline = new Pipeline(opened.config, { ...lastingParts, ...opened.parts });
  const app = createApp(pipeline, pagesFromDisk(), () => warnings.active());
  const server = new ProxyServer(pipeline, app, {
    fastPath: values.get('VDS_FAST_PATH') === 'true',
    maxPerAddress: Number(values.get('VDS_MAX_CONNECTIONS_PER_ADDRESS')),
  });
  let admin: AdminServer | null = null;

  const host = values.get('VDS_HOST') ?? '127.0.0.1';
  const port = await listenOn('VDS_PORT', 'VDS_HOST', () => server.listen(Number(values.get('VDS_PORT')), host));
  metrics?.measure({ pipeline, warnings, tokens, usage, connections: () => server.open });
  if (metrics !== null) {
    const adminHost = values.get('VDS_ADMIN_HOST') ?? '127.0.0.1';
    const wanted = Number(values.get('VDS_ADMIN_PORT'));
    const sources = {
      metrics: () => metrics.registry.metrics(),
      drift: () => pipeline.drift.snapshot(),
      tokens: () => tokens.statuses(),
      usage: () => usage.all(),
    };
    const adminPort = await listenOn('VDS_ADMIN_PORT', 'VDS_ADMIN_HOST', () =>
      openAdmin(sources, wanted === 0 ? 0 : wanted + processIndex(), adminHost),
    );
    admin = adminPort.door;
    writeSync(1, `metrics on http://${shownHost(adminHost)}:${adminPort.port}/metrics\n`);
  }

  const probePort = values.get('VDS_PROBE_PORT');
  const probes = probePort === undefined ? null : new AdminServer(probePages(pipeline, warnings), { shared: true });
  if (probes !== null) await listenOn('VDS_PROBE_PORT', 'VDS_HOST', () => probes.listen(Number(probePort), host));

  const endReloads = reloadOnChange(settings, {
    read,
    async apply(changed) {
      const next = openParts(changed, lasting, opened);
      await tokens.use(tokensFrom(changed));
      pipeline.use(next.config, { ...lastingParts, ...next.parts });
      if (next.clientAuth !== opened.clientAuth) opened.clientAuth.close();
      opened = next;
      log.level = logLevelOf(changed.values.get('VDS_LOG_LEVEL'));
    },
    warnings,
    say,
    onReload: (outcome) => metrics?.noteReload(outcome),
  });

  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    endReloads();
    // No request is cut within its deadline.
    const graceMs = pipeline.config.deadlineMs + drainMarginMs;
    // Someone at a terminal waits for the end; a load balancer has to notice first.
    await server.close(signal === 'SIGINT' ? 0 : Number(values.get('VDS_DRAIN_DELAY_MS')), graceMs);
    admin?.close();
    probes?.close();
    opened.clientAuth.close();
    await audit?.close();
    await store.close();
    await log.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGQUIT', stop);
  // Left alone, the first opens the inspector, which shows all tokens, and the second ends the process.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});
  // A terminal sends SIGINT to every process; the first one passes on what it means.
  if (!cluster.isWorker) process.on('SIGINT', stop);
  else process.on('SIGINT', () => {});
  if (processIndex() === 0) writeSync(1, `proxy listening on http://${shownHost(host)}:${port}\n`);
}

/** What probes ask for, on a port of their own. */
function probePages(pipeline: Pipeline, warnings: Warnings): ReadonlyMap<string, AdminPage> {
  const page = (path: string): AdminPage => {
    const found = () => healthResponse(path, pipeline.draining, warnings.active());
    return {
      contentType: 'application/json',
      status() {
        const response = found();
        return typeof response === 'string' ? 200 : response.status;
      },
      body() {
        const response = found();
        return typeof response === 'string' ? response : errorBody(response, newRequestId());
      },
    };
  };
  return new Map(['/healthz', '/readyz'].map((path) => [path, page(path)]));
}

function openAudit(values: SettingValues, warnings: Warnings): WithdrawalAudit | null {
  const path = values.get('VDS_AUDIT_FILE');
  return path === undefined ? null : openWithdrawalAudit(path, values.get('VDS_VIN_HASH_KEY') ?? '', warnings);
}
