import { createApp } from '../../src/app.js';
import type { ProxyConfig } from '../../src/config.js';
import { type CoreParts, ProxyCore } from '../../src/core.js';
import { FrontDoor } from '../../src/node/front-door.js';
import { SocketTransport } from '../../src/node/socket-transport.js';
import type { CallRecord } from '../../src/observer.js';
import { sharedWatch } from '../../src/watch.js';

/** Starts a proxy in this process with parts of the test's choice. */
export async function startGuarded(config: ProxyConfig, parts: Omit<CoreParts, 'transport'>) {
  const records: CallRecord[] = [];
  const observer = { call: (record: CallRecord) => void records.push(record) };
  const transport = new SocketTransport(config.upstreamUrl);
  const core = new ProxyCore(config, { watch: sharedWatch(), observer, ...parts, transport });
  const door = new FrontDoor(core, async () => createApp(core, {}));
  const port = await door.listen(0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}`, core, records, close: () => door.close(0) };
}
