// Health, readiness and metrics over HTTP. Nothing here names a vehicle.
import { createServer, type ServerResponse } from 'node:http';
import type { Counts } from '../collect/run.js';
import { recentCounts } from '../ledger/counts.js';
import type { Queries } from '../ledger/database.js';
import type { SignalReceiver } from '../signals/signal-receiver.js';
import { metricsText } from './metrics.js';

/** How old counts of the ledger may be in metrics. */
const freshMs = 5_000;

/** A server that listens. */
export interface OperationServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `isReady` says whether the collector may collect: it has its ledger, and its lake is not another's.
 *
 * @param signals receives events and callbacks; none by default
 */
export async function startServer(
  { host, port }: { readonly host: string; readonly port: number },
  database: Queries,
  counts: Counts,
  isReady: () => Promise<boolean>,
  signals?: SignalReceiver,
): Promise<OperationServer> {
  const send = (response: ServerResponse, status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.end(body);
  };
  const server = createServer(async (request, response) => {
    if (signals?.take(request, response)) return;
    const { url } = request;
    try {
      if (url === '/healthz') return send(response, 200, 'ok\n');
      const ready = async () => (await isReady()) && (await database.query('select 1')).length === 1;
      if (url === '/readyz')
        return (await ready()) ? send(response, 200, 'ready\n') : send(response, 503, 'not ready\n');
      if (url === '/metrics')
        return send(response, 200, metricsText(await recentCounts(database, freshMs), counts, signals?.counts));
      send(response, 404, 'not found\n');
    } catch {
      send(response, 503, 'the ledger cannot be read\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
