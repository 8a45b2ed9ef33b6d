import { access, constants } from 'node:fs/promises';
import type { Archive } from '@vehicle-data/archive';
import { confirmTyped } from '../ask.js';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import { readDay } from '../days.js';
import { seriesCommands } from '../generated/commands.js';
import { failAfterPurge, readManners, runExport } from './export.js';

const open = async (folder: string, readOnly = false): Promise<Archive> =>
  (await import('@vehicle-data/archive')).openArchive({ folder, readOnly });

/** Opens an archive with its lock, since a file that changes meanwhile would differ; without it where the folder cannot be written. */
async function openToVerify(folder: string): Promise<Archive> {
  try {
    return await open(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // A copy may have a lock in it, that of a process which worked on the original.
    const isCopy = code === 'archive-locked' && !(await canWrite(folder));
    if (isCopy || ['EROFS', 'EACCES', 'EPERM'].includes(code)) return open(folder, true);
    throw error;
  }
}

const canWrite = (folder: string) =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

interface SyncOptions {
  readonly out: string;
  readonly vehicle?: string;
  readonly since?: string;
  readonly concurrency: string;
  readonly maxRate?: string;
  readonly confirmPurge?: string;
}

/**
 * `vds sync`: brings an archive up to date with the service. Vehicles that no longer share data are purged first; recent windows
 * are fetched again, since trips can arrive late. Vehicles that the archive does not have are added only when they are named.
 */
export async function sync(context: Context, options: SyncOptions): Promise<void> {
  const brand = context.requireBrand();
  const { vehicle, since, confirmPurge } = options;
  const manners = readManners(options);
  const named = vehicle === 'all' ? undefined : vehicle?.split(',').map(context.vin);
  await using archive = await open(options.out);
  const { source, zoneId } = archive.settings;
  const first = since === undefined ? undefined : readDay(since, '--since', zoneId);
  const today = readDay('today', '--to', zoneId);
  if (first !== undefined && first > today) throw usageError('--since must not be after today');
  if (source !== context.source)
    throw usageError(
      'the archive was made from another address or profile',
      'Use the --base-url and --profile of its first export.',
    );
  const listed = (await context.vehicles()).map(({ vin }) => vin);
  const purged = await archive.reconcile({
    brand,
    vins: listed,
    confirmPurge: confirmPurge === undefined ? undefined : readNumber(confirmPurge, '--confirm-purge', 0, 1_000_000),
  });
  if (purged.vehicles.length > 0)
    context.output.note(`${purged.vehicles.length} vehicles no longer share data; their files are gone.`);
  const held = archive.vehicles();
  const isHeld = (vin: string) => held.some((one) => one.brand === brand && one.vehicle === archive.pseudonymOf(vin));
  const vins = named ?? (vehicle === 'all' ? listed : listed.filter(isHeld));
  const from = first ?? held.map((one) => one.from).toSorted()[0];
  // Where nobody shares data any more, there is nothing to do.
  const hasNone = vins.length === 0 && listed.length > 0 && purged.vehicles.length === 0;
  if (hasNone || (vins.length > 0 && from === undefined)) {
    const hint = 'Name vehicles and the first day: vds sync --vehicle all --since 2026-01-01';
    failAfterPurge(context, purged.vehicles, usageError('the archive has no vehicle of this brand', hint));
  }
  const others = listed.length - vins.length;
  // Also those whose first export failed.
  if (vehicle === undefined && others > 0)
    context.output.note(`Vehicles that share data and are not in the archive: ${others}. --vehicle all adds them.`);
  const request = {
    vehicles: vins.map((vin) => ({ brand, vin })),
    series: Object.values(seriesCommands)
      .map(({ name }) => name)
      .filter((name) => held.length === 0 || held.some((one) => one.series === name)),
    from: from ?? today,
    to: today,
  };
  await runExport(context, archive, request, manners, purged.vehicles);
}

/** `vds verify`: manifest and files agree both ways, and every file can be read. */
export async function verify(context: Context, options: { readonly out: string }): Promise<void> {
  await using archive = await openToVerify(options.out);
  const report = await archive.verify();
  context.output.record(report, () => [
    `${report.files} files, ${report.rows} rows.`,
    ...report.problems.map(({ code, path, message }) => `${code}  ${path}: ${message}`),
  ]);
  if (!report.ok)
    throw new CliError('different', `${report.problems.length} files differ from the manifest`, {
      hint: 'Delete the files named above and run the export again.',
      exitCode: exitCodes.different,
    });
}

/** `vds purge`: deletes everything of one vehicle. */
export async function purge(
  context: Context,
  options: { readonly out: string; readonly confirm?: string },
  vehicle: string,
): Promise<void> {
  await using archive = await open(options.out);
  const isPseudonym = archive.vehicles().some((held) => held.vehicle === vehicle);
  const name = isPseudonym ? { vehicle } : { vin: context.vin(vehicle) };
  await confirmTyped(context.streams, {
    word: vehicle,
    given: options.confirm,
    effect: `Every file of this vehicle in ${archive.folder} is deleted.`,
  });
  const { files } = await archive.purge(name);
  context.output.record({ files }, () => [`${files} files of the vehicle are deleted.`]);
}

/** `vds archive`: what an archive holds. */
export async function listArchive(context: Context, options: { readonly out: string }): Promise<void> {
  await using archive = await open(options.out, true);
  context.output.list(
    archive.vehicles(),
    [
      ...(['vehicle', 'brand', 'series', 'from', 'to', 'trips', 'files'] as const),
      { title: 'MB', value: (row) => (row.bytes / 1e6).toFixed(1), right: true },
    ],
    'The archive is empty.',
  );
}
