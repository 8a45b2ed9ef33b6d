// Metrics in the text format of Prometheus. https://prometheus.io/docs/instrumenting/exposition_formats/
import type { Counts } from '../collect/run.js';
import type { LedgerCounts } from '../ledger/counts.js';
import type { SignalCounts } from '../signals/signal-receiver.js';

/** What the ledger says is the same for every process; counters are those of this one. */
export function metricsText(ledger: LedgerCounts, counts: Counts, signals: SignalCounts = new Map()): string {
  const gauges: readonly (readonly [string, string, number])[] = [
    ['accounts', 'Accounts.', ledger.accounts],
    ['accounts_parked', 'Accounts that wait for the next try.', ledger.accountsParked],
    ['vehicles', 'Vehicles that share data.', ledger.vehicles],
    ['windows', 'Windows that are known.', ledger.windows],
    ['windows_due', 'Windows that are due now.', ledger.due],
    ['windows_backfill', 'Windows of older days that were never fetched.', ledger.backfill],
    ['windows_failing', 'Windows whose last attempt failed.', ledger.failing],
    ['lag_seconds', 'How long the window has been due that waits for longest.', ledger.oldestDueSeconds],
    ['purging_vehicles', 'Vehicles that withdrew and whose files are not gone yet.', ledger.purging],
    ['purge_age_seconds', 'How long the oldest of them has been purged.', ledger.oldestPurgeSeconds],
    ['unconfirmed_vehicles', 'Vehicles that are missing from a list and wait for a person.', ledger.unconfirmed],
    ['receipts', 'Receipts of purges.', ledger.receipts],
    ['trips', 'Trips in the lake.', ledger.trips],
    ['windows_provisional', 'Windows that are fetched again, since trips may still arrive.', ledger.provisional],
    ['accounts_paused', 'Accounts that a person has paused.', ledger.accountsPaused],
    ['lake_bytes', 'Bytes of files in the lake.', ledger.bytes],
  ];
  const counters: readonly (readonly [string, string, number])[] = [
    ['windows_collected_total', 'Windows that this process made part of the lake.', counts.collected],
    ['throttled_seconds_total', 'Seconds that workers waited for a limit.', counts.throttledMs / 1000],
    ['vehicles_purged_total', 'Vehicles that this process purged.', counts.purged],
  ];
  const entry =
    (type: string) =>
    ([name, help, value]: readonly [string, string, number]) =>
      `# HELP vds_collector_${name} ${help}\n# TYPE vds_collector_${name} ${type}\nvds_collector_${name} ${value}\n`;
  const failures = [...counts.failures].map(
    ([code, count]) => `vds_collector_failures_total{code="${code.replace(/[^\w.-]/g, '_')}"} ${count}\n`,
  );
  const received = [...signals].map(([name, count]) => {
    const [source, outcome] = name.split(' ');
    return `vds_collector_signals_total{source="${source}",outcome="${outcome}"} ${count}\n`;
  });
  return [
    ...gauges.map(entry('gauge')),
    ...counters.map(entry('counter')),
    '# HELP vds_collector_failures_total Attempts that failed, by the code of the error.\n# TYPE vds_collector_failures_total counter\n',
    ...failures,
    '# HELP vds_collector_signals_total Events and callbacks about consents, by what came of them.\n# TYPE vds_collector_signals_total counter\n',
    ...received,
  ].join('');
}
