#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs';
import { createApp } from './app.js';
import type { CheckMode, ProxyConfig } from './config.js';
import { ProxyCore } from './core.js';
import { FrontDoor } from './node/front-door.js';
import { jsonLog, type LogLevel } from './node/json-log.js';
import { pagesFromDisk } from './node/pages-from-disk.js';
import { SocketTransport } from './node/socket-transport.js';
import { readSettings } from './read-settings.js';
import type { SettingName } from './settings.js';
import { sharedWatch } from './watch.js';

function toConfig(values: ReadonlyMap<SettingName, string>): ProxyConfig {
  const text = (name: SettingName) => values.get(name) ?? '';
  const brands = values.get('VDS_BRANDS')?.split(',');
  return {
    upstreamUrl: text('VDS_UPSTREAM_URL'),
    ...(brands === undefined ? {} : { brands }),
    upstreamAuth:
      text('VDS_UPSTREAM_AUTH') === 'static'
        ? { kind: 'static', accessToken: text('VDS_ACCESS_TOKEN') }
        : { kind: 'forward' },
    validateResponses: text('VDS_VALIDATE_RESPONSES') as CheckMode,
    deadlineMs: Number(text('VDS_DEADLINE_MS')),
    allowStopAll: text('VDS_ALLOW_STOP_ALL') === 'true',
    maxInFlight: Number(text('VDS_MAX_IN_FLIGHT')),
  };
}

function say(line: string): void {
  writeSync(2, `vds-proxy: ${line}\n`);
}

async function main(): Promise<void> {
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const reading = readSettings({ environment: process.env, arguments: process.argv.slice(2), readFile });
  if (!reading.ok) {
    for (const mistake of reading.mistakes) say(mistake);
    process.exitCode = 1;
    return;
  }
  const { values } = reading;
  const config = toConfig(values);
  const log = jsonLog((values.get('VDS_LOG_LEVEL') ?? 'info') as LogLevel, (text) => writeSync(2, text));
  const core = new ProxyCore(config, {
    transport: new SocketTransport(config.upstreamUrl),
    watch: sharedWatch(),
    observer: log,
  });
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
    log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  writeSync(1, `proxy listening on http://${shown}:${port}\n`);
}

await main();
