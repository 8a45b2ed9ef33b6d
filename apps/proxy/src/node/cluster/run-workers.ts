import { writeSync } from 'node:fs';
import type { Settings, SettingValues } from '../../settings/read-settings.js';
import { listenOn, shownHost } from '../addresses.js';
import type { AdminDoor } from '../admin-door.js';
import { Fleet } from './fleet.js';

/** Time for workers to finish their calls after a signal, in milliseconds; each of them keeps to a shorter one itself. */
const drainMs = 9500;

/** Runs the proxy as several processes, and this one over them, until it is told to stop. */
export async function runWorkers({ values }: Settings): Promise<void> {
  const fleet = new Fleet(Number(values.get('VDS_WORKERS')));
  let admin: AdminDoor | null = null;
  let stopping = false;
  const stop = async () => {
    if (stopping) {
      fleet.kill();
      process.exit(1);
    }
    stopping = true;
    await fleet.drain(drainMs);
    admin?.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const port = await fleet.start();
    if (values.has('VDS_ADMIN_PORT')) admin = await openAdminOfAll(values, fleet);
    writeSync(1, `proxy listening on http://${shownHost(values.get('VDS_HOST') ?? '127.0.0.1')}:${port}\n`);
  } catch (error) {
    fleet.kill();
    throw error;
  }
}

async function openAdminOfAll(values: SettingValues, fleet: Fleet): Promise<AdminDoor> {
  const [{ openAdmin }, { driftOfAll, MetricsOfAll, tokensOfAll }] = await Promise.all([
    import('../open-admin.js'),
    import('./reports.js'),
  ]);
  const metrics = new MetricsOfAll();
  fleet.onEnd = (worker) => {
    metrics.end(worker).catch(() => {});
  };
  const reports = async () => [...(await fleet.reports()).values()];
  const sources = {
    metrics: async () => metrics.text(await fleet.reports()),
    drift: async () => driftOfAll((await reports()).map(({ drift }) => drift)),
    tokens: async () => tokensOfAll((await reports()).map(({ tokens }) => tokens)),
  };
  const host = values.get('VDS_ADMIN_HOST') ?? '127.0.0.1';
  const { door, port } = await listenOn('VDS_ADMIN_PORT', 'VDS_ADMIN_HOST', () =>
    openAdmin(sources, Number(values.get('VDS_ADMIN_PORT')), host),
  );
  writeSync(1, `metrics on http://${shownHost(host)}:${port}/metrics\n`);
  return door;
}
