import { writeSync } from 'node:fs';
import type { Hono } from 'hono';
import { ProxyCore } from '../core.js';
import { logLevelOf } from '../log-line.js';
import { observeTogether } from '../observer.js';
import { configFrom } from '../settings/config-from-settings.js';
import type { Settings } from '../settings/read-settings.js';
import { tokensFrom } from '../settings/tokens-from-settings.js';
import { ManagedTokens } from '../upstream-identity/managed-tokens.js';
import { sharedWatch } from '../watch.js';
import { listenOn, shownHost } from './addresses.js';
import type { AdminDoor } from './admin-door.js';
import { shareBreakerHints } from './breaker-hints.js';
import type { PrimaryLink } from './cluster/primary-link.js';
import { FrontDoor } from './front-door.js';
import { jsonLog } from './json-log.js';
import { openCallers } from './open-callers.js';
import { openLimits } from './open-limits.js';
import { openStore } from './open-store.js';
import { say } from './say.js';
import { SocketTransport } from './socket-transport.js';

/** Time for calls under way to finish after a signal, in milliseconds; with it the program ends within ten seconds. */
const drainMs = 9000;

/**
 * Starts the proxy and runs it until it is told to stop.
 *
 * @param primary the way to the process that started this one as one of several; `null` when it is alone
 */
export async function serve(settings: Settings, primary: PrimaryLink | null = null): Promise<void> {
  const { values } = settings;
  const config = configFrom(settings);
  const log = jsonLog(
    logLevelOf(values.get('VDS_LOG_LEVEL')),
    writeLines,
    primary === null ? heldBytes : heldBytesOfMany,
  );
  // What only a setting asks for is read only when it is set: everything that is read makes the start longer.
  const metrics = values.has('VDS_ADMIN_PORT') ? new (await import('./metrics.js')).Metrics() : null;
  const spans = values.get('VDS_TRACES') === 'true' ? [(await import('./spans.js')).spanObserver()] : [];
  const { store, redis } = await openStore(values, primary);
  const callers = await openCallers(settings, say);
  const limits = await openLimits(values, { redis, primary }, () => metrics?.noteStoreAway());
  const tokens = new ManagedTokens(tokensFrom(settings), store, (brand, outcome) =>
    metrics?.noteTokenRequest(brand, outcome),
  );
  const core = new ProxyCore(config, {
    transport: new SocketTransport(config.upstreamUrl),
    watch: sharedWatch(),
    observer: observeTogether([log, ...(metrics === null ? [] : [metrics]), ...spans]),
    ...(callers.check === null ? {} : { callers: callers.check }),
    ...(limits === null ? {} : { limits }),
    tokens,
  });
  const isAlone = redis === null && primary === null;
  const endHints = isAlone ? () => {} : shareBreakerHints(core.forwarder.breaker, store);
  let app: Promise<Hono> | undefined;
  const door = new FrontDoor(core, () => (app ??= openApp(core)));
  let admin: AdminDoor | null = null;

  const host = values.get('VDS_HOST') ?? '127.0.0.1';
  const port = await listenOn('VDS_PORT', 'VDS_HOST', () => door.listen(Number(values.get('VDS_PORT')), host));
  metrics?.measure({ core, tokens, connections: () => door.open });
  if (metrics !== null && primary === null) {
    const adminHost = values.get('VDS_ADMIN_HOST') ?? '127.0.0.1';
    const sources = {
      metrics: () => metrics.registry.metrics(),
      drift: () => core.drift.snapshot(),
      tokens: () => tokens.statuses(),
    };
    const { openAdmin } = await import('./open-admin.js');
    const opened = await listenOn('VDS_ADMIN_PORT', 'VDS_ADMIN_HOST', () =>
      openAdmin(sources, Number(values.get('VDS_ADMIN_PORT')), adminHost),
    );
    admin = opened.door;
    writeSync(1, `metrics on http://${shownHost(adminHost)}:${opened.port}/metrics\n`);
  }

  let stopping = false;
  const stop = async () => {
    // A worker hears of a signal to all processes of the program twice; who is in haste tells the first process again.
    if (stopping && primary !== null) return;
    if (stopping) process.exit(1);
    stopping = true;
    await door.close(drainMs);
    admin?.close();
    callers.close();
    endHints();
    await store.close();
    log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (primary !== null) {
    const report = async () => ({
      metrics: metrics === null ? [] : await metrics.registry.getMetricsAsJSON(),
      drift: core.drift.snapshot(),
      tokens: tokens.statuses(),
    });
    primary.serve(report, stop);
    return;
  }
  writeSync(1, `proxy listening on http://${shownHost(host)}:${port}\n`);
}

/** Bytes of log lines that are written together: 64 kB, and 4 kB where several processes write to one pipe, which keeps those in one piece. */
const heldBytes = 65_536;
const heldBytesOfMany = 4096;

/** The app that answers for pages. It is read when somebody asks for one, because it makes the start longer. */
async function openApp(core: ProxyCore): Promise<Hono> {
  const [{ createApp }, { pagesFromDisk }] = await Promise.all([import('../app.js'), import('./pages-from-disk.js')]);
  return createApp(core, pagesFromDisk());
}

/** Writes lines of the log. What nobody takes, because its reader is gone or behind, is lost; the calls go on. */
function writeLines(lines: Uint8Array): void {
  try {
    for (let at = 0; at < lines.length; ) at += writeSync(2, lines, at);
  } catch {
    // There is nowhere left to say it.
  }
}
