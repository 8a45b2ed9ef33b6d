import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type {
  Archive,
  ArchiveFormat,
  ArchiveShape,
  ExportReport,
  ExportRequest,
  PlannedWindow,
  ReadWindow,
  SignalNames,
} from '@vehicle-data/archive';
import { isVehicleDataError } from '@vehicle-data/client';
import { CliError, exitCodes } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import { readRange } from '../days.js';
import { seriesCommands } from '../generated/commands.js';
import { hints } from '../output/output.js';
import { startProgress } from '../output/progress.js';
import { whoRuns } from './accesses.js';
import { createPace } from './pace.js';
import { readSeries } from './read-trips.js';

export interface ExportOptions {
  readonly vehicle: string;
  readonly series: string;
  readonly from: string;
  readonly to: string;
  readonly zone?: string;
  readonly format: ArchiveFormat;
  readonly shape?: ArchiveShape;
  readonly names?: SignalNames;
  readonly out: string;
  readonly concurrency: string;
  readonly maxRate?: string;
  readonly acceptContract?: boolean;
  readonly exactDays?: boolean;
  readonly dryRun?: boolean;
  readonly readmit?: boolean;
}

/** A report lists the complete ones of so many vehicles, and of more only the others. */
const mostVehicles = 100;
/** What a window took in the sandbox and in trials: only for the estimate of a dry run. */
const usualWindow = { bytes: 60_000, ms: 600 };

/** The vehicles that an option names: `all`, or aliases and VINs separated by commas. */
async function vehiclesOf(context: Context, text: string): Promise<readonly string[]> {
  if (text !== 'all') return text.split(',').map((name) => context.vin(name));
  const vehicles = await context.vehicles();
  if (vehicles.length === 0) throw new CliError('no-vehicles', 'no vehicle shares data');
  return vehicles.map(({ vin }) => vin);
}

/** How fast an export may be. */
export interface Manners {
  /** Requests at a time. */
  readonly concurrency: number;
  /** Windows that are requested a second at most. Undefined: no limit. */
  readonly maxRate: number | undefined;
}

export const readManners = (options: { readonly concurrency: string; readonly maxRate?: string }): Manners => ({
  concurrency: readNumber(options.concurrency, '--concurrency', 1, 16),
  maxRate: options.maxRate === undefined ? undefined : readNumber(options.maxRate, '--max-rate', 1, 1000),
});

/** Reads one window with the SDK. No data is an empty window. */
async function windowReader(context: Context, { maxRate }: Manners): Promise<ReadWindow> {
  const client = await context.client();
  const pace = maxRate === undefined ? undefined : createPace(maxRate, context.signal);
  return async ({ vin, series, startDate, endDate, zoneId, signal }) => {
    await pace?.();
    try {
      return await seriesCommands[series].window(client, { vin, startDate, endDate, zoneId }, { signal });
    } catch (error) {
      if (isVehicleDataError(error) && error.resolution === 'no-data') return [];
      throw error;
    }
  };
}

/** `vds export`: trips of a range as files. The same command resumes. */
export async function exportTrips(context: Context, options: ExportOptions): Promise<void> {
  const zone = context.zone(options.zone);
  const range = readRange(options, zone);
  const series = options.series.split(',').map((name) => readSeries(name).name);
  const manners = readManners(options);
  const brand = context.requireBrand();
  const vehicles = (await vehiclesOf(context, options.vehicle)).map((vin) => ({ brand, vin }));
  const { createArchive } = await import('@vehicle-data/archive');
  const { format, shape, names, acceptContract, exactDays, dryRun = false, out } = options;
  const request = { vehicles, series, ...range, acceptContract, exactDays };
  // A dry run of a new archive plans in a folder that goes away.
  const planning = dryRun && !(await hasArchive(out)) ? await mkdtemp(join(tmpdir(), 'vds-plan-')) : undefined;
  try {
    const settings = { source: context.source, zoneId: zone, format, shape, names };
    const place = { folder: planning ?? out, readOnly: dryRun && planning === undefined };
    await using archive = await createArchive({ ...settings, ...place });
    if (dryRun) showPlan(context, await archive.plan(request), manners);
    else {
      if (options.readmit === true) for (const { vin } of vehicles) await archive.readmit({ vin });
      await runExport(context, archive, request, manners);
    }
  } finally {
    if (planning !== undefined) await rm(planning, { recursive: true, force: true });
  }
}

