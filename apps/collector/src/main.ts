#!/usr/bin/env node
// `vds-collector`: options, signals and the exit code.
import process from 'node:process';
import { collect, reasonOf } from './collect/collector.js';
import { openLake } from './collect/open.js';
import { createService } from './collect/service.js';
import { startProgress } from './command/progress.js';
import { readSettings, UsageError, usage } from './command/settings.js';
import { countLedger } from './ledger/windows.js';

const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const;

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2), process.env, Date.now());
  if (!settings) {
    process.stdout.write(usage);
    return 0;
  }
  const [stop, abort] = [new AbortController(), new AbortController()];
  const onSignal = () => (stop.signal.aborted ? abort : stop).abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  const service = createService(settings);
  const lake = await openLake(settings);
  const progress = startProgress(process.stderr, () => countLedger(lake.database));
  try {
    const signals = { stop: stop.signal, abort: abort.signal, note: progress.note };
    const { collected, failed } = await collect(lake, service, settings, signals);
    const { vehicles, windows, due, trips } = await countLedger(lake.database);
    progress.stop();
    process.stdout.write(
      `${collected} windows collected. The ledger has ${vehicles} vehicles, ${windows} windows, ${trips} trips; ${due} windows are due.\n`,
    );
    if (stop.signal.aborted) return due > 0 ? exitCodes.interrupted : 0;
    return failed > 0 ? exitCodes.failed : 0;
  } finally {
    progress.stop();
    await lake.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`vds-collector: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
}
