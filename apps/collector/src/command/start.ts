// `vds-collector start`: collects for as long as it runs.
import { createCollector } from '../collect/collector.js';
import { openLake } from '../collect/open.js';
import { createServices } from '../collect/service.js';
import type { Settings } from '../config/settings.js';
import type { SignalSettings } from '../config/signal-settings.js';
import { addAccount, listAccounts } from '../ledger/accounts.js';
import { countLedger, recentCounts } from '../ledger/counts.js';
import type { Queries } from '../ledger/database.js';
import { readWaits } from '../ledger/waits.js';
import { startServer } from '../operate/server.js';
import { requestLooks } from '../signals/request-looks.js';
import { signalReceiver } from '../signals/signal-receiver.js';
import { UsageError } from '../usage-error.js';
import { startProgress, type Terminal, whileShown } from './progress.js';

export const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const;

/** Returns the exit code. */
export async function start(
  settings: Settings,
  received: SignalSettings,
  signals: { readonly stop: AbortSignal; readonly abort: AbortSignal },
  { stdout, stderr }: { readonly stdout: Terminal; readonly stderr: Terminal },
): Promise<number> {
  const services = createServices(settings);
  const lake = await whileShown(stderr, 'Opening the ledger…', () => openLake(settings));
  const { database } = lake;
  const progress = startProgress(stderr, async () => ({
    counts: await recentCounts(database, 1_000),
    waits: await readWaits(database),
  }));
  try {
    await requireAccounts(database, settings);
    const collector = createCollector(lake, services, settings, { ...signals, note: progress.note });
    const isReady = async () => !signals.stop.aborted && (await lake.isOurs());
    const { host, port } = settings;
    const receiver = signalReceiver({
      settings: received,
      looks: requestLooks(database),
      pseudonymOf: lake.pseudonymOf,
    });
    const server =
      port === undefined ? undefined : await startServer({ host, port }, database, collector.counts, isReady, receiver);
    if (server) progress.note(`Health and metrics are at http://${host}:${server.port}`);
    try {
      await collector.run();
    } finally {
      await server?.close();
    }
    const { vehicles, windows, due, trips } = await countLedger(database);
    progress.stop();
    const { collected, failed } = collector.counts;
    stdout.write(
      `${collected} windows collected. The ledger has ${vehicles} vehicles, ${windows} windows, ${trips} trips; ${due} windows are due.\n`,
    );
    if (signals.stop.aborted) return due > 0 ? exitCodes.interrupted : 0;
    return failed > 0 ? exitCodes.failed : 0;
  } finally {
    progress.stop();
    await lake.close();
  }
}

/** Adds the account of `--brand` where there is none yet. */
async function requireAccounts(database: Queries, { brand, accessToken }: Settings): Promise<void> {
  const before = await listAccounts(database);
  if (before.length === 0) {
    if (brand === undefined)
      throw new UsageError(
        '--brand is missing; give it, set VDS_BRAND, or add accounts with vds-collector accounts add',
      );
    await addAccount(database, { name: brand, brand, tokenFile: null });
  }
  const sharing = before.filter(({ tokenFile, state }) => tokenFile === null && state === 'active');
  if (accessToken !== undefined && sharing.length > 1)
    throw new UsageError(
      'VDS_ACCESS_TOKEN is the token of one account, and the ledger has several without a token file; use --token-command or ' +
        '--account-token-url',
    );
}
