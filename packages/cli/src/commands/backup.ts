// Copies of an archive that end with the consent: each vehicle is sealed under a key of its own.
import { readFile, writeFile } from 'node:fs/promises';
import type { Archive } from '@vehicle-data/archive';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import { whoRuns } from './accesses.js';

interface BackupOptions {
  readonly out: string;
  readonly to: string;
  readonly recipient?: string;
  readonly identity?: string;
  readonly keysTo?: string;
  readonly keyDays: string;
  readonly keepDays: string;
  readonly forgetMissing?: boolean;
}

/** `vds backup`: copies what is new or changed. */
export async function backup(context: Context, options: BackupOptions): Promise<void> {
  const { out, to, keysTo, forgetMissing } = options;
  const keyDays = readNumber(options.keyDays, '--key-days', 0, 3650);
  const keepDays = readNumber(options.keepDays, '--keep-days', 0, 36500);
  const { openArchive } = await import('@vehicle-data/archive');
  await using archive: Archive = await openArchive({ folder: out });
  const recipient = options.recipient ?? (await recipientIn(context, options.identity));
  const report = await archive.backup({
    by: whoRuns(context),
    to,
    recipient,
    keysTo,
    keyDays,
    keepDays,
    forgetMissing,
  });
  const { generation, vehicles, sealed, unchanged, bytes, damaged, missing } = report;
  context.output.record(report, () => [
    `${vehicles} vehicles: ${sealed} files sealed (${(bytes / 1e6).toFixed(1)} MB), ${unchanged} unchanged. Keys: ${generation}`,
    ...damaged.map((path) => `damaged  ${path}: not copied; vds archive repair, then export again`),
  ]);
  if (missing > 0)
    context.output.note(
      `Vehicles of earlier backups that are missing and were not purged: ${missing}. Their keys do not expire. Restore them with --generation, or end them with --forget-missing.`,
    );
  if (damaged.length > 0)
    throw new CliError('partial', `${damaged.length} files are damaged and were not copied`, {
      exitCode: exitCodes.partial,
    });
}

/** The recipient of an identity file, which is made where there is none. */
async function recipientIn(context: Context, path: string | undefined): Promise<string> {
  if (path === undefined)
    throw usageError(
      'a backup needs --recipient or --identity',
      'vds backup --to FOLDER --identity FILE makes a key in FILE. Keep a copy of it away from the backup.',
    );
  const { createBackupKey } = await import('@vehicle-data/archive');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) {
    const made = await createBackupKey();
    await writeFile(path, made.text, { mode: 0o600, flag: 'wx', flush: true });
    context.output.note(`A key was made in ${path}. Without it nobody can restore: keep a copy away from the backup.`);
    return made.recipient;
  }
  return (await createBackupKey(identityIn(text))).recipient;
}

/** The identity in the text of an identity file of age. @throws usageError which does not repeat it. */
function identityIn(text: string): string {
  const found = text.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-1'));
  if (found === undefined)
    throw usageError('--identity holds no age identity', 'A line of it begins with AGE-SECRET-KEY-1.');
  return found.trim();
}

interface RestoreOptions {
  readonly out: string;
  readonly identity: string;
  readonly keysFrom?: string;
  readonly generation?: string;
}

/** `vds restore`: makes an archive from its backup again. */
export async function restore(context: Context, options: RestoreOptions, from: string): Promise<void> {
  const { restoreArchive } = await import('@vehicle-data/archive');
  const { out, keysFrom, generation } = options;
  const identity = identityIn(await readFile(options.identity, 'utf8'));
  const report = await restoreArchive({ from, folder: out, identity, keysFrom, generation });
  const { vehicles, files, purged, problems } = report;
  context.output.record(report, () => [
    `${vehicles} vehicles and ${files} files are restored from ${report.generation}.`,
    ...(purged > 0 ? [`${purged} vehicles were purged since and are left out.`] : []),
    ...problems.map((path) => `lost  ${path}`),
  ]);
  if (problems.length > 0)
    throw new CliError('partial', `${problems.length} files cannot be restored`, {
      hint: 'The next vds sync fetches their windows again.',
      exitCode: exitCodes.partial,
    });
}
