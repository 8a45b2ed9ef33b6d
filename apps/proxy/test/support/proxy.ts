import { createApp } from '../../src/app.js';
import type { ProxyConfig } from '../../src/config.js';
import { ProxyCore } from '../../src/core.js';
import { type CallerTimes, FrontDoor } from '../../src/node/front-door.js';
import { SocketTransport } from '../../src/node/socket-transport.js';
import type { CallRecord } from '../../src/observer.js';
import { sharedWatch } from '../../src/watch.js';

/** A proxy with its door on a free port, in this process. */
export interface TestProxy {
  readonly port: number;
  readonly core: ProxyCore;
  readonly door: FrontDoor;
  readonly transport: SocketTransport;
  readonly records: CallRecord[];
  close(): Promise<void>;
}

export async function startProxy(config: ProxyConfig, times: Partial<CallerTimes> = {}): Promise<TestProxy> {
  const records: CallRecord[] = [];
  const transport = new SocketTransport(config.upstreamUrl);
  const observer = { call: (record: CallRecord) => void records.push(record) };
  const core = new ProxyCore(config, { transport, watch: sharedWatch(), observer });
  const door = new FrontDoor(core, async () => createApp(core, {}), times);
  const port = await door.listen(0, '127.0.0.1');
  return { port, core, door, transport, records, close: () => door.close(0) };
}
