// Runs one command of `vds-collector`, wherever its output goes.
import type { Environment } from '#kit/settings/read.js';
import { reasonOf } from '../collect/failures.js';
import { readGiven } from '../config/options.js';
import { readLedgerSettings, readSettings } from '../config/settings.js';
import { readSignalSettings } from '../config/signal-settings.js';
import { UsageError } from '../usage-error.js';
import { runAccounts } from './accounts.js';
import { runMerge } from './merge.js';
import { runPlan } from './plan.js';
import type { Terminal } from './progress.js';
import { runPurge } from './purge.js';
import { runReceipts } from './receipts.js';
import { exitCodes, start } from './start.js';
import { statusText } from './status.js';
import { usage } from './usage.js';
import { runVerify } from './verify.js';
import { withLedger } from './with-ledger.js';

/** What a command gets of its process. */
export interface Surroundings {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Called by a command that runs on: begins to listen, and returns what is aborted to stop, and to stop at once. */
  readonly signals: () => { readonly stop: AbortSignal; readonly abort: AbortSignal };
}

/** Runs the command of a command line. Returns the exit code; what goes wrong is written to `stderr`. */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await execute(args, environment, surroundings);
  } catch (error) {
    for (const line of reasonOf(error).split('\n')) surroundings.stderr.write(`vds-collector: ${line}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

async function execute(args: readonly string[], environment: Environment, surroundings: Surroundings): Promise<number> {
  const { stdout, signals } = surroundings;
  const given = readGiven(args, environment);
  if (given.flag('help')) {
    stdout.write(usage);
    return 0;
  }
  const [command, ...more] = given.words;
  switch (command) {
    case 'start': {
      if (more.length > 0) throw new UsageError('start takes options alone');
      const stops = signals();
      const settings = readSettings(given, Date.now());
      const received = await readSignalSettings(given);
      return start(settings, received, stops, surroundings);
    }
    case 'accounts':
      stdout.write(await withLedger(given, readLedgerSettings(given), (database) => runAccounts(database, given)));
      return 0;
    case 'status':
      stdout.write(
        await withLedger(given, readLedgerSettings(given), (database) => statusText(database, given.flag('json'))),
      );
      return 0;
    case 'purge':
      stdout.write(await withLedger(given, readLedgerSettings(given), (database) => runPurge(database, given)));
      return 0;
    case 'migrate': {
      if (more.length > 0) throw new UsageError('migrate takes options alone');
      const { from, to } = await withLedger(given, readLedgerSettings(given), (_, migrated) => migrated);
      stdout.write(
        from === to ? `The ledger is at version ${to}.\n` : `The ledger was at version ${from} and is at ${to} now.\n`,
      );
      return 0;
    }
    case 'merge': {
      const settings = readSettings(given, Date.now());
      stdout.write(await withLedger(given, settings, (database) => runMerge(database, given, settings)));
      return 0;
    }
    case 'plan': {
      if (more.length > 0) throw new UsageError('plan takes options alone');
      const settings = readSettings(given, Date.now());
      const { text, code } = await withLedger(given, settings, (database) =>
        runPlan(database, settings, given.flag('json')),
      );
      stdout.write(text);
      return code;
    }
    case 'verify':
    case 'receipts': {
      const settings = readLedgerSettings(given);
      const { text, code } = await withLedger(given, settings, (database) =>
        command === 'verify' ? runVerify(database, given, settings) : runReceipts(database, given),
      );
      stdout.write(text);
      return code;
    }
    default:
      throw new UsageError('the command must be one of those that vds-collector --help lists');
  }
}
