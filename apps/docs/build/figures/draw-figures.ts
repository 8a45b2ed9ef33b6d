import { readFile } from 'node:fs/promises';
import { operations } from '@vehicle-data/openapi';
import { dateWindow } from './date-window.ts';
import { requestPath } from './request-path.ts';
import type { Figure } from './svg.ts';
import { tokenLifeCycle } from './token-life-cycle.ts';
import { type RecordedTrip, tripPlot } from './trip-plot.ts';

/** Every figure of the guides by its file name. */
export async function drawFigures() {
  const trip = JSON.parse(await readFile(new URL('recorded-trip.json', import.meta.url), 'utf8')) as RecordedTrip;
  const signals = Object.values(operations).flatMap(({ series }) => Object.entries(series?.signals ?? {}));
  const units = new Map(signals.flatMap(([path, signal]) => (signal.kind === 'number' ? [[path, signal.unit]] : [])));
  return {
    'request-path': requestPath(),
    'token-life-cycle': tokenLifeCycle(),
    'date-window': dateWindow(operations.getDrivingData.dateRange),
    trip: tripPlot(trip, units),
  } satisfies Readonly<Record<string, Figure>>;
}
