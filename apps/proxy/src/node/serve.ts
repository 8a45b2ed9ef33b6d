import type { Server } from 'node:http';
import { eventsFrom, fenceSecretFrom, receiptsFrom, tokensFrom } from '../config/domain-options.js';
import { auditOptionsFrom, serverOptionsFrom, storeOptionsFrom } from '../config/program-options.js';
import type { SettingName, Settings } from '../config/settings.js';
import type { Withdrawn } from '../fence/fence.js';
import { openFence } from '../fence/open-fence.js';
import { CountedLimits } from '../limits/rate-limits.js';
import { observeTogether } from '../observability/observer.js';
import { Warnings } from '../observability/warnings.js';
import { Pipeline } from '../pipeline.js';
import { newRequestId } from '../request/request-id.js';
import { healthResponse } from '../response/health.js';
import { errorBody } from '../response/proxy-error.js';
import { ManagedTokens } from '../upstream-token/managed-tokens.js';
import { lookEveryMs } from '../upstream-token/stored-token.js';
import { adminServer, jsonPage } from './admin-server.js';
import { mostConnections } from './descriptors.js';
import { nextIsReady } from './first-process.js';
import { openJsonLog } from './json-log.js';
import { checkAudit, openAudit } from './open-audit.js';
import { openParts } from './open-parts.js';
import { openStore } from './open-store.js';
import { pagesFromDisk } from './pages-from-disk.js';
import { RefusedConnections } from './refused-connections.js';
import { type ReadFromFiles, reloadOnChange } from './reload.js';
import {
  aliveMessage,
  isReplica,
  listensAlone,
  processIndex,
  shared,
  sharedPort,
  startedMessage,
  tellFirst,
} from './replica.js';
import { listen, ProxyServer } from './server.js';
import { beatMs, ServiceManager, watchdogMs } from './service-manager.js';
import { announce, say, version } from './terminal.js';

/** Time for requests to end after their deadline, while the program stops and no other time is set, in milliseconds. */
const drainMarginMs = 1000;

