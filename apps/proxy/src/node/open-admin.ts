import { Registry } from 'prom-client';
import type { ClientUsage } from '../observability/client-usage.js';
import type { DriftSnapshot } from '../observability/drift-report.js';
import type { ManagedTokens } from '../upstream-token/managed-tokens.js';
import { type AdminPage, AdminServer } from './admin-server.js';

/** What the admin port shows, of one process or of several together. */
export interface AdminSources {
  /** The metrics in the text form of Prometheus. */
  metrics(): Promise<string>;
  drift(): DriftSnapshot | Promise<DriftSnapshot>;
  tokens(): TokenStatuses | Promise<TokenStatuses>;
  usage(): readonly ClientUsage[];
}

type TokenStatuses = ReturnType<ManagedTokens['statuses']>;

/** Opens the admin port. Resolves with it, and with the port that was taken. */
export async function openAdmin(
  sources: AdminSources,
  port: number,
  host: string,
): Promise<{ readonly door: AdminServer; readonly port: number }> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const contentType = 'application/json';
  const pages: readonly (readonly [path: string, page: AdminPage])[] = [
    ['/metrics', { contentType: Registry.PROMETHEUS_CONTENT_TYPE, body: () => sources.metrics() }],
    ['/drift', { contentType, body: async () => json(await sources.drift()) }],
    ['/tokens', { contentType, body: async () => json({ tokens: await sources.tokens() }) }],
    ['/usage', { contentType, body: () => json({ clients: sources.usage() }) }],
  ];
  const door = new AdminServer(new Map(pages));
  return { door, port: await door.listen(port, host) };
}
