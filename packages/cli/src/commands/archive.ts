import { access, constants } from 'node:fs/promises';
import type { Archive, HeldTrips } from '@vehicle-data/archive';
import { confirmTyped } from '../ask.js';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import { dayAfter, readDay } from '../days.js';
import { seriesCommands } from '../generated/commands.js';
import { namesIn, vehicleNamed } from './archive-names.js';
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
    if (isCopy || ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'].includes(code)) return open(folder, true);
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
  readonly readmit?: boolean;
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
  const held = await archive.vehicles();
  const ofBrand = new Set(held.flatMap((one) => (one.brand === brand ? one.vehicle : [])));
  const isHeld = (vin: string) => ofBrand.has(archive.pseudonymOf(vin));
  const vins = named ?? (vehicle === 'all' ? listed : listed.filter(isHeld));
  const from = first ?? held.map((one) => one.from).toSorted()[0];
  if (from !== undefined && from > today)
    throw usageError('the clock of this machine is before the first day of the archive', 'Set the clock.');
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
  const synced = new Set(vins.map((vin) => archive.pseudonymOf(vin)));
  const gaps = held.filter((one) => one.brand === brand && synced.has(one.vehicle)).flatMap((one) => one.gaps);
  noteGaps(
    context,
    gaps.filter((gap) => gap.to >= request.from),
  );
  if (options.readmit === true) for (const vin of vins) await archive.readmit({ vin });
  await runExport(context, archive, request, manners, purged.vehicles);
}

/** Says that days are fetched which somebody may have left out on purpose: a sync after two exports can take long. */
function noteGaps({ output }: Context, gaps: readonly { readonly from: string; readonly to: string }[]): void {
  const [from] = gaps.map((gap) => gap.from).toSorted();
  const to = gaps
    .map((gap) => gap.to)
    .toSorted()
    .at(-1);
  if (from === undefined || to === undefined) return;
  output.note(
    `Days inside the archive that it does not have are fetched as well, from ${from} to ${to}. --since ${dayAfter(to)} leaves them out.`,
  );
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
      hint: 'vds archive repair makes the manifests from the files again; the next export fetches what is missing. Files that are not of the archive are left to you.',
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
  const name = vehicleNamed(vehicle, context.vin);
  await confirmTyped(context.streams, {
    word: vehicle,
    given: options.confirm,
    effect: `Every file of this vehicle in ${archive.folder} is deleted.`,
  });
  const { files, receipts } = await archive.purge(name);
  if (receipts.length === 0)
    context.output.note(
      'The archive had nothing of this vehicle: see "vds archive" if you expected files. It is not fetched until --readmit.',
    );
  context.output.record({ files, receipts }, () => [
    `${files} files of the vehicle are deleted.`,
    ...receipts.map((path) => `Receipt: ${path}`),
  ]);
}

/** `vds archive unlock`: ends the lease of a process that is known to have ended. */
export async function unlock(context: Context, options: { readonly out: string }): Promise<void> {
  const { unlockArchive } = await import('@vehicle-data/archive');
  const holder = await unlockArchive({ folder: options.out });
  context.output.record({ holder: holder ?? null }, () => [
    holder
      ? `The archive is unlocked. It was held by ${holder.name}, since ${holder.since}; last sign of life ${holder.renewedAt}.`
      : 'Nobody works on the archive.',
  ]);
}

/** `vds archive merge`: settled months in one file each. A program that reads the folder meanwhile may see trips twice. */
export async function merge(context: Context, options: { readonly out: string }): Promise<void> {
  await using archive = await open(options.out);
  const report = await archive.mergeMonths();
  context.output.record(report, () => [
    `${report.months} months are in one file each now; ${report.filesRemoved} files of windows are gone.`,
  ]);
}

/** `vds archive repair`: makes the manifests from the files again. */
export async function repair(context: Context, options: { readonly out: string }): Promise<void> {
  const { repairArchive } = await import('@vehicle-data/archive');
  const report = await repairArchive({ folder: options.out });
  const { vehicles, kept, rebuilt, dropped, damagedLines, unreadable } = report;
  context.output.record(report, () => [
    `${vehicles} vehicles: ${kept} windows are as they were, ${rebuilt} are listed again from their files, ${dropped} are to be fetched again.`,
    ...(damagedLines > 0 ? [`${damagedLines} lines of manifests could not be read.`] : []),
    ...unreadable.map((path) => `unreadable  ${path}: the next export replaces it`),
  ]);
}

/** `vds archive`: what an archive holds. Reads no further than it prints. */
export async function listArchive(
  context: Context,
  options: { readonly out: string; readonly maxRows: string; readonly vehicle?: string },
): Promise<void> {
  const maxRows = readNumber(options.maxRows, '--max-rows', 1, 1_000_000);
  await using archive = await open(options.out, true);
  const names = namesIn(archive, Object.entries(context.aliases));
  const wanted = options.vehicle?.split(',').map((name) => vehicleNamed(name, context.vin)) ?? [undefined];
  const rows: (HeldTrips & { readonly alias: string | null })[] = [];
  for (const one of wanted)
    for await (const row of archive.eachVehicle(one)) {
      if (rows.length > maxRows) break;
      rows.push({ ...row, alias: names.get(row.vehicle) ?? null });
    }
  context.output.list(
    rows.slice(0, maxRows),
    [
      'vehicle',
      // Where no vehicle has one, the column would take room.
      ...(names.size > 0 ? (['alias'] as const) : []),
      ...(['series', 'trips', 'from', 'to', 'files'] as const),
      { title: 'MB', value: (row) => (row.bytes / 1e6).toFixed(1), right: true },
      'brand',
    ],
    'The archive is empty.',
  );
  if (rows.length > maxRows)
    context.output.note(`Only the first ${maxRows} rows: --max-rows prints more, --vehicle those of some vehicles.`);
}
