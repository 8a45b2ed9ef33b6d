import { createApp } from '../../src/app.js';
import type { ProxyConfig } from '../../src/config.js';
import { SocketTransport } from '../../src/forward/transport/socket/socket-transport.js';
import { ProxyServer, type ProxyServerOptions } from '../../src/node/server.js';
import type { RequestRecord, UnexpectedError } from '../../src/observability/observer.js';
import { Pipeline, type PipelineParts } from '../../src/pipeline.js';

/** A proxy with its server on a free port, in this process. */
export interface TestProxy {
  readonly port: number;
  readonly pipeline: Pipeline;
  readonly server: ProxyServer;
  readonly transport: SocketTransport;
  readonly records: RequestRecord[];
  readonly unexpected: UnexpectedError[];
  close(): Promise<void>;
}

/** Whether the tests of this process run with the fast path. */
export const fastPath = process.env['VDS_FAST_PATH'] !== 'off';

/** Starts a proxy that has to be closed. */
export async function openProxy(
  config: ProxyConfig,
  options: ProxyServerOptions = {},
  parts: Partial<PipelineParts> = {},
): Promise<TestProxy> {
  const records: RequestRecord[] = [];
  const unexpected: UnexpectedError[] = [];
  const transport = new SocketTransport(config.upstreamUrl);
  const observer = {
    call: (record: RequestRecord) => void records.push(record),
    unexpected: (error: UnexpectedError) => void unexpected.push(error),
  };
  const pipeline = new Pipeline(config, { transport, observer, ...parts });
  const server = new ProxyServer(pipeline, () => createApp(pipeline), { fastPath, ...options });
  const port = await server.listen(0, '127.0.0.1');
  return { port, pipeline, server, transport, records, unexpected, close: () => server.close(0, 0) };
}
