import { stat, writeFile } from 'node:fs/promises';
import {
  readTrips as readPictures,
  type Trip,
  type TripRecord,
  tripBraille,
  tripPageHtml,
  tripSvg,
} from '@vehicle-data/trip-view';
import { CliError, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { isSeries, pickSignals, pickTrip, readTrips, type TripOptions } from './trips.js';

/** Options of `vds trips plot`. */
export interface PlotOptions extends TripOptions {
  readonly svg?: boolean;
  readonly html?: boolean;
  readonly output?: string;
}

type Trips = readonly { readonly trip: object }[];

/** The trips of a vehicle as pictures are made of them, under a name that is no VIN. */
function recordsOf(vehicle: string, series: string, trips: Trips): readonly TripRecord[] {
  if (!isSeries(series)) throw usageError('the series is not one of the contract');
  return trips.map(({ trip }) => ({ vehicle, series, trip }));
}

const nameOf = (context: Context, vehicle: string) => context.aliasOf(context.vin(vehicle)) ?? 'vehicle';

/** The picture of one trip among those of its days, which support its times. */
function pictureOf(records: readonly TripRecord[], startTime: number | null): Trip {
  const picture = readPictures(records).trips.find((trip) => trip.startTime === startTime);
  if (picture === undefined) throw new CliError('trip-unreadable', 'the trip has no start time that can be read');
  return picture;
}

/** `vds trips plot`: one trip as SVG, or the trips of the days as one HTML page that works without a network. */
export async function plotTrip(context: Context, vehicle: string, options: PlotOptions): Promise<void> {
  if ((options.svg === true) === (options.html === true)) throw usageError('choose --svg or --html');
  const { trips, series } = await readTrips(context, vehicle, options);
  const records = recordsOf(nameOf(context, vehicle), options.series, trips);
  let text: string;
  if (options.html === true) {
    text = tripPageHtml({ title: 'Trips', zone: context.zone(options.zone), source: { kind: 'embedded', records } });
  } else {
    const trip = pickTrip(trips, options.trip);
    text = tripSvg(pictureOf(records, trip.columns.startTime), { signals: pickSignals(series, trip, options.signals) });
  }
  if (options.output === undefined) return context.output.raw(text);
  await writeFile(options.output, text).catch(() => {
    throw new CliError('not-written', `${options.output} cannot be written`);
  });
  context.output.record({ file: options.output, bytes: text.length }, () => [`Written to ${options.output}.`]);
}

/** One trip of a vehicle as SVG, under a name that an agent may see. */
export function svgOf(name: string, series: string, trips: Trips, startTime: number | null): string {
  return tripSvg(pictureOf(recordsOf(name, series, trips), startTime));
}

/** One trip drawn for a terminal. */
export function drawForTerminal(
  context: Context,
  vehicle: string,
  options: { readonly series: string; readonly signals: readonly string[]; readonly startTime: number | null },
  trips: Trips,
): readonly string[] {
  const records = recordsOf(nameOf(context, vehicle), options.series, trips);
  const columns = Math.max(40, Math.min(context.output.width - 1, 120));
  return tripBraille(pictureOf(records, options.startTime), { columns, signals: options.signals }).split('\n');
}

/**
 * `vds trips view`: the explorer on 127.0.0.1, over an archive or over the service, until Ctrl-C. The address has a part that others
 * on the machine cannot guess.
 */
export async function viewTrips(context: Context, folder: string | undefined, zone: string | undefined): Promise<void> {
  const { servePage } = await import('@vehicle-data/trip-view/node');
  if (folder !== undefined) {
    const isFolder = await stat(folder).then(
      (about) => about.isDirectory(),
      () => false,
    );
    if (!isFolder) throw usageError('the folder of the archive cannot be read');
  }
  const source =
    folder === undefined
      ? { kind: 'api' as const, fetch: await apiFetch(context) }
      : { kind: 'archive' as const, folder };
  const page = await servePage({ source, zone: context.zone(zone) });
  context.output.record({ url: page.url }, () => [`Open ${page.url}`, 'Ctrl-C ends it.']);
  if (!context.signal.aborted)
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve(), { once: true }));
  await page.close();
}

/** A fetch for the page: it adds the secret of the profile, so that the browser never sees it. */
async function apiFetch(context: Context): Promise<(request: Request) => Promise<Response>> {
  const credentials = await context.credentials();
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers({ brand: request.headers.get('brand') ?? context.requireBrand() });
    if (credentials?.kind === 'api-key') headers.set('x-api-key', credentials.value);
    if (credentials?.kind === 'access-token') headers.set('authorization', `Bearer ${credentials.value}`);
    return fetch(`${context.baseUrl}${pathname}${search}`, { headers, redirect: 'manual', signal: request.signal });
  };
}