/** Whether a folder holds an archive, or what is left of one. @throws where a file is in its place. */
async function hasArchive(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.some((name) => name === 'archive.json' || name === 'manifest.ndjson' || name.startsWith('brand='));
}

/** Exports into an open archive, shows progress, and says what became of each vehicle, and which ones `gone` are purged already. */
export async function runExport(
  context: Context,
  archive: Archive,
  request: ExportRequest,
  manners: Manners,
  gone: readonly string[] = [],
): Promise<void> {
  // Windows are read and dropped one after the other: a larger space for new objects would only hold more that is dead. Three
  // years of a vehicle take up to 174 MB instead of 232 and about a quarter more time: bench/three-years.js of the archive.
  setFlagsFromString('--semi-space-growth-factor=1');
  const { signal, streams, output } = context;
  const progress = startProgress(streams, output.isQuiet);
  const { concurrency } = manners;
  const report = await windowReader(context, manners)
    .then((readWindow) =>
      archive.export({
        ...request,
        by: whoRuns(context),
        concurrency,
        signal,
        readWindow,
        onProgress: progress.update,
      }),
    )
    .finally(progress.stop)
    .catch((reason: unknown) => failAfterPurge(context, gone, reason));
  // Whatever fails from here on, the report is printed first.
  const { purged, unconfirmed, error } = await purgeGone(context, archive, request, report);
  const nameOf = new Map(request.vehicles.map(({ vin }) => [archive.pseudonymOf(vin), context.aliasOf(vin)]));
  const { vehicles: outcomes, ...total } = report;
  const vehicles = outcomes.map(({ brand, vehicle, outcome, failures }) => ({
    brand,
    vehicle,
    alias: nameOf.get(vehicle) ?? null,
    outcome: purged.includes(vehicle) ? ('purged' as const) : outcome,
    failures: failures.map(({ series, from, to, error }) => ({ series, from, to, code: codeOf(error) })),
  }));
  const erased = vehicles.filter(({ outcome }) => outcome === 'erased').length;
  const bad = vehicles.filter(({ outcome }) => outcome !== 'complete' && outcome !== 'erased');
  const { folder } = archive;
  // Of a fleet, what is complete would hide what is not.
  const shown = vehicles.length > mostVehicles ? vehicles.filter(({ outcome }) => outcome !== 'complete') : vehicles;
  const vehiclesComplete = vehicles.filter(({ outcome }) => outcome === 'complete').length;
  const counts = { ...total, vehiclesTotal: vehicles.length, vehiclesComplete };
  context.output.record({ folder, ...counts, vehicles: shown, purged: [...gone, ...purged] }, () => [
    `${total.trips} trips in ${total.windowsFetched} windows written to ${folder}; ${total.windowsSkipped} windows were there.`,
    ...bad.map(({ alias, vehicle, outcome, failures }) => {
      const why = [...new Set(failures.map(({ code }) => code))].join(', ');
      return `${alias ?? vehicle}: ${outcome}${why === '' ? '' : ` (${why})`}`;
    }),
  ]);
  // Not a failure: somebody wanted them gone, and every night would fail.
  if (erased > 0)
    context.output.note(`Vehicles that were purged for good and are left out: ${erased}. --readmit adds them.`);
  if (context.signal.aborted)
    throw new CliError('interrupted', 'stopped; the archive is complete up to here', {
      hint: 'Run the same command again to continue.',
      exitCode: exitCodes.interrupted,
    });
  if (error !== undefined) throw error;
  if (bad.length > 0)
    throw new CliError('partial', `${bad.length} of ${vehicles.length} vehicles are not complete`, {
      hint:
        unconfirmed === undefined
          ? hintOf(report, purged)
          : `Check "vds vehicles list". If these vehicles no longer share data: vds sync --confirm-purge ${unconfirmed}`,
      exitCode:
        bad.length < vehicles.length || bad.every(({ outcome }) => outcome === 'purged' || outcome === 'withheld')
          ? exitCodes.partial
          : exitCodes.failed,
    });
}

