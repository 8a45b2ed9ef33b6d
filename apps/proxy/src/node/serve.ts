import { writeSync } from 'node:fs';
import { createApp } from '../app.js';
import { ProxyCore } from '../core.js';
import { configFrom } from '../settings/config-from-settings.js';
import type { Settings } from '../settings/read-settings.js';
import { tokensFrom } from '../settings/tokens-from-settings.js';
import { ManagedTokens } from '../upstream-identity/managed-tokens.js';
import { sharedWatch } from '../watch.js';
import { shareBreakerHints } from './breaker-hints.js';
import { FrontDoor } from './front-door.js';
import { jsonLog, logLevelOf } from './json-log.js';
import { openCallers } from './open-callers.js';
import { openLimits } from './open-limits.js';
import { openStore } from './open-store.js';
import { pagesFromDisk } from './pages-from-disk.js';
import { say } from './say.js';
import { SocketTransport } from './socket-transport.js';

/** Starts the proxy and runs it until it is told to stop. */
export async function serve(settings: Settings): Promise<void> {
  const { values } = settings;
  const config = configFrom(settings);
  const log = jsonLog(logLevelOf(values.get('VDS_LOG_LEVEL')), (text) => writeSync(2, text));
  const { store, shared } = await openStore(values);
  const limits = openLimits(values, shared, () => {});
  const callers = openCallers(settings, say);
  const core = new ProxyCore(config, {
    transport: new SocketTransport(config.upstreamUrl),
    watch: sharedWatch(),
    observer: log,
    ...(callers.check === null ? {} : { callers: callers.check }),
    ...(limits === null ? {} : { limits }),
    tokens: new ManagedTokens(tokensFrom(settings), store),
  });
  const endHints = shared === null ? () => {} : shareBreakerHints(core.forwarder.breaker, store);
  const door = new FrontDoor(core, createApp(core, pagesFromDisk()));
  const host = values.get('VDS_HOST') ?? '127.0.0.1';
  let port: number;
  try {
    port = await door.listen(Number(values.get('VDS_PORT')), host);
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    say(busy ? 'VDS_PORT: the port is already in use' : 'VDS_HOST, VDS_PORT: this address cannot be listened on');
    process.exitCode = 1;
    return;
  }
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await door.close();
    callers.close();
    endHints();
    await store.close();
    log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  writeSync(1, `proxy listening on http://${shown}:${port}\n`);
}
