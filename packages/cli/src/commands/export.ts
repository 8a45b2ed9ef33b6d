import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Archive, ExportReport, PlannedWindow, ReadWindow } from '@vehicle-data/archive';
import { isVehicleDataError } from '@vehicle-data/client';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { type Context, readNumber } from '../context.js';
import { readRange } from '../days.js';
import { type SeriesName, seriesCommands } from '../generated/commands.js';
import { startProgress } from '../output/progress.js';
import { isSeries, readSeries } from './trips.js';

/** Options of `vds export`. */
export interface ExportOptions {
  readonly vehicle: string;
  readonly series: string;
  readonly from: string;
  readonly to: string;
  readonly zone?: string;
  readonly format: string;
  readonly shape?: string;
  readonly out: string;
  readonly concurrency: string;
  readonly dryRun?: boolean;
}

/** What a window took in the sandbox and in trials: only for the estimate of a dry run. */
const usualWindow = { bytes: 60_000, ms: 600 };

const isOneOf = <Name extends string>(text: string, names: readonly Name[]): text is Name =>
  names.some((name) => name === text);

/** The vehicles that an option names: `all`, or aliases and VINs separated by commas. */
async function vehiclesOf(context: Context, text: string): Promise<readonly string[]> {
  if (text !== 'all') return text.split(',').map((name) => context.vin(name));
  const { vehicles } = await (await context.client()).listVehicles({ signal: context.signal });
  if (vehicles.length === 0) throw new CliError('no-vehicles', 'no vehicle shares data');
  return vehicles.map(({ vin }) => vin);
}