/** Fails without a report, but prints what was purged. */
export function failAfterPurge({ output }: Context, purged: readonly string[], reason: unknown): never {
  if (purged.length > 0) output.record({ purged }, () => purged.map((vehicle) => `${vehicle}: purged`));
  throw reason;
}

/** What to do about vehicles that are not complete. What another try does not change is named first. */
function hintOf({ vehicles }: ExportReport, purged: readonly string[]): string | undefined {
  const resolutions = vehicles.flatMap(({ failures }) =>
    failures.map(({ error }) => (isVehicleDataError(error) ? error.resolution : 'retry')),
  );
  const resolution = resolutions.find((one) => one !== 'retry' && hints[one] !== undefined);
  if (resolution !== undefined) return hints[resolution];
  if (vehicles.some(({ outcome }) => outcome === 'failed' || outcome === 'aborted'))
    return 'Run the same command again to fetch what is missing.';
  const isKept = vehicles.some(({ vehicle, outcome }) => outcome === 'withheld' && !purged.includes(vehicle));
  return isKept ? hints['ask-consent'] : undefined;
}

const codeOf = (error: unknown) =>
  isVehicleDataError(error) ? error.code : error instanceof Error ? error.name : 'unknown';

/**
 * Purges vehicles that the service withheld and that its list no longer has. Where the list misses most of the archive, nothing
 * is purged: it may be that of another owner.
 *
 * @returns the vehicles that were purged, how many a person has to confirm, and why it failed
 */
async function purgeGone(context: Context, archive: Archive, request: ExportRequest, report: ExportReport) {
  const withheld = report.vehicles.flatMap(({ vehicle, outcome }) => (outcome === 'withheld' ? vehicle : []));
  const none: readonly string[] = [];
  if (withheld.length === 0 || context.signal.aborted) return { purged: none };
  try {
    const vins = (await context.vehicles()).map(({ vin }) => vin);
    const among = request.vehicles.flatMap(({ vin }) => (withheld.includes(archive.pseudonymOf(vin)) ? vin : []));
    const { vehicles: purged } = await archive.reconcile({ brand: context.requireBrand(), vins, among });
    return { purged };
  } catch (error) {
    const { ArchiveError } = await import('@vehicle-data/archive');
    const isUnconfirmed = error instanceof ArchiveError && error.code === 'purge-not-confirmed';
    return isUnconfirmed ? { purged: none, unconfirmed: error.count } : { purged: none, error };
  }
}

function showPlan(
  context: Context,
  windows: readonly PlannedWindow[],
  { concurrency, maxRate = Infinity }: Manners,
): void {
  const open = windows.filter(({ requests }) => requests > 0);
  const requests = open.reduce((sum, one) => sum + one.requests, 0);
  const estimate = {
    windows: windows.length,
    requests,
    settled: windows.length - open.length,
    estimatedBytes: open.length * usualWindow.bytes,
    estimatedSeconds: Math.ceil(requests * Math.max(usualWindow.ms / concurrency / 1000, 1 / maxRate)),
  };
  context.output.record(estimate, () => [
    `${estimate.windows} windows, of which ${estimate.settled} are there already.`,
    `${estimate.requests} requests, about ${Math.round(estimate.estimatedBytes / 1e6)} MB and ${estimate.estimatedSeconds} s (a guess from other cars).`,
  ]);
}
