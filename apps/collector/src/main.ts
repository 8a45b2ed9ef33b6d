#!/usr/bin/env node
// `vds-collector`: commands, signals and the exit code.
import process from 'node:process';
import { reasonOf } from './collect/failures.js';
import { runAccounts } from './command/accounts.js';
import { runMerge } from './command/merge.js';
import { runPlan } from './command/plan.js';
import { runPurge } from './command/purge.js';
import { runReceipts } from './command/receipts.js';
import { exitCodes, start } from './command/start.js';
import { statusText } from './command/status.js';
import { usage } from './command/usage.js';
import { runVerify } from './command/verify.js';
import { withLedger } from './command/with-ledger.js';
import { readGiven } from './config/options.js';
import { readLedgerSettings, readSettings } from './config/settings.js';
import { readSignalSettings } from './config/signal-settings.js';
import { UsageError } from './usage-error.js';

async function main(): Promise<number> {
  const given = readGiven(process.argv.slice(2), process.env);
  if (given.flag('help')) {
    process.stdout.write(usage);
    return 0;
  }
  const [command, ...more] = given.words;
  switch (command) {
    case 'start': {
      if (more.length > 0) throw new UsageError('start takes options alone');
      const [stop, abort] = [new AbortController(), new AbortController()];
      const onSignal = () => (stop.signal.aborted ? abort : stop).abort();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
      const settings = readSettings(given, Date.now());
      const received = await readSignalSettings(given);
      return start(settings, received, { stop: stop.signal, abort: abort.signal }, process);
    }
    case 'accounts':
      process.stdout.write(
        await withLedger(given, readLedgerSettings(given), (database) => runAccounts(database, given)),
      );
      return 0;
    case 'status':
      process.stdout.write(
        await withLedger(given, readLedgerSettings(given), (database) => statusText(database, given.flag('json'))),
      );
      return 0;
    case 'purge':
      process.stdout.write(await withLedger(given, readLedgerSettings(given), (database) => runPurge(database, given)));
      return 0;
    case 'migrate': {
      if (more.length > 0) throw new UsageError('migrate takes options alone');
      const { from, to } = await withLedger(given, readLedgerSettings(given), (_, migrated) => migrated);
      process.stdout.write(
        from === to ? `The ledger is at version ${to}.\n` : `The ledger was at version ${from} and is at ${to} now.\n`,
      );
      return 0;
    }
    case 'merge': {
      const settings = readSettings(given, Date.now());
      process.stdout.write(await withLedger(given, settings, (database) => runMerge(database, given, settings)));
      return 0;
    }
    case 'plan': {
      if (more.length > 0) throw new UsageError('plan takes options alone');
      const settings = readSettings(given, Date.now());
      const { text, code } = await withLedger(given, settings, (database) =>
        runPlan(database, settings, given.flag('json')),
      );
      process.stdout.write(text);
      return code;
    }
    case 'verify':
    case 'receipts': {
      const settings = readLedgerSettings(given);
      const { text, code } = await withLedger(given, settings, (database) =>
        command === 'verify' ? runVerify(database, given, settings) : runReceipts(database, given),
      );
      process.stdout.write(text);
      return code;
    }
    default:
      throw new UsageError('the command must be one of those that vds-collector --help lists');
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  for (const line of reasonOf(error).split('\n')) process.stderr.write(`vds-collector: ${line}\n`);
  process.exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
}