/** Reads one window with the SDK. No data is an empty window. */
export async function windowReader(context: Context): Promise<ReadWindow> {
  const client = await context.client();
  return async ({ vin, series, startDate, endDate, zoneId, signal }) => {
    if (!isSeries(series)) throw usageError('the archive has a series that this contract does not have');
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
  const concurrency = readNumber(options.concurrency, '--concurrency', 1, 16);
  const { format, shape } = options;
  if (!isOneOf(format, ['parquet', 'ndjson', 'csv'])) throw usageError('--format must be parquet, ndjson or csv');
  if (shape !== undefined && !isOneOf(shape, ['trips', 'samples']))
    throw usageError('--shape must be trips or samples');
  const brand = context.requireBrand();
  const vehicles = (await vehiclesOf(context, options.vehicle)).map((vin) => ({ brand, vin }));
  const { createArchive } = await import('@vehicle-data/archive');
  const settings = { source: context.baseUrl, zoneId: zone, format, shape };
  const request = { vehicles, series, ...range };
  if (options.dryRun === true) {
    // A dry run of a new archive plans in a folder that goes away.
    const isThere = await stat(options.out).then(
      () => true,
      () => false,
    );
    const folder = isThere ? options.out : await mkdtemp(join(tmpdir(), 'vds-plan-'));
    try {
      await using archive = await createArchive({ folder, ...settings });
      showPlan(context, await archive.plan(request), concurrency);
    } finally {
      if (!isThere) await rm(folder, { recursive: true, force: true });
    }
    return;
  }
  await using archive = await createArchive({ folder: options.out, ...settings });
  await runExport(context, archive, request, concurrency);
}

interface Request {
  readonly vehicles: readonly { readonly brand: string; readonly vin: string }[];
  readonly series: readonly SeriesName[];
  readonly from: string;
  readonly to: string;
}

/** Exports into an open archive, shows progress, and says what became of each vehicle. */
export async function runExport(
  context: Context,
  archive: Archive,
  request: Request,
  concurrency: number,
): Promise<void> {
  // Windows are read and dropped one after the other: a larger space for new objects would only hold more that is dead.
  setFlagsFromString('--semi-space-growth-factor=1');
  const progress = startProgress(context.streams, { quiet: context.output.isQuiet });
  let report: ExportReport;
  try {
    report = await archive.export({
      ...request,
      concurrency,
      signal: context.signal,
      readWindow: await windowReader(context),
      onProgress: ({ windowsDone, windowsTotal, bytes }) => progress.update(windowsDone, windowsTotal, bytes),
    });
  } finally {
    progress.stop();
  }
  const withheld = report.vehicles.filter(({ outcome }) => outcome === 'withheld');
  const purged = withheld.length === 0 ? [] : await purgeGone(context, archive, request);
  const nameOf = new Map(request.vehicles.map(({ vin }) => [archive.pseudonymOf(vin), context.aliasOf(vin)]));
  const vehicles = report.vehicles.map(({ brand, vehicle, outcome, failures }) => ({
    brand,
    vehicle,
    alias: nameOf.get(vehicle) ?? null,
    outcome: purged.includes(vehicle) ? ('purged' as const) : outcome,
    failures: failures.map(({ series, from, to, error }) => ({ series, from, to, code: codeOf(error) })),
  }));
  const { windowsTotal, windowsFetched, windowsSkipped, trips, invalidTrips, bytes } = report;
  context.output.record(
    { folder: archive.folder, windowsTotal, windowsFetched, windowsSkipped, trips, invalidTrips, bytes, vehicles },
    () => [
      `${trips} trips in ${windowsFetched} windows written to ${archive.folder}; ${windowsSkipped} windows were there.`,
      ...(invalidTrips > 0 ? [`${invalidTrips} trips could not be read and are counted in the manifest.`] : []),
      ...vehicles
        .filter(({ outcome }) => outcome !== 'complete')
        .map(({ alias, vehicle, outcome, failures }) => {
          const why = [...new Set(failures.map(({ code }) => code))].join(', ');
          return `${alias ?? vehicle}: ${outcome}${why === '' ? '' : ` (${why})`}`;
        }),
    ],
  );
  if (context.signal.aborted)
    throw new CliError('interrupted', 'stopped; the archive is complete up to here', {
      hint: 'Run the same command again to continue.',
      exitCode: exitCodes.interrupted,
    });
  const bad = vehicles.filter(({ outcome }) => outcome !== 'complete');
  if (bad.length > 0)
    throw new CliError('partial', `${bad.length} of ${vehicles.length} vehicles are not complete`, {
      hint: 'Run the same command again to fetch what is missing.',
      exitCode:
        bad.length < vehicles.length || bad.every(({ outcome }) => outcome === 'purged' || outcome === 'withheld')
          ? exitCodes.partial
          : exitCodes.failed,
    });
}

const codeOf = (error: unknown) =>
  isVehicleDataError(error) ? error.code : error instanceof Error ? error.name : 'unknown';

/** Vehicles that the service withheld and that its list no longer has: their files go. */
async function purgeGone(context: Context, archive: Archive, request: Request): Promise<readonly string[]> {
  const client = await context.client();
  const listed = new Set((await client.listVehicles({ signal: context.signal })).vehicles.map(({ vin }) => vin));
  const gone: string[] = [];
  for (const { vin } of request.vehicles) {
    if (listed.has(vin)) continue;
    await archive.purge({ vin });
    gone.push(archive.pseudonymOf(vin));
  }
  return gone;
}

function showPlan(context: Context, windows: readonly PlannedWindow[], concurrency: number): void {
  const open = windows.filter(({ state }) => state !== 'settled');
  const estimate = {
    windows: windows.length,
    requests: open.length,
    settled: windows.length - open.length,
    estimatedBytes: open.length * usualWindow.bytes,
    estimatedSeconds: Math.ceil((open.length * usualWindow.ms) / concurrency / 1000),
  };
  context.output.record(estimate, () => [
    `${estimate.windows} windows, of which ${estimate.settled} are there already.`,
    `${estimate.requests} requests, about ${Math.round(estimate.estimatedBytes / 1e6)} MB and ${estimate.estimatedSeconds} s (a guess from other cars).`,
  ]);
}
