import { AdminDoor, type AdminPage } from './admin-door.js';
import type { Measured, Metrics } from './metrics.js';

/** The pages of the admin port. */
function pagesOf(metrics: Metrics, { core, tokens }: Measured): ReadonlyMap<string, AdminPage> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    ['/metrics', { contentType: metrics.registry.contentType, body: () => metrics.registry.metrics() }],
    ['/drift', { contentType: 'application/json', body: () => json(core.drift.snapshot()) }],
    ['/tokens', { contentType: 'application/json', body: () => json({ tokens: tokens.statuses() }) }],
  ]);
}

/** Opens the admin port. Resolves with it, and with the port that was taken. */
export async function openAdmin(
  metrics: Metrics,
  measured: Measured,
  port: number,
  host: string,
): Promise<{ readonly door: AdminDoor; readonly port: number }> {
  metrics.measure(measured);
  const door = new AdminDoor(pagesOf(metrics, measured));
  return { door, port: await door.listen(port, host) };
}
