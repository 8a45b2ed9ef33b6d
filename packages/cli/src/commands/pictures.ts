import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import {
  readTrips as readPictures,
  type Trip,
  type TripRecord,
  tripBraille,
  tripPageFile,
  tripSvg,
} from '@vehicle-data/trip-view';
import { CliError, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { readDay } from '../days.js';
import { seriesCommands } from '../generated/commands.js';
import { namesInFolder } from './archive-names.js';
import { pickSignals, pickTrip, type ReadTrip, readTrips, type Series, type TripOptions } from './read-trips.js';

export interface PlotOptions extends TripOptions {
  readonly svg?: boolean;
  readonly html?: boolean;
  readonly output?: string;
}

/** The trips of a vehicle as pictures are made of them, under a name that is no VIN. */
const recordsOf = (vehicle: string, { name }: Series, trips: readonly ReadTrip[]): readonly TripRecord[] =>
  trips.map(({ trip }) => ({ vehicle, series: name, trip }));

const nameOf = (context: Context, vehicle: string) => context.aliasOf(context.vin(vehicle)) ?? 'vehicle';

/** The picture of one trip among those of its days, which support its times. */
function pictureOf(name: string, series: Series, trips: readonly ReadTrip[], { columns }: ReadTrip): Trip {
  const pictures = readPictures(recordsOf(name, series, trips)).trips;
  const picture = pictures.find(
    (trip) => trip.startTime === columns.startTime && trip.durationMs === (columns.durationMs ?? 0),
  );
  if (picture === undefined) throw new CliError('trip-unreadable', 'the trip has no start time that can be read');
  return picture;
}

/** One trip as SVG, under a name that is no VIN. */
export function svgOf(
  name: string,
  series: Series,
  trips: readonly ReadTrip[],
  { trip, signals }: { readonly trip?: string | undefined; readonly signals?: string | undefined },
  width?: number,
): string {
  const picked = pickTrip(trips, trip);
  const chosen = pickSignals(series, picked, signals);
  return tripSvg(pictureOf(name, series, trips, picked), { signals: chosen, width });
}

/** `vds trips plot`: one trip as SVG, or the trips of the days as one HTML file that works without a network. */
export async function plotTrip(context: Context, options: PlotOptions, vehicle: string): Promise<void> {
  if ((options.svg === true) === (options.html === true)) throw usageError('choose --svg or --html');
  if (options.html && options.output === undefined && context.output.isTerminal)
    throw usageError('a page is no text that a terminal shows: write it to a file, with --output trips.html');
  const name = nameOf(context, vehicle);
  const content = options.html
    ? await pageOf(name, context, options, vehicle)
    : Buffer.from(await pictureText(name, context, options, vehicle));
  if (options.output === undefined) return context.output.raw(content);
  await writeFile(options.output, content).catch(() => {
    throw new CliError('not-written', `${options.output} cannot be written`);
  });
  context.output.record({ file: options.output, bytes: content.length }, () => [`Written to ${options.output}.`]);
}

async function pictureText(name: string, context: Context, options: PlotOptions, vehicle: string): Promise<string> {
  const { trips, series } = await readTrips(context, options, vehicle);
  return svgOf(name, series, trips, options);
}

/** The page has every series of a trip, unless one is chosen. */
async function pageOf(name: string, context: Context, options: PlotOptions, vehicle: string): Promise<Uint8Array> {
  const names = options.series === undefined ? Object.keys(seriesCommands) : [options.series];
  const read = [];
  // One after the other: each has a rate limit of its own, and all share the access token.
  for (const series of names) read.push(await readTrips(context, { ...options, series }, vehicle));
  const records = read.flatMap(({ series, trips }) => recordsOf(name, series, trips));
  return tripPageFile({ title: 'Trips', zone: context.zone(options.zone), records });
}

export function drawForTerminal(
  context: Context,
  vehicle: string,
  series: Series,
  trips: readonly ReadTrip[],
  trip: ReadTrip,
  signals: readonly string[],
): readonly string[] {
  const columns = Math.max(40, Math.min(context.output.width - 1, 120));
  return tripBraille(pictureOf(nameOf(context, vehicle), series, trips, trip), { columns, signals }).split('\n');
}

/**
 * `vds trips view`: the explorer on 127.0.0.1, over an archive or over the service, until Ctrl-C. The address has a part that others
 * on the machine cannot guess.
 */
export async function viewTrips(context: Context, options: { readonly zone?: string }, folder: string): Promise<void> {
  const { servePage } = await import('@vehicle-data/trip-view/node');
  if (folder !== '' && !(await stat(folder).catch(() => undefined))?.isDirectory())
    throw usageError('the folder of the archive cannot be read');
  const zone = context.zone(options.zone);
  // Rejects a zone that is none: the page would take that of the browser.
  readDay('today', '--zone', zone);
  const { brand, brands } = context;
  const chosenFirst = brand === undefined ? undefined : [brand, ...brands.filter((other) => other !== brand)];
  const source =
    folder === ''
      ? { kind: 'api' as const, fetch: await apiFetch(context), brands: chosenFirst }
      : {
          kind: 'archive' as const,
          folder,
          names: Object.fromEntries(await namesInFolder(folder, Object.entries(context.aliases))),
        };
  const page = await servePage({ source, zone });
  context.output.record({ url: page.url }, () => [`Open ${page.url}`, 'Ctrl-C ends it.']);
  if (!context.signal.aborted) await once(context.signal, 'abort');
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