/** Starts the proxy and runs it until it is stopped. @param files that the settings were read from, and are read again for a reload */
export async function serve(
  settings: Settings,
  files: ReadFromFiles['files'],
  read: () => ReadFromFiles,
): Promise<void> {
  const { values } = settings;
  const auditOptions = auditOptionsFrom(values);
  await checkAudit(auditOptions);
  const own = serverOptionsFrom(values);
  const { host, adminHost, adminPort, probePort } = own;
  const warnings = new Warnings(say);
  // Each library is loaded with the setting that needs it: what nobody uses takes no memory.
  const metrics = adminPort === undefined ? null : (await import('./metrics.js')).createMetrics();
  const { log, close: closeLog } = openJsonLog(own.logLevel, (lines) => metrics?.droppedLines.inc(lines));
  const { store, counting, journal } = await openStore(storeOptionsFrom(values), () => metrics?.redisFailures.inc());
  const wanted = receiptsFrom(values);
  const receipts =
    wanted &&
    (await (await import('../receipts/fence-receipts.js')).FenceReceipts.open(wanted, version(), warnings, say));
  const receiver = eventsFrom(values);
  const events =
    receiver &&
    (await (await import('../events/open-events.js')).openEvents(receiver, warnings, say, metrics?.registry ?? null));
  const onWithdrawn = async (withdrawn: Withdrawn): Promise<void> => {
    await Promise.all([receipts?.issue(withdrawn), events?.withdrawn(withdrawn)]);
  };
  const fence = await openFence(fenceSecretFrom(values), journal, warnings, say, onWithdrawn);
  const limits = new CountedLimits(counting);
  let opened = await openParts(settings, warnings, limits);
  const tokens = new ManagedTokens(tokensFrom(settings), store, (brand, outcome) =>
    metrics?.tokenRequests.inc({ brand, outcome }),
  );
  // The first look is before the first client: a new process may find the store emptied.
  void tokens.look();
  const looks = setInterval(() => tokens.look(), lookEveryMs).unref();
  const audit = await openAudit(auditOptions, warnings, metrics);
  const lastingParts = {
    observer: observeTogether([log, ...(metrics === null ? [] : [metrics])]),
    ...(own.traces ? { tracing: (await import('../observability/spans.js')).openTelemetryTracing() } : {}),
    tokens,
    fence,
    ...audit?.parts,
    ...(events === null ? {} : { events }),
  };
  const pipeline = new Pipeline(opened.config, { ...lastingParts, ...opened.parts });
  const makeApp = async () => {
    const { createApp } = await import('../app.js');
    return createApp(pipeline, own.docs ? pagesFromDisk() : undefined, () => warnings.active());
  };
  const server = new ProxyServer(pipeline, makeApp, {
    fastPath: own.fastPath,
    maxPerAddress: own.maxConnectionsPerAddress,
    ...(own.proxyProtocolFrom === undefined ? {} : { proxyProtocolFrom: own.proxyProtocolFrom }),
    refused: new RefusedConnections(say),
  });
  if (server.maxConnections < mostConnections)
    say(
      `clients may have ${server.maxConnections} connections, because of the limit of open files of this process; ${mostConnections} with ` +
        'a higher one (ulimit -n, LimitNOFILE)',
    );
  const servers: Server[] = [];
  if (metrics !== null && adminPort !== undefined) {
    metrics.measure(pipeline, warnings, tokens, server, audit);
    const { registry } = metrics;
    (await import('../fence/measure-fence.js')).measureFence(registry, fence);
    receipts?.measure(registry);
    const pages = {
      '/metrics': async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
      '/drift': () => jsonPage(pipeline.drift.snapshot()),
      '/tokens': () => jsonPage({ tokens: tokens.statuses() }),
      '/usage': () => jsonPage({ clients: metrics.clientUsage() }),
    };
    const admin = adminServer(pages, adminHost);
    servers.push(admin);
    const place = {
      port: adminPort === 0 ? 0 : adminPort + processIndex(),
      host: adminHost,
      exclusive: true,
      ...shared(),
    };
    const taken = await listenOn('VDS_ADMIN_PORT', 'VDS_ADMIN_HOST', () => listen(admin, place));
    announce(`metrics on http://${shownHost(adminHost)}:${taken}/metrics`);
  }
  if (probePort !== undefined) {
    const page = (path: string) => () => {
      const health = healthResponse(path, pipeline.draining, warnings.active());
      if (typeof health === 'string') return { contentType: 'application/json', body: health };
      return { contentType: 'application/json', status: health.status, body: errorBody(health, newRequestId()) };
    };
    const probes = adminServer({ '/healthz': page('/healthz'), '/readyz': page('/readyz') }, host);
    servers.push(probes);
    await listenOn('VDS_PROBE_PORT', 'VDS_HOST', () => listen(probes, { port: probePort, host, ...shared() }));
  }
  // After the other ports, which another program can have: clients come only to a process that stays.
  const port = await listenOn('VDS_PORT', 'VDS_HOST', () =>
    server.listen({ port: sharedPort() ?? own.port, host, ...shared() }),
  );

  const endReloads = reloadOnChange(settings, files, {
    read,
    async apply(changed) {
      const next = await openParts(changed, warnings, limits, opened);
      await tokens.use(tokensFrom(changed));
      pipeline.use(next.config, { ...lastingParts, ...next.parts });
      opened.close();
      opened = next;
      // Whoever raised it no longer watches.
      warnings.clear('keys-file');
      log.level = serverOptionsFrom(changed.values).logLevel;
    },
    warnings,
    onReload: (outcome) => metrics?.reloads.inc({ outcome }),
  });

  const manager = isReplica() ? null : new ServiceManager();
  let stopping = false;
  let isAlone = false;
  /** @param delayMs time for load balancers to notice, in milliseconds */
  const stop = async (delayMs: number) => {
    if (stopping) process.exit(1);
    stopping = true;
    manager?.stopping();
    endReloads();
    // Others have these ports now, and say that they are ready.
    if (isAlone) for (const each of servers) each.close();
    // Without a setting of its own, no request is cut within its deadline.
    const graceMs = own.drainMs ?? pipeline.config.deadlineMs + drainMarginMs;
    await server.close(delayMs, graceMs);
    for (const each of servers) each.close().closeAllConnections();
    opened.close();
    clearInterval(looks);
    await tokens.close();
    await audit?.close();
    // Together: the end of the program has a bound, and a receipt waits for its fence.
    const [unwritten] = await Promise.all([fence.blocks.close(), receipts?.close(), events?.close()]);
    if (unwritten > 0)
      say(
        `error: ${unwritten} ${unwritten === 1 ? 'entry' : 'entries'} of the fence could not be written to the store; processes that start do not know them`,
      );
    await store.close();
    await closeLog();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => stop(own.drainDelayMs));
  // Someone at a terminal waits for the end. A terminal sends SIGINT to every process; the first one passes on what it means.
  process.on('SIGINT', () => {
    if (!isReplica() || isAlone) void stop(0);
  });
  manager?.ready();
  if (isReplica()) {
    const goOnAlone = async () => {
      if (stopping) return;
      isAlone = true;
      say(
        `the first process has ended; this one serves on until another one takes over, for ${own.aloneMs / 1000} s at most`,
      );
      const isFollowed = await nextIsReady(host, port, own.aloneMs);
      if (stopping) return;
      say(
        isFollowed
          ? 'other processes have taken over; this one ends'
          : 'no other process has taken over; this one ends',
      );
      await stop(0);
    };
    // Where the first process has the port, cluster ends this one.
    if (listensAlone) process.once('disconnect', goOnAlone);
    if (listensAlone && !process.connected) void goOnAlone();
    tellFirst(startedMessage(port));
    const timeoutMs = watchdogMs(process.env);
    if (timeoutMs !== null) setInterval(() => tellFirst(aliveMessage), beatMs(timeoutMs)).unref();
  }
  if (processIndex() === 0) announce(`proxy listening on http://${shownHost(host)}:${port}`);
}

/** An address as it is in a URL. */
function shownHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/**
 * Listens, and says in the words of the settings when that is not possible.
 *
 * @throws {Error} with a line for the operator
 */
async function listenOn(portName: SettingName, hostName: SettingName, start: () => Promise<number>): Promise<number> {
  try {
    return await start();
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw new Error(
      busy ? `${portName}: the port is already in use` : `${hostName}, ${portName}: this address cannot be listened on`,
    );
  }
}
